import { accountObject } from "../../../src/inventory/account";
import { planFor } from "../../../src/import/plan";
import { newStatement } from "../../../src/import/statement";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/settings";
import { makeCertificate } from "../../support/x509";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;

describe("the statement of a TLS certificate", () => {
  const { pem } = makeCertificate();
  const textFor = (issued_at: string | null): string => {
    const answer = { id: "cert_1", uri: "u", certificate_pem: pem, issued_at };
    const object = accountObject(declarationOf("TlsCertificate"), "cert_1", answer);
    const [resource] = planFor([object], { settings, now: Date.now() }).resources;
    return newStatement(resource!, { protect: true, refer: () => undefined }).text;
  };

  it("says that the service issued it, and ignores its renewals", () => {
    const text = textFor("2026-01-01T00:00:00Z");
    expect(text).toContain(
      "// The service issued it and renews it: changes of certificatePem are ignored.\n",
    );
    expect(text).toContain('{ protect: true, ignoreChanges: ["certificatePem"] },');
  });

  it("manages the certificate where a user uploaded it", () => {
    expect(textFor(null)).not.toMatch(/ignoreChanges|issued/);
  });
});
