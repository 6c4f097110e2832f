export { tearDown as default } from "./engine-setup";
