import { cases } from "../support/cases";
import { testWorlds } from "./worlds";

testWorlds(1, 1, cases(30, 150));
