import { cases } from "../support/cases";
import { testWorlds } from "./worlds";

// Both commands together take the first 120 worlds.
testWorlds(1, cases(1, 31), cases(30, 90));
