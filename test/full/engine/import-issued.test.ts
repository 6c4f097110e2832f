import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { makeCertificate } from "../../support/x509";
import { startImport } from "../../engine/import-process";
import { resources } from "../../engine/support";

/** A certificate as the service issues it, and as it renews it under the same id. */
function issued(id: string): object {
  const { pem, privateKeyPem } = makeCertificate({ subject: "www.example.com" });
  return {
    id,
    issued_at: "2026-01-01T00:00:00Z",
    certificate_pem: pem,
    private_key_pem: privateKeyPem,
  };
}

describe("an imported certificate that the service issued", () => {
  const emulator = EmulatorProcess.forTests();

  it("is renewed by the service without drift", async () => {
    await emulator.seed({ tls_certificates: [issued("cert_1")] });
    const program = new Program({ name: "issued", files: {} });
    const stack = await program.stack({
      config: emulator.config,
      env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    const { exitCode, output } = await startImport(program, stack, { args: ["--only", "TlsCertificate"] })
      .done;
    if (exitCode !== 0) throw new Error(output);
    const text = readFileSync(join(program.dir, "certificates.ts"), "utf8");
    expect(text).toContain("The service issued it and renews it");
    const before = Object.values(resources(stack))[0]!.outputs!;

    await emulator.api("DELETE", "/tls_certificates/cert_1");
    await emulator.seed({ tls_certificates: [issued("cert_1")] });
    await stack.refresh();
    const after = Object.values(resources(stack))[0]!.outputs!;
    expect(after.certificatePem).not.toBe(before.certificatePem);
    await stack.previewNoChanges();
  }, 300_000);
});
