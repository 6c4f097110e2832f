import { z } from "zod";
import { BOT_USERS } from "../paths";
import { flag, nonEmpty } from "../wire";
import { collection } from "./collection";

export const botUsers = collection({
  path: BOT_USERS,
  prefix: "bot_",
  listKey: "bot_users",
  noun: "bot user",
  undescribed: true,
  create: z.strictObject({ name: nonEmpty, active: flag.optional() }),
  update: z.strictObject({ name: nonEmpty.optional(), active: flag.optional() }),
  refusesEmptyUpdate: true,
  build: ({ name, active }) => ({ name, active: active ?? true }),
  answer: ({ name, active }) => ({ name, active }),
  unique: ({ name }) => ({ name }),
});
