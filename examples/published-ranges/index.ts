import { IpAccessList, publishedRanges } from "pulumi-tunnel-gateway";

const builds = new IpAccessList("builds", {
  description: "the build machines of our CI provider",
  allow: publishedRanges("builds"),
});

export const policyId = builds.policyId;
