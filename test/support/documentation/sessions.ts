/** Which pages with commands run when. */
import { blocksOf, pages } from "./blocks";
import { isRun } from "./kinds";

const withSession = pages().filter((page) => blocksOf(page).some(isRun));

export const ofResources = withSession.filter((page) => page.startsWith("docs/resources/"));

/** They leave the README's project, its stack and its account as they are: one deployment serves all. */
export const looking = ["first-packet", "cli", "map", "review-reference", "review-pipeline", "approvals"].map(
  (page) => `docs/${page}.md`,
);

/** Each deploys on its own: what they show is tested elsewhere before a merge, and here as a reader does it. */
export const nightly = withSession.filter(
  (page) => ![...ofResources, ...looking, "README.md"].includes(page),
);

/** The environment of sessions whose programs test/docs compiles. */
export const transpileOnly = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
