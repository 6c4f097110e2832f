/** The parsers of foreign text, each with texts to begin with. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "../support/fast-check";
import { stringify } from "yaml";
import type { Dispatcher } from "undici";
import { settingsOf } from "../../src/tools/cli/commands/review/run";
import { UsageError } from "../../src/tools/cli/command";
import { StackRules } from "../../src/tools/expire/stack-rules";
import { startEmulator } from "../../src/emulator";
import { existingProgram, parseFile } from "../../src/tools/import/program/existing-program";
import { modulesIn } from "../../src/tools/import/program/main-file";
import { notesText } from "../../src/tools/import/program/import-notes";
import { planFor } from "../../src/tools/import/objects/plan";
import { newStatement } from "../../src/tools/import/program/statement";
import { parseSource } from "../../src/tools/import/program/typescript";
import { accountObject } from "../../src/tools/inventory/account-contents";
import { readStack } from "../../src/tools/inventory/stack";
import { mapOfPreview } from "../../src/tools/map/preview-map";
import { mapOf } from "../../src/tools/map/graph";
import { renderMermaid } from "../../src/tools/map/mermaid";
import { renderFigure } from "../../src/tools/map/svg";
import { hooksOver } from "../../src/provider/dynamic/hooks";
import { connectionOver } from "../../src/provider/life-cycle/connection";
import { GatewayError } from "../../src/provider/errors";
import { Http } from "../../src/provider/http/http";
import { idProblem } from "../../src/provider/http/path";
import { answerValidator } from "../../src/provider/life-cycle/response-schema";
import { listRequest } from "../../src/provider/http/pagination";
import { rangesFrom } from "../../src/tools/ranges/contents";
import { lockFile, readLock, sha256Of } from "../../src/program/ranges/lock-file";
import { readSources, sourcesFile, type Source } from "../../src/tools/ranges/sources-file";
import { declarationOf, declarations } from "../../src/resources/registry";
import { readApprovals } from "../../src/tools/approval/approval";
import type { Approval } from "../../src/tools/approval/approval";
import { stepsOf } from "../../src/tools/approval/approve";
import { rehearse } from "../../src/tools/rehearsal/rehearse";
import { approvedReview } from "../../src/tools/review/approved";
import { ClientLog } from "../../src/tools/access/client-log";
import { review } from "../../src/tools/review/review";
import { annotations } from "../../src/tools/review/output/annotations";
import { htmlReview, markdown, terminal } from "../../src/tools/review/output/forms";
import { json } from "../../src/tools/review/output/json-report";
import { sarif } from "../../src/tools/review/output/sarif";
import { formatAddress } from "../../src/schema/formats/cidr";
import type { Json } from "../../src/schema/json";
import { stackConfig } from "../../src/tools/stack/config";
import type { Settings } from "../../src/provider/settings/settings";
import { readPreview } from "../../src/tools/inventory/read-preview";
import { globPattern } from "../../src/schema/text/glob";
import { temporaryFolder } from "../support/folders";
import { oddAccount } from "../support/odd-account";
import { openSshKey } from "../support/ssh";
import { makeCertificate, makeCertificateRequest, makeKeyPair } from "../support/x509";
import { mutatedJson, mutatedText } from "./mutations";

export interface Target {
  readonly name: string;
  readonly inputs: fc.Arbitrary<unknown>;
  /** Reads the input as the package does, and returns what users, pipelines or files would get of it. */
  readonly read: (input: unknown) => readonly string[] | Promise<readonly string[]>;
}

/** Whether the package refuses what it reads; any other error is a crash. */
export function isOwnError(error: unknown): boolean {
  return error instanceof GatewayError || error instanceof UsageError;
}

const root = join(__dirname, "../..");

function target<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  read: (input: T) => readonly string[] | Promise<readonly string[]>,
): Target {
  return { name, inputs, read: (input) => read(input as T) };
}

