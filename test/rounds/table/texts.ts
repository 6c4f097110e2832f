/** description and metadata, which most classes have. */
import { drop, remove, replace, update } from "../subject";
import type { Change } from "../subject";

/** description and metadata, changed and then taken out of the program. */
export const described: readonly Change[] = [
  update("description", "another"),
  update("metadata", "another"),
  remove("description", { description: "" }),
  remove("metadata", { metadata: "" }),
];
export const texts = { description: "first", metadata: "first" };
export const driftedTexts = { description: "by hand", metadata: "by hand" };
export const describedByReplacement: readonly Change[] = [
  replace({ description: "another" }),
  replace({ metadata: "another" }),
  drop("description"),
  drop("metadata"),
];
