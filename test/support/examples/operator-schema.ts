/**
 * The fields of the Pulumi Kubernetes Operator that the example fleet uses, written from the operator's API reference for
 * pulumi.com/v1 and the one of Kubernetes. A field that is not here, such as a misspelt one, is an error.
 */
import { z } from "zod";

/** A name that Kubernetes accepts for any object: RFC 1123. */
const name = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);

const metadata = z.strictObject({
  name,
  namespace: name.optional(),
  labels: z
    .record(
      z.string().regex(/^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/),
      z.string().regex(/^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/),
    )
    .optional(),
});

/** A reference to a value of a Secret. The others (Env, FS, Literal) are not used. */
const secretReference = z.strictObject({
  type: z.literal("Secret"),
  secret: z.strictObject({ name, key: z.string().regex(/^[-._a-zA-Z0-9]+$/) }),
});

const stack = z.strictObject({
  apiVersion: z.literal("pulumi.com/v1"),
  kind: z.literal("Stack"),
  metadata,
  spec: z
    .strictObject({
      stack: z.string().min(1),
      serviceAccountName: name.optional(),
      backend: z.string().optional(),
      projectRepo: z.url(),
      branch: z.string().optional(),
      commit: z
        .string()
        .regex(/^[0-9a-f]{40}$/)
        .optional(),
      repoDir: z.string().optional(),
      shallow: z.boolean().optional(),
      // Values may be structured.
      config: z.record(z.string().regex(/^[\w.-]+:[\w.-]+$/), z.json()).optional(),
      envRefs: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), secretReference).optional(),
      prerequisites: z.array(z.strictObject({ name })).optional(),
      destroyOnFinalize: z.boolean().optional(),
      workspaceReclaimPolicy: z.enum(["Retain", "Delete"]).optional(),
      workspaceTemplate: z.strictObject({ spec: z.strictObject({ image: z.string().min(1) }) }).optional(),
    })
    .refine(
      ({ branch, commit }) => (branch === undefined) !== (commit === undefined),
      "either branch or commit",
    ),
});

const serviceAccount = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ServiceAccount"),
  metadata,
});

const clusterRoleBinding = z.strictObject({
  apiVersion: z.literal("rbac.authorization.k8s.io/v1"),
  kind: z.literal("ClusterRoleBinding"),
  metadata: metadata.omit({ namespace: true }),
  roleRef: z.strictObject({
    apiGroup: z.literal("rbac.authorization.k8s.io"),
    kind: z.literal("ClusterRole"),
    name: z.string(),
  }),
  subjects: z.array(z.strictObject({ kind: z.literal("ServiceAccount"), name, namespace: name })).min(1),
});

export const manifest = z.discriminatedUnion("kind", [stack, serviceAccount, clusterRoleBinding]);
export type StackManifest = z.infer<typeof stack>;