/** Texts of every format, so that each format also reads those of others. */
function formatTexts(): string[] {
  const authority = makeCertificate({ ca: true });
  const site = makeCertificate({ issuer: authority, dnsNames: ["www.example.com"] });
  const request = makeCertificateRequest();
  const key = makeKeyPair("ecdsa");
  return [
    site.pem,
    site.pem + authority.pem,
    site.privateKeyPem,
    request.pem,
    openSshKey(key.publicKey),
    openSshKey(makeKeyPair("ed25519").publicKey),
    openSshKey(makeKeyPair("rsa").publicKey),
    key.publicKey.export({ type: "spki", format: "pem" }).toString(),
    "203.0.113.0/24",
    "2001:db8::/32",
    "::ffff:192.0.2.1/128",
    "https://user@login.example.com:443/path?query#fragment",
    "tcp://1.tcp.example.com:5432",
    "1.tcp.example.com:5432",
    "2031-06-01T12:00:00.123+02:00",
    "req.path.startsWith('/admin') && conn.client_ip in ['192.0.2.1'] ? {'a': [1, 2.5, r\"x\"]} : size(x) > 3",
    'on_http_request:\n  - expressions: ["a == b"]\n    actions: [{type: deny}]\n',
    '{"on_tcp_connect":[{"actions":[{"type":"restrict-ips"}]}]}',
    "bind:*.example.com",
    "env=production",
    "ip_policy_created.v0",
    "X-Header-Name",
    "ada@example.com",
    "permit-pty",
    "ipp_2abc",
    "[redacted]",
  ];
}

/** Every function of src/schema/formats that reads a text. What checks say is shown to users. */
function formatTargets(): Target[] {
  const inputs = mutatedText(formatTexts());
  const folder = join(root, "src/schema/formats");
  return readdirSync(folder).map((file) => {
    const module = jest.requireActual<Record<string, unknown>>(join(folder, file));
    // Factories take something else than a text.
    const readers = Object.entries(module).filter(
      (entry): entry is [string, (text: string) => unknown] =>
        typeof entry[1] === "function" &&
        /^(check|advise|problem|parse|canonical|sent|is|split|to|scheme|redacted|not|has|quote|decode|read)/.test(
          entry[0],
        ) &&
        !/^(checkKeyMatches|readDer|isMapped)$/.test(entry[0]),
    );
    return target(`format ${file.replace(".ts", "")}`, inputs, (text) =>
      readers.flatMap(([name, read]) => {
        const said = read(text);
        return /^(check|advise|problem|quote)/.test(name) && typeof said === "string" ? [said] : [];
      }),
    );
  });
}

function previewTargets(): Target[] {
  const folder = join(root, "test/fixtures/previews");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
  const small = texts.filter((text) => text.length < 60_000);
  const values = small.map((text) => JSON.parse(text) as unknown);
  const outputsOf = (text: string): string[] => {
    const preview = readPreview(text);
    const made = review(preview, {});
    const map = mapOfPreview(preview);
    return [
      ...[
        terminal(made),
        markdown(made, 65_536, renderMermaid(map)),
        markdown(made, 2_000),
        htmlReview(made),
      ],
      ...[json(made), sarif(made), annotations(made), renderFigure(map)],
    ];
  };
  return [
    target("preview", mutatedText(small), outputsOf),
    target("preview, members", mutatedJson(values), (value) => outputsOf(JSON.stringify(value))),
  ];
}

/** What the Pulumi CLI prints; jest.mock replaces the call. */
let printedByPulumi = "";
jest.mock("../../src/tools/stack/pulumi", () => ({
  ...jest.requireActual<object>("../../src/tools/stack/pulumi"),
  pulumi: () => Promise.resolve({ stdout: printedByPulumi, stderr: "" }),
}));

function stackTargets(): Target[] {
  const folder = join(root, "test/fixtures/states");
  const exports = readdirSync(folder).map((name) => readFileSync(join(folder, name, "state.json"), "utf8"));
  const values = exports.map((text) => JSON.parse(text) as { deployment: { resources: unknown[] } });
  // One resource in a few is enough, and a small state is read faster.
  const small = values.flatMap((value) =>
    Array.from({ length: 8 }, (_, i) => {
      const { resources } = value.deployment;
      const some = resources.filter((__, at) => at % 8 === i);
      const pending = some.map((resource) => ({ resource, type: "creating" }));
      return { ...value, deployment: { ...value.deployment, resources: some, pending_operations: pending } };
    }),
  );
  const read = async (text: string): Promise<string[]> => {
    printedByPulumi = text;
    const notes: string[] = [];
    const contents = await readStack({ stack: "dev", note: (line) => notes.push(line) });
    const map = mapOf(contents.inventory);
    const rules = new StackRules(contents);
    const ended = [undefined, ...rules.endingProviders].flatMap((each) => rules.endedAt(Infinity, each));
    for (const rule of ended) rules.addresses(rule, 0);
    return [...notes, renderMermaid(map)];
  };
  const config = JSON.stringify({ "a:b": { value: "c", secret: true }, "a:d": { value: '["e"]' } });
  return [
    target("stack", mutatedText(small.map((value) => JSON.stringify(value))), read),
    target("stack, members", mutatedJson(small), (value) => read(JSON.stringify(value))),
    target("stack configuration", mutatedText([config, "{}"]), async (text) => {
      printedByPulumi = text;
      await stackConfig("dev", {});
      return [];
    }),
  ];
}

