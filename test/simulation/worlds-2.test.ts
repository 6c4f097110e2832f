import { testWorlds } from "./worlds";

testWorlds(1, 501, 500);
