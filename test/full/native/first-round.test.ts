/** The native door on the real engine; test/engine/rounds has the dynamic one. */
import { testFirstRound } from "../../engine/rounds/first-round";

testFirstRound("native");