/** An approval that a pull request may have written, compared with a preview and shown. */
async function approvalTargets(): Promise<Target[]> {
  const text = readFileSync(join(root, "test/fixtures/previews/pull-request.json"), "utf8");
  const preview = readPreview(text);
  const made = review(preview, {});
  const rehearsal = await rehearse(preview.plan);
  const written: Approval = {
    ...{ approval: 3, version: "1.0.0", ...preview.stackName!, baseUrls: [] },
    steps: stepsOf(preview.plan, rehearsal),
  };
  const approval = JSON.stringify(written);
  const read = (changed: string): string[] => {
    const approved = approvedReview(preview, made, rehearsal, {
      approval: readApprovals(changed)[0]!,
      log: [],
    });
    return [terminal(approved), markdown(approved), annotations(approved)];
  };
  return [
    target("approval", mutatedText([approval]), read),
    target("approval, members", mutatedJson([JSON.parse(approval)]), (value) => read(JSON.stringify(value))),
  ];
}

/** What publishers send, and the files of published ranges. */
function rangesTargets(): Target[] {
  const folder = temporaryFolder("fuzz");
  const source: Source = {
    ...{ name: "cloud", url: "https://example.com/ranges.json", format: "json" },
    ...{
      path: ["prefixes[].cidr", "prefixes[].v6[]"],
      filter: { service: "x*" },
      mayHold: ["documentation"],
    },
  };
  const list = {
    prefixes: [
      { cidr: "192.0.2.0/24", service: "x" },
      { v6: ["2001:db8::/48"], service: "xy" },
    ],
  };
  const ranges = ["192.0.2.0/24", "2001:db8::/48"];
  const locked = { url: source.url, date: "2026-11-23T00:00:00Z", sha256: sha256Of(ranges), ranges };
  const readFiles = (name: string, text: string): string[] => {
    writeFileSync(join(folder, name), text);
    if (name === sourcesFile) return readSources(folder).map(({ name: each }) => each);
    return [...(readLock(join(folder, name)) ?? [])].flatMap(([, each]) => each.ranges);
  };
  return [
    target("list of ranges", mutatedText(["192.0.2.0/24 # one\n198.51.100.7\n"]), (text) =>
      rangesFrom({ ...source, format: "text" }, text),
    ),
    target("list of ranges, JSON", mutatedJson([list]), (value) => rangesFrom(source, JSON.stringify(value))),
    target("sources of ranges", mutatedJson([{ sources: [source] }]), (value) =>
      readFiles(sourcesFile, JSON.stringify(value)),
    ),
    target("sources of ranges, text", mutatedText([stringify({ sources: [source] })]), (text) =>
      readFiles(sourcesFile, text),
    ),
    target("lock file of ranges", mutatedJson([{ version: 1, sources: { cloud: locked } }]), (value) =>
      readFiles(lockFile, JSON.stringify(value)),
    ),
  ];
}

