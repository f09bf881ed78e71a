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

test("without a file the defaults hold", () => {
  expect(readUserSettings()).toEqual({ qmd: "off" });
});

test("is read below XDG_CONFIG_HOME, else below ~/.config; other keys are passed over", () => {
  write('\uFEFF{"qmd": "update", "other": 1}');
  expect(readUserSettings()).toEqual({ qmd: "update" });
  vi.stubEnv("XDG_CONFIG_HOME", "relative");
  vi.stubEnv("HOME", home);
  write('{"qmd": "update-and-embed"}', join(home, ".config/heartwood"));
  expect(readUserSettings()).toEqual({ qmd: "update-and-embed" });
});

test.each(["{", "[]", "null", '{"qmd": true}', '{"qmd": "on"}'])(
  "%s is `invalid_config` and names the file",
  (text) => {
    write(text);
    const named = expect.objectContaining({
      code: "invalid_config",
      message: expect.stringContaining(join(home, "heartwood/config.json")),
    });
    expect(readUserSettings).toThrow(named);
  },
);
