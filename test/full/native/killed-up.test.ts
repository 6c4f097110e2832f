import { testKilledUp } from "../../engine/killed-up";

testKilledUp("dynamic");
testKilledUp("native");
