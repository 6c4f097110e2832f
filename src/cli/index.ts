#!/usr/bin/env node
import { Command } from "commander";
import { version } from "../version";
import { emulatorCommand } from "./emulator";

const program = new Command("tunnel-gateway")
  .description("Tools beside the Pulumi resources of pulumi-tunnel-gateway")
  .version(version)
  .showHelpAfterError("(add --help for what is allowed)")
  .addCommand(emulatorCommand());

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
