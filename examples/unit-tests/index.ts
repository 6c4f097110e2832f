import * as pulumi from "@pulumi/pulumi";
import { cluster, database, reports } from "./shop";

const config = new pulumi.Config();

export const databaseId = database(config.require("office"), config.require("guests")).edge.id;
export const reportsId = reports().id;
export const { token } = cluster("endpoint.metadata.name == 'shop'").key;
