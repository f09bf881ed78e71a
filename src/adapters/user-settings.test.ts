import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readUserSettings } from "./user-settings.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "heartwood-settings-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function write(text: string, folder = join(home, "heartwood")): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), text);
}

test("without a file the defaults hold", async () => {
  expect(await readUserSettings()).toEqual({ qmd: "off" });
});

test("is read below XDG_CONFIG_HOME, else below ~/.config; other keys are passed over", async () => {
  write('\uFEFF{"qmd": "update", "other": 1}');
  expect(await readUserSettings()).toEqual({ qmd: "update" });
  vi.stubEnv("XDG_CONFIG_HOME", "relative");
  vi.stubEnv("HOME", home);
  write('{"qmd": "update-and-embed"}', join(home, ".config/heartwood"));
  expect(await readUserSettings()).toEqual({ qmd: "update-and-embed" });
});

test.each(["{", "[]", "null", '{"qmd": true}', '{"qmd": "on"}'])(
  "%s is `invalid_config` and names the file",
  async (text) => {
    write(text);
    const named = expect.objectContaining({
      code: "invalid_config",
      message: expect.stringContaining(join(home, "heartwood/config.json")),
    });
    await expect(readUserSettings()).rejects.toThrow(named);
  },
);
