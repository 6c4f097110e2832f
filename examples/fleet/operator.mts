/**
 * Prints the manifests of the Pulumi Kubernetes Operator for all accounts:
 * node operator.mts --repository <URL> --commit <SHA> [options] | kubectl apply -f -
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { readAccounts, rings } from "./fleet/accounts.mts";
import type { Account } from "./fleet/accounts.mts";
import { runMain } from "./fleet/errors.mts";
import { configOf, projectOf } from "./fleet/settings.mts";

const usage = `node operator.mts --repository <URL> --commit <SHA> [options]
  --folder <path>         where this folder is in the repository; default .
  --namespace <name>      the namespace of all objects; default fleet
  --backend <URL>         the backend of the states; default Pulumi Cloud
  --organization <name>   the organization of the stacks; default organization, the only one of other backends
  --image <image>         the image of the workspaces; default ${defaultImage()}
The key of the account europe-1 is read from apiKey of the secret tunnel-gateway-europe-1, and what the backend needs from
PULUMI_ACCESS_TOKEN, or for other backends PULUMI_CONFIG_PASSPHRASE, of the secret pulumi.`;

const folder = import.meta.dirname;
const options = optionsOf(process.argv.slice(2));
await runMain(main);

function main(): number {
  if (options === undefined) {
    console.error(usage);
    return 2;
  }
  const accounts = readAccounts(join(folder, "accounts.yaml"));
  const project = projectOf(folder);
  const manifests = [...identity(), ...accounts.map((account) => stackOf(account, accounts, project))];
  console.log(manifests.map((manifest) => stringify(manifest)).join("---\n"));
  return 0;
}

/** What the workspaces run as, and what lets them check the operator's requests. */
function identity(): object[] {
  const { namespace } = options!;
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "fleet", namespace } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: `${namespace}-fleet-auth-delegator` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:auth-delegator" },
      subjects: [{ kind: "ServiceAccount", name: "fleet", namespace }],
    },
  ];
}

function stackOf(account: Account, accounts: readonly Account[], project: string): object {
  const { repository, commit, folder: repoDir, namespace, backend, organization, image } = options!;
  const secret = (name: string, key: string) => ({ type: "Secret", secret: { name, key } });
  const variable = backend === undefined ? "PULUMI_ACCESS_TOKEN" : "PULUMI_CONFIG_PASSPHRASE";
  return {
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: { name: account.name, namespace, labels: { "tunnel-gateway/ring": account.ring } },
    spec: {
      serviceAccountName: "fleet",
      stack: `${organization}/${project}/${account.name}`,
      ...(backend === undefined ? {} : { backend }),
      projectRepo: repository,
      // A commit and no branch: a stack begins when all stacks of the ring before have succeeded with their present
      // specification, and the commit is the part of it that a new version changes.
      commit,
      repoDir,
      shallow: true,
      config: configOf(account, project),
      envRefs: {
        TUNNEL_GATEWAY_API_KEY: secret(`tunnel-gateway-${account.name}`, "apiKey"),
        [variable]: secret("pulumi", variable),
      },
      prerequisites: ringBefore(account, accounts).map(({ name }) => ({ name })),
      // An entry that is removed from accounts.yaml by mistake must not destroy what its account has.
      destroyOnFinalize: false,
      // A workspace is a pod. It is needed only while there is something to do.
      workspaceReclaimPolicy: "Delete",
      workspaceTemplate: { spec: { image } },
    },
  };
}

/** The accounts of the nearest ring before that has any. */
function ringBefore({ ring }: Account, accounts: readonly Account[]): readonly Account[] {
  const before = rings.slice(0, rings.indexOf(ring)).reverse();
  const members = before.map((each) => accounts.filter((account) => account.ring === each));
  return members.find((each) => each.length > 0) ?? [];
}

function defaultImage(): string {
  return "pulumi/pulumi-nodejs:3.259.0-nonroot";
}

function optionsOf(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        repository: { type: "string" },
        commit: { type: "string" },
        folder: { type: "string", default: "." },
        namespace: { type: "string", default: "fleet" },
        backend: { type: "string" },
        organization: { type: "string", default: "organization" },
        image: { type: "string", default: defaultImage() },
      },
    });
    const { repository, commit } = values;
    if (repository === undefined || commit === undefined || !/^[0-9a-f]{40}$/.test(commit)) return undefined;
    return { ...values, repository, commit };
  } catch {
    return undefined;
  }
}
