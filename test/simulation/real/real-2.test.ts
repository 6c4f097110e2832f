import { compareWorlds } from "./worlds";

compareWorlds(1, 2);
