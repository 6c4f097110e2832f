import { compareWorlds } from "./worlds";

compareWorlds(0, 2);
