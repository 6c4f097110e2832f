import { testKilledUp } from "../../engine/killed-up";

testKilledUp("dynamic", "the CLI and its plugin");
testKilledUp("native", "the plugin");
