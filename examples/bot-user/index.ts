/**
 * A bot user for a cluster. Its key configures a second provider, so that the bot user owns what the program creates
 * there, and not the person who deploys. When you delete the bot user, its access ends.
 */
import * as pulumi from "@pulumi/pulumi";
import { ApiKey, BotUser, Provider, SshCredential } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

const bot = new BotUser("cluster", { name: "cluster" });
const key = new ApiKey("cluster", { ownerId: bot.id, description: "the cluster's own key" });

// An explicit provider does not read the stack's configuration. Without a base URL it uses that of the environment.
const asBot = new Provider("cluster", {
  apiKey: key.token, // the service returns it once, when the key is created
  baseUrl: new pulumi.Config("tunnel-gateway").get("baseUrl"),
});

// The bot user cannot set another owner. Without ownerId it is the owner itself.
const tunnels = new SshCredential(
  "tunnels",
  { publicKey: config.require("publicKey"), acl: ["bind:*.cluster.example.com"] },
  { provider: asBot },
);

export const botId = bot.id;
export const ownerId = tunnels.ownerId;
export const token = key.token; // a secret, for the cluster
