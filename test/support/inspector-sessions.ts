/**
 * Pulumi's SDK opens an inspector session to capture a provider, and never closes it. It would stay open for all later
 * test files of the worker: V8 would report every module that they load to every session, which took a third of the
 * time of the unit tests, and the memory of the files would never become free.
 */
import { Session } from "node:inspector";

const connect = jest.spyOn(Session.prototype, "connect");

afterAll(() => {
  for (const session of connect.mock.contexts as Session[]) session.disconnect();
  connect.mockRestore();
});
