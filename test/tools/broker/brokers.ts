/** Brokers of a test file before one emulator, with a log, and the package's own client that sends through them. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { connectionOver } from "../../../src/provider/life-cycle/connection";
import { Http } from "../../../src/provider/http/http";
import { realTiming } from "../../../src/provider/http/timing";
import { LifeCycle } from "../../../src/provider/life-cycle/life-cycle";
import { brokerVariable } from "../../../src/provider/settings/broker-settings";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { configKey, environmentNames } from "../../../src/provider/settings/settings";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import type { Approval } from "../../../src/tools/approval/approval";
import { approvalOf } from "../../../src/tools/approval/approve";
import { WriteLog } from "../../../src/tools/approval/write-log";
import { Broker } from "../../../src/tools/broker/broker";
import { accountsWith } from "../../../src/tools/broker/keys";
import { ApprovedPermits, everyWrite } from "../../../src/tools/broker/permits";
import type { Permits, WrittenAccounts } from "../../../src/tools/broker/permits";
import { rehearse } from "../../../src/tools/rehearsal/rehearse";
import { emulatorForTests } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";
import { withoutPauses } from "../../support/hasty";
import { readPreview } from "../../support/recorded";
import { writtenPreview } from "../review/support";
import type { Written } from "../review/support";

/** An account that shows nothing. */
export const noAccount: WrittenAccounts = {
  read: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  send: () => Promise.reject(new Error("nothing is sent again")),
  found: () => undefined,
};

export function brokersForTests() {
  const emulator = emulatorForTests();
  const logFile = join(temporaryFolder("broker"), "approval.log");
  const brokers: Broker[] = [];
  const log = new WriteLog(logFile, "the seal of this run");
  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((each) => each.close()));
    rmSync(logFile, { force: true });
  });

  /** The approval of a new program, by its rehearsal. */
  const approvalFor = async (...resources: Written[]): Promise<Approval> => {
    const preview = readPreview(writtenPreview(resources));
    const plan = preview.plan;
    const made = approvalOf(preview, plan, await rehearse(plan));
    return { ...made, baseUrls: [emulator.baseUrl] };
  };

  const brokerWith = async (permits: Permits): Promise<Broker> => {
    if (permits === everyWrite) log.begin({ reason: "a test" });
    const accounts = accountsWith([emulator.baseUrl], { default: emulator.apiKey, own: new Map() });
    const broker = await Broker.start({ accounts, permits, log });
    brokers.push(broker);
    return broker;
  };

  const permitsOf = (approval: Approval): ApprovedPermits => {
    const permits = new ApprovedPermits(approval, emulator.baseUrl, log.sentOf(approval));
    log.begin({ approval });
    return permits;
  };

  /** The settings of a plugin that the broker's environment reaches. Whatever key the program has does not count. */
  const settingsThrough = ({ settings }: Broker) =>
    readSettings(
      { get: (key) => (key === configKey("apiKey") ? "the-key-of-the-program" : undefined) },
      { [brokerVariable]: JSON.stringify(settings), [environmentNames.baseUrl]: emulator.baseUrl },
    );

  /** The life cycle of a class, as a deployment uses it. */
  const lifeCycle = (broker: Broker, type: string): LifeCycle => {
    const timing = withoutPauses(realTiming);
    const http = new Http(settingsThrough(broker), { timing, report: () => undefined });
    return new LifeCycle(declarationOf(type), () => connectionOver(http), {
      ...{ now: () => Date.now(), diagnostics: { warn: () => undefined } },
    });
  };

  /** Creates an object as a deployment does. */
  const created = (broker: Broker, type: string, inputs: Json): Promise<{ id: string; outs: Json }> =>
    lifeCycle(broker, type).create(inputs);

  const deletedByHand = async (path: string): Promise<void> => {
    const headers = { authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" };
    const { status } = await fetch(emulator.baseUrl + path, { method: "DELETE", headers });
    expect(status).toBe(204);
  };

  return {
    ...{ emulator, logFile, log, approvalFor, brokerWith, permitsOf },
    ...{ settingsThrough, created, deletedByHand },
  };
}
