import * as pulumi from "@pulumi/pulumi";
import { database } from "./database";

const config = new pulumi.Config();

export const edgeId = database(config.require("hostport"), [config.require("office")]).id;
