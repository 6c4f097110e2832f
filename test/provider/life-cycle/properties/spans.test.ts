/** Spans hold no value of a program, a state, a request or an answer. */
import * as fc from "../../../support/fast-check";
import { declarations, readable } from "../../../../src/resources/registry";
import { startTracing, stopTracing } from "../../../../src/provider/tracing/tracing";
import { configuredHooks } from "../../../support/configured-hooks";
import { serverForTests } from "../../../support/servers";
import { traceCollector } from "../../../support/trace-collector";
import { argumentsOf, seed, type Json } from "./arbitraries";

const needle = "XSECRETX";
const collector = traceCollector();

/** A service that repeats what it was sent, as an object or as the message of a refusal. */
let status = 200;
const service = serverForTests((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  request.on("end", () => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Note": needle });
    const sent = text === "" ? {} : (JSON.parse(text) as Json);
    response.end(JSON.stringify({ ...sent, id: needle, error_code: needle, msg: `${needle} ${text}` }));
  });
});

/** The texts of at least 12 characters: shorter ones may be words of a declaration. */
function longTexts(value: unknown): string[] {
  if (typeof value === "string") return value.length < 12 ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([, member]) => longTexts(member));
}

describe.each(declarations.map((declaration) => [declaration.type, declaration] as const))(
  "the spans of %s",
  (type, declaration) => {
    beforeAll(() => {
      process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT = collector.endpoint;
      collector.messages.splice(0);
      startTracing(
        readable.map(({ path }) => path),
        0,
      );
      delete process.env.PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT; // the plugin would start a tracer of its own
    });

    it("hold neither key nor value, whatever the service answers", async () => {
      const given = new Set([needle]);
      let count = 0;
      const answers = fc.constantFrom(200, 201, 204, 400, 401, 404, 409);
      await fc.assert(
        fc.asyncProperty(argumentsOf(declaration), answers, async (args, answered) => {
          status = answered;
          const state = { ...args, id: needle, __args: Object.keys(args) };
          for (const text of longTexts(args)) given.add(text);
          const hooks = configuredHooks(type, {
            apiKey: needle,
            baseUrl: service.baseUrl,
            retryTimeout: "1",
          });
          const calls = [
            () => hooks("check")({}, args),
            () => hooks("diff")(needle, state, args),
            () => hooks("create")(args),
            () => hooks("read")(needle, state),
            () => hooks("update")(needle, state, { ...args, description: needle }),
            () => hooks("delete")(needle, state),
          ];
          for (const call of calls) await call().then(undefined, () => undefined);
          count += calls.length;
        }),
        { seed, numRuns: 7 },
      );
      await stopTracing();
      const sent = Buffer.concat(collector.messages);
      expect(sent.length).toBeGreaterThan(count * 50); // there are spans
      expect(sent.includes(declaration.path)).toBe(true);
      expect([...given].filter((text) => sent.includes(text))).toStrictEqual([]);
    });
  },
);
