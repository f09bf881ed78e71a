import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyOfPackage } from "./broken.ts";
import { codex } from "./drivers/codex.ts";
import { listedHooks, trustAtStart, trustHooks } from "./drivers/codex-trust.ts";
import { heartwood } from "./scratch.ts";
import { timesIn } from "./seen.ts";
import { stage, told } from "./stage.ts";
import { whyNotInstalled } from "./where.ts";

describe.skipIf(whyNotInstalled("codex") !== undefined)("codex, with its trust in hooks", () => {
  const { there, run } = stage(codex);
  const given = async (prompt: string) => {
    const { scratch, model } = there();
    model.play(() => undefined);
    const ran = await run({ prompt });
    const [turn] = model.asked().filter(codex.isTurn);
    expect(turn?.text, told(ran, model)).toContain(prompt);
    return timesIn(turn, scratch.rootLine);
  };
  const settings = () => readFileSync(join(there().scratch.home, ".codex", "config.toml"), "utf8");
  const trust = async () => {
    const hooks = await listedHooks(there().scratch);
    return hooks.filter(({ command }) => command.includes("heartwood")).map(({ trustStatus }) => trustStatus);
  };
  let before = "";

  test("installing says what to do, and no hook runs until it is done", async () => {
    before = settings();
    const said = heartwood(there().scratch, ["install", "codex", "--yes"]);
    expect(said).toContain("trust heartwood's when it asks, or type /hooks");
    expect(await trust()).toEqual(Array.from({ length: 5 }, () => "untrusted"));
    expect(await given("Is the boiler known?")).toBe(0);
  });

  test("trusted hooks run", async () => {
    if (hasTerminal()) await trustAtStart(there().scratch);
    else {
      process.stderr.write(
        "! SKIPPED, codex: no `script` to answer it in a terminal; it was told through its app server.\n",
      );
      await trustHooks(there().scratch);
    }
    expect(await trust()).toEqual(Array.from({ length: 5 }, () => "trusted"));
    expect(await given("Is the boiler known now?")).toBe(1);
  });

  test("they stay trusted if heartwood is installed again from another place", async () => {
    const { scratch } = there();
    const moved = copyOfPackage(join(scratch.top, "moved"));
    const script = join(scratch.home, ".local", "state", "heartwood", "heartwood");
    expect(readFileSync(script, "utf8")).not.toContain(moved);
    heartwood(scratch, ["install", "codex", "--yes"], join(moved, "dist", "bin.js"));
    expect(readFileSync(script, "utf8")).toContain(moved);
    expect(await trust()).toEqual(Array.from({ length: 5 }, () => "trusted"));
    expect(await given("Is the boiler still known?")).toBe(1);
  });

  test("uninstalling removes the hooks; Codex keeps its own screen and trust settings", async () => {
    heartwood(there().scratch, ["uninstall", "codex", "--yes"]);
    expect(withoutOwn(settings())).toBe(before);
    expect(await given("Is the boiler forgotten?")).toBe(0);
  });
});

function hasTerminal(): boolean {
  return spawnSync("script", ["--version"]).status === 0;
}

/** Without Codex's own settings for its screen and its trust. */
function withoutOwn(settings: string): string {
  return settings.replaceAll(/\n\[(?:tui|hooks\.state)[^\n]*\n(?:[^\n[][^\n]*\n)*/gu, "");
}
