import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryError } from "../base/errors.ts";

/** A temporary project folder. */
export interface SampleFolder {
  readonly dir: string;
  remove(): Promise<void>;
}

/** Copies a folder of sample logs into a new temporary folder, as its `memory/`. */
export async function copySamples(source: string): Promise<SampleFolder> {
  if (!existsSync(source)) {
    throw new MemoryError(
      "io",
      `The sample logs are not at ${source}, where the package ships them; install heartwood again.`,
    );
  }
  const dir = await mkdtemp(join(tmpdir(), "heartwood-demo-"));
  await cp(source, join(dir, "memory"), { recursive: true });
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
