import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Driver } from "./driver.ts";
import { HEARTWOOD, heartwood } from "./scratch.ts";
import { stage, told } from "./stage.ts";
import { whyNotInstalled } from "./where.ts";

/** Installed and then missing: a package that was removed without uninstalling. */
export function describeBroken(driver: Driver): void {
  describe.skipIf(whyNotInstalled(driver.client) !== undefined)(`${driver.client}, with heartwood gone`, () => {
    const { there, run } = stage(driver);

    test("the client works as if heartwood had never been installed", async () => {
      const { scratch, model } = there();
      const copy = copyOfPackage(join(scratch.top, "copy"));
      heartwood(scratch, ["install", driver.client, "--yes"], join(copy, "dist", "bin.js"));
      await driver.trust?.(scratch);
      rmSync(copy, { recursive: true });
      model.play((asked) => (driver.isTurn(asked) ? { text: "Number three." } : undefined));
      const ran = await run({ prompt: "Which valve of the boiler was replaced?" });
      const [turn] = model.asked().filter(driver.isTurn);
      expect(turn?.text, told(ran, model)).toContain("Which valve of the boiler was replaced?");
      expect(ran.out).toContain("Number three.");
    });
  });
}

/** The parts of the package that an installation needs, in `folder`. */
export function copyOfPackage(folder: string): string {
  for (const part of ["dist", "skills", "plugins", "package.json"])
    cpSync(join(dirname(dirname(HEARTWOOD)), part), join(folder, part), { recursive: true });
  return folder;
}
