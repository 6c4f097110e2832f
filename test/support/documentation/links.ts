/** The links of pages to other files. */
import { dirname, join } from "node:path";

export interface Link {
  /** As the page writes it. */
  readonly target: string;
  /** The path of its file, from the root of the repository. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** The links of a page that are no addresses of the web. */
export function linksOf(page: string, text: string): Link[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  const targets = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets.map((target) => {
    const [path, anchor] = target.split("#");
    return { target, file: path === "" ? page : join(dirname(page), path!), anchor };
  });
}
