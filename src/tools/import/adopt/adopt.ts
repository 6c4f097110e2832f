/** `tunnel-gateway import --adopt`: an existing program takes over objects that its state has lost or never had. */
import { hasUsableId } from "../../../account/read-objects";
import { clientWith } from "../../../account/account-client";
import type { AccountClient } from "../../../account/account-client";
import { GatewayError } from "../../../provider/errors";
import { readSettings } from "../../../provider/settings/read-settings";
import type { ConfigSource } from "../../../provider/settings/read-settings";
import { configKey, nameKey, settingsIn, settingText } from "../../../provider/settings/settings";
import { providerNameIn, stackIn } from "../../../provider/urn";
import { quote, counted, firstOf, most10 } from "../../../schema/text/phrase";
import { isUnknown } from "../../../schema/unknown";
import { readAccount } from "../../inventory/account-contents";
import type { AccountObject } from "../../inventory/account-contents";
import { settingsSource } from "../../inventory/connect";
import { managerIn } from "../../inventory/managed";
import { inAccountOf, providerSource, settingsOfProvider } from "../../inventory/providers";
import { readStack } from "../../inventory/stack";
import type { StackContents } from "../../inventory/stack";
import { createdBy } from "../../orphans/match";
import { previewAfterImport } from "../import-preview";
import { intoStack, runFile } from "../into-stack";
import type { ImportOptions } from "../import-options";
import { importFile, reportInstructions } from "../import-report";
import { removePrivate, writePrivate } from "../project/private-files";
import { adopted, adoptionFile } from "./adopt-file";
import type { AdoptedPair } from "./adopt-file";
import { pairUp } from "./pairing";
import type { Outcome } from "./pairing";
import { plannedProgram } from "./planned";
import type { PlannedCreate, PlannedProgram } from "./planned";
import { objectLabel } from "../../inventory/label";
import { paragraphs, textTable } from "../../output/document";
import type { DocumentBlock } from "../../output/document";
import { secretsOfCreation } from "../../../schema/secrets";

/** Pulumi's plan, with plaintext secrets. It is removed after it is read. */
const planName = "plan.json";

/** Pairs the program's creates with objects of the account, and with `run` imports the pairs. */
export async function adopt(options: ImportOptions): Promise<void> {
  const { cwd, out, run, reporter } = options;
  reporter.onInterrupt("Interrupted: nothing is imported. Run the command again");
  const location = { stack: options.stack!, cwd, note: reporter.note };
  removePrivate(out, runFile, importFile, planName);
  const contents = await readStack(location, settingsOfProvider());
  reporter.note("Running pulumi preview, to see what the program would create");
  const planFile = writePrivate(out, planName, "");
  const program = await plannedProgram(location, planFile).finally(() => removePrivate(out, planName));
  if (program.creates.length === 0)
    return reporter.print("The program would create no object of this package: there is nothing to adopt.");
  const found = [];
  for (const [provider, creates] of Map.groupBy(program.creates, (create) => create.provider))
    found.push(await adoptionIn(provider, creates, { options, contents, program }));
  const [pairs, outcomes] = [found.flatMap((each) => each.pairs), found.flatMap((each) => each.outcomes)];
  const left = found.flatMap((each) => each.left);
  for (const block of adoptionBlocks(pairs, outcomes, left)) reporter.print(block);
  const file = adoptionFile(pairs, program, contents.urns, Date.now());
  if (!run || pairs.length === 0) return reportInstructions(options, { file, statements: [] }, []);
  await intoStack(options, [], file);
  const changing = pairs.filter(({ changes }) => changes.length > 0).length;
  await previewAfterImport(options, changing + outcomes.length - pairs.length);
}

interface Adopting {
  readonly options: ImportOptions;
  readonly contents: StackContents;
  readonly program: PlannedProgram;
}

