import { cases } from "../support/cases";
import { testWorlds } from "./worlds";

testWorlds(1, 151, cases(30, 150));
