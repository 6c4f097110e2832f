/** Downloads published content of sources. It uses no key and no setting of an account. */
import { AnswerCollector } from "../../provider/http/answer-collector";
import type { RawAnswer } from "../../provider/http/answer-collector";
import { realTiming } from "../../provider/http/timing";
import { connectionsTo } from "../../provider/http/transport";
import { GatewayError } from "../../provider/errors";
import { quote, shortened, durationText, second } from "../../schema/text/phrase";
import { escapeControls } from "../../schema/text/escape";
import { version } from "../../provider/version";
import { urlProblem } from "./sources-file";
import type { Source } from "./sources-file";

/** The longest content of a source, in bytes. */
const largestContent = 16 * 1024 * 1024;

/** The maximum number of redirects, all on the host of the source. */
const mostRedirects = 3;

/** The unparsed content of the source. Throws a GatewayError that states the problem. */
export async function download(
  { name, url }: Pick<Source, "name" | "url">,
  timeoutSeconds: number,
): Promise<string> {
  let address = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answer = await answerOf(name, address, timeoutSeconds);
    if (![301, 302, 303, 307, 308].includes(answer.status)) return contentOf(name, answer);
    address = redirectedTo(name, address, String(answer.headers.location ?? ""));
  }
  throw new GatewayError(`the source ${name} redirects more than ${mostRedirects} times`);
}

/** The target of a redirect. Another host may belong to anybody, so it is refused. */
function redirectedTo(name: string, from: URL, location: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (target === undefined || urlProblem(target.href) !== undefined || target.host !== from.host)
    throw new GatewayError(
      `the source ${name} redirects to ${quote(target?.origin ?? location)}: only https addresses of ${from.host} without ` +
        "credentials are followed. Ask its publisher for the new address, and write it into ranges.yaml",
    );
  return target;
}

async function answerOf(name: string, address: URL, timeoutSeconds: number): Promise<RawAnswer> {
  const connections = connectionsTo(address.hostname);
  const collector = new AnswerCollector(`the source ${name}`, largestContent);
  const ended = realTiming.after(timeoutSeconds * 1000, () => {
    collector.abort(
      new GatewayError(
        `the source ${name} did not send its whole answer within ${durationText(timeoutSeconds * second, "second")}`,
      ),
    );
  });
  try {
    connections.dispatch(
      {
        origin: address.origin,
        path: address.pathname + address.search,
        method: "GET",
        headers: {
          // The decompressed length of a compressed answer would be unknown.
          "accept-encoding": "identity",
          "user-agent": `pulumi-tunnel-gateway/${version}`,
        },
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      collector,
    );
    return await collector.answer;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const { message, code, cause } = error as NodeJS.ErrnoException;
    const reason = [message, (cause as Error | undefined)?.message].find(Boolean) ?? String(code);
    throw new GatewayError(
      `the source ${name} sent no complete answer: ${shortened(escapeControls(reason), 300)}. It is not used`,
    );
  } finally {
    ended();
    void connections.destroy();
  }
}

function contentOf(name: string, { status, headers, text }: RawAnswer): string {
  if (status !== 200)
    throw new GatewayError(`the source ${name} answered with the status ${status} instead of 200`);
  const type = String(headers["content-type"] ?? "");
  if (/html/i.test(type))
    throw new GatewayError(`the source ${name} sent a page (${quote(type)}) instead of a list of ranges`);
  const encoding = String(headers["content-encoding"] ?? "identity");
  if (encoding !== "identity")
    throw new GatewayError(
      `the source ${name} sent a compressed answer (${quote(encoding)}), which was not asked for`,
    );
  // Otherwise a broken connection would look like the end of the list.
  if (headers["content-length"] === undefined && !/chunked/i.test(String(headers["transfer-encoding"])))
    throw new GatewayError(
      `the source ${name} does not say how long its answer is, so a part of it may be missing`,
    );
  return text;
}
