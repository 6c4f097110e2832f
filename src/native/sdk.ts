/**
 * The libraries of Pulumi's protocol, as Pulumi's SDK finds them. A second copy in a project would not know the messages and
 * credentials of the first one, and some package managers show this package no copy at all.
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as AnyModule from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyModule from "google-protobuf/google/protobuf/empty_pb";
import type * as StructModule from "google-protobuf/google/protobuf/struct_pb";

const requireOfSdk = createRequire(require.resolve("@pulumi/pulumi"));

export const grpc = requireOfSdk("@grpc/grpc-js") as typeof Grpc;
export const { Any } = requireOfSdk("google-protobuf/google/protobuf/any_pb") as typeof AnyModule;
export const { Empty } = requireOfSdk("google-protobuf/google/protobuf/empty_pb") as typeof EmptyModule;
export const { Struct } = requireOfSdk("google-protobuf/google/protobuf/struct_pb") as typeof StructModule;
