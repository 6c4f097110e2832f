import { rareWorlds } from "../fixtures/previews/scenarios";
import { reviewWorlds } from "../engine/recorded-previews";

reviewWorlds(rareWorlds);
