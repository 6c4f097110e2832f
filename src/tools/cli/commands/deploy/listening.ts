import { wrongSetting } from "../../../../provider/settings/read-settings";
import type { Listening } from "../../../broker/broker";
import { UsageError } from "../../command";

/** @param address `<host>:<port>`. Throws a UsageError for a wrong address, and for a URL that the command must not use. */
export function listeningAt(address: string, url = `http://${address}`): Listening {
  const parts = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i.exec(address);
  const port = Number(parts?.[3]);
  if (!parts || port < 1 || port > 65535)
    throw new UsageError(`--listen needs an address and a port, such as 0.0.0.0:8443, not ${address}`);
  // Requests carry the token of the deployment, and answers what is in the account.
  const wrong = wrongSetting("baseUrl", url);
  if (wrong !== undefined || new URL(url).pathname !== "/")
    throw new UsageError(
      `the URL of the broker ${wrong ?? "must have no path"}: name the one by which the command reaches it, with TLS in front, ` +
        "as --url https://broker.example.com",
    );
  return { host: parts[1] ?? parts[2]!, port, url: new URL(url).origin };
}
