/**
 * Deploys stacks from a program, such as a portal where teams request access: `node index.ts up sales` creates or updates
 * the stack `sales`, and `node index.ts destroy sales` destroys it.
 */
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";

const [command = "", stackName = ""] = process.argv.slice(2);
if (!["preview", "up", "destroy"].includes(command) || stackName === "") {
  throw new Error("usage: node index.ts preview|up|destroy <stack>");
}

const program = () => {
  const team = new IpPolicy("team", { description: `the networks of ${stackName}` });
  new IpPolicyRule("office", { ipPolicyId: team.id, cidr: "203.0.113.0/24", action: "allow" });
  return Promise.resolve({ policyId: team.id });
};

const stack = await LocalWorkspace.createOrSelectStack(
  { projectName: "tunnel-gateway-automation-api", stackName, program },
  // Without it the workspace is an empty folder, where Pulumi's plugin does not find pulumi-tunnel-gateway.
  { workDir: import.meta.dirname },
);
await stack.setAllConfig({
  "tunnel-gateway:baseUrl": { value: variable("TUNNEL_GATEWAY_BASE_URL") },
  "tunnel-gateway:apiKey": { value: variable("TUNNEL_GATEWAY_API_KEY"), secret: true },
});

if (command === "preview") {
  const { changeSummary } = await stack.preview();
  console.log(JSON.stringify(changeSummary));
} else if (command === "up") {
  const { outputs } = await stack.up();
  console.log(`policy ${String(outputs.policyId?.value)}`);
} else {
  await stack.destroy();
  await stack.workspace.removeStack(stackName);
  console.log(`stack ${stackName} is gone`);
}

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set the environment variable ${name}`);
  return value;
}
