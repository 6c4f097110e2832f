/** The dynamic door on the real engine; test/full/native has the native one. */
import { testFirstRound } from "./first-round";

testFirstRound("dynamic");
