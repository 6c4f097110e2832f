/**
 * What a pipeline needs of accounts.yaml: `node pipeline.mts rings` prints the accounts of all rings and of each as outputs
 * of a job, and `node pipeline.mts settings <account>` writes the settings of a stack.
 */
import { join } from "node:path";
import { keyVariable, readAccounts, rings } from "./fleet/accounts.mts";
import { runMain } from "./fleet/errors.mts";
import { writeSettings } from "./fleet/settings.mts";

const folder = import.meta.dirname;
await runMain(main);

function main(): number {
  const [command, name] = process.argv.slice(2);
  const accounts = readAccounts(join(folder, "accounts.yaml"));
  const account = accounts.find((each) => each.name === name);
  if (command === "rings") {
    const entries = accounts.map((each) => ({
      ring: each.ring,
      name: each.name,
      key: keyVariable(each.name),
    }));
    const print = (output: string, members: typeof entries) =>
      console.log(`${output}=${JSON.stringify(members.map(({ name, key }) => ({ name, key })))}`);
    print("accounts", entries);
    for (const ring of rings)
      print(
        ring,
        entries.filter((each) => each.ring === ring),
      );
  } else if (command === "settings" && account !== undefined) {
    writeSettings(folder, account);
  } else {
    console.error("node pipeline.mts rings|settings <account of accounts.yaml>");
    return 2;
  }
  return 0;
}
