/**
 * The sessions of the README, of a page of a resource, and of the pages that change nothing; test/night has the others. Pulumi compiles
 * the programs of the README as a reader's are; test/docs compiles those of the other pages, all at once.
 */
import { blocksOf } from "../support/documentation/blocks";
import { describeSession } from "../support/documentation/page-session";
import { looking, ofResources, transpileOnly as env } from "../support/documentation/sessions";
import { strangerArrived } from "../support/documentation/stranger";

const readme = blocksOf("README.md");

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
