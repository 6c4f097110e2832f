/** The sessions of the pages that test/full/documentation.test.ts leaves to the night. */
import { blocksOf } from "../support/documentation/blocks";
import { describeSession } from "../support/documentation/page-session";
import { nightly, transpileOnly as env } from "../support/documentation/sessions";

for (const page of nightly) describeSession(page, blocksOf(page), { env });