async function configurationTargets(): Promise<Target[]> {
  const file = join(temporaryFolder("fuzz"), "review.json");
  const config = {
    failOn: "error",
    requestsPerMinute: 120,
    errorFrom: { ipv4: "/8", ipv6: 1000 },
    silence: [{ rule: "hygiene/*", resource: "IpPolicy office", reason: "known" }],
    accessTests: [{ resource: "TcpEdge *", allowed: ["203.0.113.7"], onlyFrom: ["203.0.113.0/24"] }],
  };
  const read = (text: string): string[] => {
    writeFileSync(file, text);
    const { silences = [] } = settingsOf({ config: file });
    for (const { resource, rule } of silences) globPattern(resource ?? rule).test("IpPolicy office");
    return [];
  };
  return [
    target("review configuration", mutatedText([JSON.stringify(config, undefined, 2)]), read),
    target("review configuration, members", mutatedJson([config]), (value) => read(JSON.stringify(value))),
    ...(await approvalTargets()),
    ...rangesTargets(),
    target(
      "log of clients",
      mutatedText(["203.0.113.7 GET /", "[2001:db8::1]:443", '{"ip":"::ffff:1.2.3.4"}']),
      (text) => {
        const logs = [new ClientLog(), new ClientLog("ip")];
        for (const log of logs) {
          log.push(Buffer.from(text));
          log.end();
        }
        return logs.flatMap((log) => [...log.clients()].map(({ bytes }) => formatAddress(bytes)));
      },
    ),
    target("silence", mutatedText(["access/*@IpPolicy office=known"]), (text) => {
      settingsOf({ silence: [text] });
      return [];
    }),
    target(
      "pattern",
      fc.tuple(mutatedText(["*a*b*", "office*", "***"]), mutatedText(["office network", "a".repeat(200)])),
      ([pattern, text]) => {
        globPattern(pattern).test(text);
        return [];
      },
    ),
  ];
}

/** The programs and notes of an import, and the answers they are made of. */
function importTargets(objects: readonly Listed[]): Target[] {
  const written = objects.flatMap((object) => statementsFor(object).texts);
  const program = `import { IpPolicy } from "pulumi-tunnel-gateway";\n\n${written.join("\n")}`;
  return [
    // The compiler takes up to 20 ms for a kilobyte that is no program, so a long text would only measure that.
    target("program of an import", mutatedText([program, ...written]).map(short), (text) => {
      parseFile(text);
      modulesIn(text);
      return [];
    }),
    target("answer to an import", listedInputs(objects), (listed) => {
      const { texts, notes } = statementsFor(listed);
      for (const text of texts) {
        const { statements } = parseSource(text);
        if (statements.length !== 1)
          throw new Error(`the import writes ${statements.length} statements: ${text}`);
      }
      return [...texts, notesText({ notes, statements: [], unreadEdges: [String(listed.answer.id)] })];
    }),
    target(
      "notes of an import",
      fc.array(
        fc.record({
          type: fc.constant("IpPolicy"),
          id: mutatedText(["ipp_1"]),
          reason: mutatedText(["x"]),
        }),
      ),
      (notes) => [notesText({ notes, statements: [], unreadEdges: notes.map(({ id }) => id) })],
    ),
  ];
}

const settings: Settings = {
  baseUrl: "http://127.0.0.1:1",
  apiKey: "a-key-for-tests-only",
  patchUndocumented: false,
  requestTimeout: 60,
  retryTimeout: 2,
  listTimeout: 60,
  listObjects: 10_000,
  listMebibytes: 16,
  stampMetadata: false,
};
const now = Date.parse("2030-01-01T00:00:00Z");

/** An object of a list, as src/tools/inventory/account-contents.ts reads it. */
function listedObject({ type, answer }: Listed) {
  const declaration = declarationOf(type);
  const id = typeof answer.id === "string" ? answer.id : "";
  const problem = answerValidator(declaration)(answer) ?? idProblem(declaration, id);
  return accountObject(declaration, id, answer, problem);
}

function statementsFor({ type, answer }: Listed) {
  const object = listedObject({ type, answer });
  const { resources, notes } = planFor([object], { settings, now });
  const texts = resources.map(
    (resource) => newStatement(resource, { refer: () => undefined, protect: true }).text,
  );
  return { texts, notes };
}

/** An answer about an object or a list of a class. */
interface Listed {
  readonly type: string;
  readonly answer: Json;
}

function listedInputs(objects: readonly Listed[]): fc.Arbitrary<Listed> {
  return fc.constantFrom(...objects).chain(({ type, answer }) =>
    mutatedJson([answer])
      .filter((value): value is Json => typeof value === "object" && value !== null && !Array.isArray(value))
      .map((value) => ({ type, answer: value })),
  );
}

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** A service that gives one answer to everything, and a clock on which no time is lost. */
function serviceOf({ status, headers, text }: Answered, report: (line: string) => void): Http {
  let time = now;
  const timing = {
    now: () => time,
    elapsed: () => time,
    sleep: (milliseconds: number) => ((time += milliseconds), Promise.resolve()),
    after: () => () => undefined,
    every: () => () => undefined,
    random: () => 0.5,
  };
  const dispatcher = {
    dispatch(_: unknown, handler: Dispatcher.DispatchHandler) {
      const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseStart?.(controller, status, headers, "");
      handler.onResponseData?.(controller, Buffer.from(text));
      handler.onResponseEnd?.(controller, {});
      return true;
    },
  } as unknown as Dispatcher;
  return new Http(settings, { dispatcher, timing, report });
}

