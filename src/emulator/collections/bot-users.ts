import { z } from "zod";
import { BOT_USERS } from "../paths";
import { flag, nonEmpty } from "../http/validation";
import { collection } from "./collection";

export const botUsers = collection({
  path: BOT_USERS,
  prefix: "bot_",
  listKey: "bot_users",
  noun: "bot user",
  withoutDescription: true,
  create: z.strictObject({ name: nonEmpty, active: flag.optional() }),
  update: z.strictObject({ name: nonEmpty.optional(), active: flag.optional() }),
  build: ({ name, active }) => ({ name, active: active ?? true }),
  response: ({ name, active }) => ({ name, active }),
  unique: ({ name }) => ({ name }),
});
