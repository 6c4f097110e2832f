/** The example fleet: one list of accounts in its files, and objects that the Pulumi Kubernetes Operator accepts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { textOf } from "../support/examples/example";
import { paths, workflow } from "../support/examples/workflow";
import { root } from "./blocks";

const accounts = readdirSync(join(root, "examples/fleet")).flatMap(
  (name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? [],
);

it("has the same accounts in the matrices of the workflow as it has configurations", () => {
  const { preview, canary, others } = workflow(paths.fleet).jobs;
  const of = (job: typeof preview) => job!.strategy!.matrix.account!;
  expect([...of(preview)].sort()).toEqual(accounts.sort());
  expect([...of(canary), ...of(others)]).toEqual(of(preview));
});

/** A name that Kubernetes accepts for any object: RFC 1123. */
const name = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const secret = z.strictObject({ name, key: z.string().regex(/^[-._a-zA-Z0-9]+$/) });

/**
 * The fields of a Stack that the example uses, as deploy/crds/pulumi.com_stacks.yaml of version 2.9.0 of
 * github.com/pulumi/pulumi-kubernetes-operator defines them. No registry of packages has this file. A field that is not here,
 * such as a misspelt one, is an error: the cluster would drop it.
 */
const stack = z.strictObject({
  apiVersion: z.literal("pulumi.com/v1"),
  kind: z.literal("Stack"),
  metadata: z.strictObject({ name, namespace: name }),
  spec: z.strictObject({
    stack: z.string().min(1),
    serviceAccountName: name,
    backend: z.string(),
    projectRepo: z.url(),
    // The operator takes either a branch or a commit.
    commit: z.string().regex(/^[0-9a-f]{40}$/),
    repoDir: z.string(),
    shallow: z.boolean(),
    envRefs: z.record(
      z.string().regex(/^[A-Z_][A-Z0-9_]*$/),
      z.strictObject({ type: z.literal("Secret"), secret }),
    ),
    prerequisites: z.array(z.strictObject({ name })).optional(),
    destroyOnFinalize: z.boolean(),
    workspaceReclaimPolicy: z.enum(["Retain", "Delete"]),
    workspaceTemplate: z.strictObject({ spec: z.strictObject({ image: z.string().min(1) }) }),
  }),
});

const [account, binding, ...stacks] = parseAllDocuments(textOf("fleet/operator.yaml")).map(
  (document) => document.toJS() as unknown,
);

it("has stacks that the operator accepts, each with the key of its own account", () => {
  const [first, ...rest] = stacks.map((each) => stack.parse(each));
  const { name: project } = parse(textOf("fleet/Pulumi.yaml")) as { name: string };
  for (const { metadata, spec } of [first!, ...rest]) {
    expect(accounts).toContain(metadata.name);
    expect(spec.stack).toBe(`organization/${project}/${metadata.name}`);
    expect(spec.envRefs.TUNNEL_GATEWAY_API_KEY!.secret.name).toBe(`tunnel-gateway-${metadata.name}`);
    // Of two versions at once, a later ring could be the first to have the new one.
    expect(spec.commit).toBe(first!.spec.commit);
    expect(spec.destroyOnFinalize).toBe(false);
  }
  expect(first!.spec.prerequisites).toBeUndefined();
  expect(rest.map(({ spec }) => spec.prerequisites)).toEqual([[{ name: first!.metadata.name }]]);
});

it("lets the workspaces run as an account that may check the operator's requests", () => {
  const subject = { kind: "ServiceAccount", name: "fleet", namespace: "fleet" };
  const { kind, ...metadata } = subject;
  expect(account).toEqual({ apiVersion: "v1", kind, metadata });
  expect(binding).toEqual({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "fleet-auth-delegator" },
    roleRef: {
      apiGroup: "rbac.authorization.k8s.io",
      kind: "ClusterRole",
      name: "system:auth-delegator",
    },
    subjects: [subject],
  });
  for (const each of stacks) expect(each).toMatchObject({ spec: { serviceAccountName: subject.name } });
});

it.each([
  ["a misspelt field", { prerequisite: [] }],
  ["a branch beside the commit", { branch: "main" }],
  ["a reference without a secret", { envRefs: { KEY: { type: "Secret" } } }],
  ["an abbreviated commit", { commit: "0000000" }],
])("notices %s", (_, change) => {
  const valid = stack.parse(stacks[0]);
  expect(stack.safeParse({ ...valid, spec: { ...valid.spec, ...change } }).success).toBe(false);
});
