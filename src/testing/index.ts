/** Ready mocks for the unit tests of a program that uses this package. */
export { mocks } from "./mocks";
export type { GatewayMocks, MockedResource, MocksOptions, ResourceClass } from "./mocks";