/** The pairs in the account of a provider; of the default provider if there is no URN. */
async function adoptionIn(
  provider: string | undefined,
  creates: readonly PlannedCreate[],
  adopting: Adopting,
) {
  const { options, contents } = adopting;
  const { reporter } = options;
  const client = await clientOf(provider, adopting);
  reporter.note(`Reading the account at ${client.settings.baseUrl}`);
  const chosen = new Set(creates.map(createdBy));
  const { objects } = await readAccount({
    client,
    isChosen: (declaration) => declaration.style === "collection" && chosen.has(declaration),
    report: reporter.status,
  });
  const managerOf = managerIn(inAccountOf(contents, provider));
  const free = objects.filter(
    (each) =>
      !managerOf(each) && chosen.has(each.declaration) && hasUsableId(client, each.declaration, each.id),
  );
  const outcomes = await pairUp(creates, free, client, stackIn(creates[0]!.urn)!);
  const pairs = outcomes.filter((each) => each.kind === "pair").map((pair) => adopted(pair, client.settings));
  const taken = new Set(pairs.map(({ object }) => object));
  return { pairs, outcomes, left: free.filter((each) => !taken.has(each)) };
}

async function clientOf(
  provider: string | undefined,
  { options: { stack, cwd, reporter }, contents, program }: Adopting,
): Promise<AccountClient> {
  const source =
    provider === undefined
      ? await settingsSource({ stack: stack!, cwd })
      : contents.providers.has(provider)
        ? providerSource(contents, provider)
        : plannedSource(provider, program);
  return clientWith(readSettings(source, process.env), reporter.note);
}

/** The arguments of a provider that the program will create. */
function plannedSource(urn: string, { providers }: PlannedProgram): ConfigSource {
  const settings = settingsIn(providers.get(urn) ?? {});
  const name = providerNameIn(urn);
  if (isUnknown(settings[configKey("apiKey")]) || isUnknown(settings[configKey("baseUrl")])) {
    throw new GatewayError(
      `the account of the Provider ${quote(name)} cannot be read: its key or base URL is not known before an update. ` +
        "Give it values that are known, such as those of the stack's configuration, and run the command again",
    );
  }
  return { get: (key) => (key === nameKey ? name : settingText(settings[key])) };
}

/** @param left the objects of the account that belong to no resource. */
function adoptionBlocks(
  pairs: readonly AdoptedPair[],
  outcomes: readonly Outcome[],
  left: readonly AccountObject[],
): DocumentBlock[] {
  const fresh = outcomes.filter(({ kind }) => kind === "new");
  const tokens = pairs.filter(({ create }) => secretsOfCreation(create.declaration.fields).length > 0);
  return [
    textTable(["resource", "id", "object", "known by", "the next up"], pairs.map(rowOf), "pair"),
    ...paragraphs([
      ...outcomes.map(
        (each) =>
          each.kind === "ambiguous" &&
          `${named(each.create)} is not adopted, because several objects may be its own: ${objectsText(each.objects)}. Import the right one with ` +
            `"npx pulumi-tunnel-gateway import ${named(each.create)} <id>"; otherwise the next up creates another one.`,
      ),
      ...outcomes.map(
        ({ kind, create }) =>
          kind === "rotates" &&
          `${named(create)} is not adopted, because the token of its key is lost with the state. The next up creates a new key; ` +
            "delete the old one when nobody uses it any more.",
      ),
      tokens.length > 0 &&
        `The token is not known of ${namesOf(tokens)}: the service shows it only once. ` +
          "A program that uses the token fails until the key is replaced.",
      fresh.length > 0 &&
        `New, so the next up creates ${counted(fresh.length, "object")}: ${namesOf(fresh)}.`,
      left.length > 0 &&
        `Of no resource of the program: ${counted(left.length, "object")}. "npx pulumi-tunnel-gateway orphans --stack <name>" lists them after the import.`,
    ]),
  ];
}

function rowOf({ create, object, by, changes }: AdoptedPair): string[] {
  const paths = firstOf(
    changes.map(({ path }) => path),
    most10,
  );
  const next =
    changes.length === 0
      ? "no change"
      : `${changes.some(({ replaces }) => replaces) ? "replaces it" : "updates it"}: ${paths}`;
  return [named(create), object.id, objectLabel(object) ?? "", by, next];
}

function named({ declaration, name }: PlannedCreate): string {
  return `${declaration.type} ${name}`;
}

function namesOf(outcomes: readonly { readonly create: PlannedCreate }[]): string {
  const names = outcomes.map(({ create }) => named(create));
  return firstOf(names, most10);
}

function objectsText(objects: readonly AccountObject[]): string {
  const texts = objects.map((object) => {
    const label = objectLabel(object);
    return label === undefined ? object.id : `${object.id} (${label})`;
  });
  return firstOf(texts, most10);
}
