/**
 * The sessions of all pages. Pulumi compiles the programs of the README as a reader's are; test/docs compiles those of the other
 * pages, all at once.
 */
import { blocksOf, pages } from "../support/documentation/blocks";
import { isRun } from "../support/documentation/kinds";
import { describeSession } from "../support/documentation/page-session";
import { strangerArrived } from "../support/documentation/stranger";

const withSession = pages().filter((page) => blocksOf(page).some(isRun));
const readme = blocksOf("README.md");
const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
const ofResources = withSession.filter((page) => page.startsWith("docs/resources/"));

/** They leave the README's project, its stack and its account as they are: one deployment serves all. */
const looking = ["first-packet", "cli", "map", "review-reference", "review-pipeline", "approvals"].map(
  (page) => `docs/${page}.md`,
);

describeSession("README.md", readme, {
  more: (session) => {
    it("leads a stranger to a deployed policy, a reviewed change and an imported account", async () => {
      await strangerArrived(session(), readme);
    });
  },
});

// The blocks of these pages come from one template: test/docs/resource-pages.test.ts runs the commands of all in process.
describeSession("a page of a resource", blocksOf(ofResources[0]!), { env });

describeSession("pages that change nothing", looking.flatMap(blocksOf), { env });

const others = withSession.filter((page) => ![...ofResources, ...looking, "README.md"].includes(page));
for (const page of others) describeSession(page, blocksOf(page), { env });
