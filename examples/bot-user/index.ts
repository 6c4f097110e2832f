/**
 * A bot user for a cluster. Its key configures a second provider, so that what the program makes there belongs to the
 * bot user and not to whoever deploys: when the bot user goes, so does its access.
 */
import * as pulumi from "@pulumi/pulumi";
import { ApiKey, BotUser, Provider, SshCredential } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

const bot = new BotUser("cluster", { name: "cluster" });
const key = new ApiKey("cluster", { ownerId: bot.id, description: "the cluster's own key" });

// An explicit provider does not read the stack's configuration. Left out, the base URL is the environment's.
const asBot = new Provider("cluster", {
  apiKey: key.token.apply((token) => token!), // the service shows it once, to the stack that made the key
  baseUrl: new pulumi.Config("tunnel-gateway").get("baseUrl"),
});

// The bot user may name no other owner than itself, and need not name itself.
const tunnels = new SshCredential(
  "tunnels",
  { publicKey: config.require("publicKey"), acl: ["bind:*.cluster.example.com"] },
  { provider: asBot },
);

export const botId = bot.id;
export const ownerId = tunnels.ownerId;
export const token = key.token; // a secret, for the cluster
