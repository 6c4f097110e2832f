// The main job, step by step: the root project's program with the real Pulumi CLI and the embedded emulator. Every
// step checks Pulumi's exit code and the requests that the service received.
import { createRequire } from "node:module";
import { demonstration } from "./lib/demonstration.mjs";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { root } from "./lib/paths.mjs";

const { startEmulator } = createRequire(import.meta.url)(`${root}/dist/emulator/index.js`);

/** The errors of the program with `mistakes` on. One preview must show all of them. */
const expectedMistakes = ["cidr", "action", "description"];

export async function quickstart() {
  const emulator = await startEmulator();
  const show = await demonstration(emulator);
  let at = 0;
  const left = () =>
    `Left out or unfinished: ${steps
      .slice(at)
      .map(({ title }) => title)
      .join(", ")}.`;
  whenInterrupted(() => `The quickstart was interrupted. ${left()}`);
  try {
    for (; at < steps.length; at++) {
      const { title, text, run } = steps[at];
      show.heading(title, text);
      await run(show, emulator);
    }
    show.end("Everything was created, changed, repaired and removed as the previews showed.");
    return 0;
  } catch (error) {
    show.fail(error);
    console.error(left());
    return 1;
  } finally {
    show.remove();
    await emulator.close();
  }
}

const steps = [
  {
    title: "Preview",
    text: "Shows what would be created. Sends nothing to the service.",
    async run(show) {
      await show.pulumi("preview");
      show.expectRequests([]);
    },
  },
  {
    title: "Up",
    text: "Creates a policy, its rules and an API key.",
    async run(show) {
      await show.pulumi("up", "--yes", "--skip-preview");
      show.expectOnlyCreates();
      await noChanges(show);
    },
  },
  {
    title: "Update in place",
    text: "Changes a description: one PATCH with this field only.",
    async run(show) {
      await show.config("description", "offices and VPN");
      await show.pulumi("preview", "--diff");
      await show.pulumi("up", "--yes", "--skip-preview");
      show.expectRequests([/^PATCH \/ip_policies\/ipp_/]);
      await noChanges(show);
    },
  },
  {
    title: "Replacement",
    text: "Changes the action of a rule. A CIDR can exist only once in a policy: delete before create.",
    async run(show) {
      await show.config("action", "deny");
      await show.pulumi("preview", "--diff");
      await show.pulumi("up", "--yes", "--skip-preview");
      show.expectRequests([/^DELETE \/ip_policy_rules\/ipr_/, /^POST \/ip_policy_rules$/]);
      await noChanges(show);
    },
  },
  {
    title: "Drift",
    text: "The policy is changed outside of Pulumi: refresh finds the drift, up repairs it.",
    async run(show, emulator) {
      const policy = () => emulator.snapshot().ip_policies[0];
      const before = policy().description;
      await show.http("PATCH", `/ip_policies/${policy().id}`, { description: "changed by hand" });
      await show.pulumi("refresh", "--yes", "--skip-preview", "--diff");
      await show.pulumi("preview", "--diff");
      show.forgetRequests();
      await show.pulumi("up", "--yes", "--skip-preview");
      show.expectRequests([/^PATCH \/ip_policies\/ipp_/]);
      show.expect(policy().description === before, `the policy's description is "${before}" again`);
      await noChanges(show);
    },
  },
  {
    title: "A wrong program",
    text: "Shows all errors of the program at once, before anything is sent.",
    async run(show) {
      await show.config("mistakes", "true");
      const output = await show.rejected("preview");
      for (const mistake of expectedMistakes)
        show.expect(output.includes(mistake), `the preview names ${mistake}`);
      show.expectRequests([]);
      await show.removeConfig("mistakes");
    },
  },
  {
    title: "Destroy",
    text: "Deletes everything: the account is as empty as before.",
    async run(show, emulator) {
      await show.pulumi("destroy", "--yes", "--skip-preview");
      const left = Object.entries(emulator.snapshot()).filter(([, objects]) => objects.length > 0);
      show.expect(
        left.length === 0,
        `the account is empty${left.map(([name]) => `, but for ${name}`).join("")}`,
      );
    },
  },
];

async function noChanges(show) {
  show.forgetRequests();
  await show.quietly("preview", "--expect-no-changes");
  show.expect(show.requests().length === 0, "another preview shows no change and sends nothing");
}