function answerTargets(objects: readonly Listed[], lists: readonly Listed[]): Target[] {
  const headers = fc.record(
    {
      "retry-after": mutatedText(["1", "Wed, 21 Oct 2030 07:28:00 GMT", "31536000"]),
      date: mutatedText(["Wed, 21 Oct 2030 07:28:00 GMT"]),
      location: mutatedText(["https://elsewhere.example/path"]),
    },
    { requiredKeys: [] },
  );
  const status = fc.constantFrom(
    200,
    200,
    200,
    200,
    201,
    204,
    301,
    400,
    401,
    403,
    404,
    409,
    422,
    429,
    500,
    502,
    503,
  );
  const refusal = { error_code: "ERR_A", status_code: 400, msg: "a: b", details: { operation_id: "op_1" } };
  const inputs = (from: readonly Listed[]) =>
    fc.record({
      which: fc.constantFrom(...from).chain(({ type, answer }) =>
        fc
          .oneof(
            mutatedJson([answer, refusal]).map((value) => JSON.stringify(value)),
            mutatedText([JSON.stringify(answer), JSON.stringify(refusal), "<html>Bad gateway</html>"]),
          )
          .map((text) => ({ type, text, id: typeof answer.id === "string" ? answer.id : "x" })),
      ),
      status,
      headers,
    });
  type Input = ReturnType<typeof inputs> extends fc.Arbitrary<infer I> ? I : never;
  return [
    target("answer to a hook", inputs(objects), async ({ which, ...answer }: Input) => {
      const lines: string[] = [];
      const http = serviceOf({ ...answer, text: which.text }, (line) => lines.push(line));
      const hook = hooksOver(declarationOf(which.type), () => connectionOver(http));
      const refused = await Promise.allSettled([hook("read")(which.id, {}), hook("delete")(which.id, {})]);
      return [...lines, ...refused.flatMap((each) => refusalText(each))];
    }),
    target("page of a list", inputs(lists), async ({ which, ...answer }: Input) => {
      const lines: string[] = [];
      const http = serviceOf({ ...answer, text: which.text }, (line) => lines.push(line));
      let pages = 0;
      for await (const page of connectionOver(http).pages(listRequest(declarationOf(which.type)))) {
        for (const object of page)
          accountObject(declarationOf(which.type), String(object.id), object, undefined);
        if ((pages += 1) > 20) break;
      }
      return lines;
    }),
  ];
}

/** The message of a refusal of its own; anything else is a crash. */
function refusalText(result: PromiseSettledResult<unknown>): string[] {
  if (result.status === "fulfilled") return [];
  if (!isOwnError(result.reason)) throw result.reason;
  return [(result.reason as Error).message];
}

export async function targets(): Promise<readonly Target[]> {
  const emulator = await startEmulator();
  const objects: Listed[] = [];
  const lists: Listed[] = [];
  try {
    await emulator.seed(oddAccount());
    const headers = { Authorization: `Bearer ${emulator.apiKey}`, "Service-Version": "2" };
    for (const declaration of declarations.filter(({ style }) => style === "collection")) {
      const { path } = listRequest(declaration);
      const page = (await (await fetch(emulator.baseUrl + path, { headers })).json()) as Json;
      lists.push({ type: declaration.type, answer: page });
      const found = Object.values(page).find((member): member is Json[] => Array.isArray(member)) ?? [];
      objects.push(...found.slice(0, 3).map((answer) => ({ type: declaration.type, answer })));
    }
  } finally {
    await emulator.close();
  }
  existingProgram(tmpdir(), new Set());
  return [
    ...formatTargets(),
    ...previewTargets(),
    ...stackTargets(),
    ...(await configurationTargets()),
    ...importTargets(objects),
    ...answerTargets(objects, lists),
  ];
}

function short(text: string): string {
  return text.slice(0, 30_000);
}
