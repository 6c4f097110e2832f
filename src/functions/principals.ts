/** Principals and credentials: what the account holds of them. */
import { apiKey } from "../resources/api-key";
import type { ApiKey } from "../resources/api-key";
import { botUser } from "../resources/bot-user";
import type { BotUser } from "../resources/bot-user";
import { sshCredential } from "../resources/ssh-credential";
import type { SshCredential } from "../resources/ssh-credential";
import { functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const apiKeys = functionsOf<ResultOf<ApiKey>>(apiKey);
/** An API key by its id, or the only one that a filter means. Specification: API key. */
export const getApiKey = apiKeys.get;
/** {@link getApiKey} with Outputs as arguments and as result. */
export const getApiKeyOutput = apiKeys.getOutput;
/** All API keys; their tokens are never shown again. Specification: API key. */
export const listApiKeys = apiKeys.list;
/** {@link listApiKeys} with Outputs as arguments and as result. */
export const listApiKeysOutput = apiKeys.listOutput;

export const sshCredentials = functionsOf<ResultOf<SshCredential>>(sshCredential);
/** An SSH credential by its id, or the only one that a filter means. Specification: SSH credential. */
export const getSshCredential = sshCredentials.get;
/** {@link getSshCredential} with Outputs as arguments and as result. */
export const getSshCredentialOutput = sshCredentials.getOutput;
/** All SSH credentials. Specification: SSH credential. */
export const listSshCredentials = sshCredentials.list;
/** {@link listSshCredentials} with Outputs as arguments and as result. */
export const listSshCredentialsOutput = sshCredentials.listOutput;

export const botUsers = functionsOf<ResultOf<BotUser>>(botUser);
/** A bot user by its id, or the only one that a filter means. Specification: Bot user. */
export const getBotUser = botUsers.get;
/** {@link getBotUser} with Outputs as arguments and as result. */
export const getBotUserOutput = botUsers.getOutput;
/** All bot users. Specification: Bot user. */
export const listBotUsers = botUsers.list;
/** {@link listBotUsers} with Outputs as arguments and as result. */
export const listBotUsersOutput = botUsers.listOutput;
