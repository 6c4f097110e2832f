import * as assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import * as pulumi from "@pulumi/pulumi";
import { IpPolicyRuleSet, TcpEdge } from "pulumi-tunnel-gateway";
import { mocks } from "pulumi-tunnel-gateway/testing";
import { database } from "./database";

const gateway = mocks();

beforeEach(() => pulumi.runtime.setMocks(gateway));

void it("lets in the ranges of the list and nobody else", async () => {
  await gateway.run(() => database("1.tcp.example.com:5432", ["203.0.113.0/24"]));

  const [rules] = gateway.of(IpPolicyRuleSet);
  assert.deepEqual(rules?.inputs.rules, { "203.0.113.0/24": "allow" });
  const [edge] = gateway.of(TcpEdge);
  assert.deepEqual(edge?.inputs.ipRestriction, { ipPolicyIds: [rules.inputs.ipPolicyId] });
});
