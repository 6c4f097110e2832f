import { testKilledUp } from "../../engine/killed-up";

testKilledUp("native");
