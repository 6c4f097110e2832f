/** A process of its own that reads one policy and says what came of it: network settings are a process's. */
import { Http } from "../../../src/provider/http/http";
import { readSettings } from "../../../src/provider/settings/read-settings";

const http = new Http(readSettings({ get: () => undefined }, process.env), { report: () => undefined });
http
  .send({ method: "GET", path: "/ip_policies/ipp_1", operation: "reading" })
  .then(
    ({ body }) => process.stdout.write(JSON.stringify({ body })),
    (error: Error) => process.stdout.write(JSON.stringify({ error: error.message })),
  )
  .finally(() => process.exit());
