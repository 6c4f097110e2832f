import { cases } from "../support/cases";
import { testWorlds } from "./worlds";

// Both commands together take 120 worlds.
testWorlds(1, cases(151, 181), cases(30, 90));
