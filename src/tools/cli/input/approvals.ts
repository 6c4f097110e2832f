/** The approvals that --approved names. */
import { readFile, stat } from "node:fs/promises";
import { GatewayError } from "../../../provider/errors";
import { readApprovals } from "../../approval/approval";
import type { Approval } from "../../approval/approval";
import { requireReadable } from "../files";

/** The maximum size of an approval, in bytes: a pull request may have written it. */
const mostBytes = 256 * 1024 * 1024;

export async function approvalsIn(file: string): Promise<Approval[]> {
  requireReadable("--approved", file);
  try {
    if ((await stat(file)).size > mostBytes) throw new GatewayError("it is too large to be an approval");
    return readApprovals(await readFile(file, "utf8"));
  } catch (error) {
    throw new GatewayError(`${file}: ${(error as Error).message}`);
  }
}
