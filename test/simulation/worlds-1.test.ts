import { testWorlds } from "./worlds";

testWorlds(1, 1, 500);
