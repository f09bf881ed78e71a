import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientProgram } from "./clients.ts";
import { writeJson, writeText } from "./driver.ts";
import { claudeCode } from "./drivers/claude-code.ts";
import { HEARTWOOD, heartwood, LOGGED, runClient } from "./scratch.ts";
import type { Ran, Scratch } from "./scratch.ts";
import { captured, timesIn } from "./seen.ts";
import { stage, told } from "./stage.ts";
import { inTurn } from "./stub-model.ts";
import { whyNotInstalled } from "./where.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PLUGIN = join(ROOT, "plugins", "claude-code");
const TOOL = "mcp__plugin_heartwood_heartwood__memory_recall";
const SAID = "The lamp over workbench six came from the firm Goldammer in May.";

describe.skipIf(whyNotInstalled("claude-code") !== undefined)("claude-code, with the plugin", () => {
  const { there, run } = stage(claudeCode);
  const turns = () => there().model.asked().filter(claudeCode.isTurn);
  const prompt = (words: string, plugin: "for this session" | "as it is installed" = "for this session") => {
    const named = plugin === "for this session" ? ["--plugin-dir", PLUGIN] : [];
    const more = { words: named, env: { PATH: pathWithHeartwood(there().scratch) } };
    return run({ prompt: words, more });
  };

  test("its manifest and the marketplace are valid", async () => {
    for (const folder of [PLUGIN, ROOT]) {
      const ran = await claude(there().scratch, ["plugin", "validate", folder]);
      expect(ran.out).toContain("Validation passed");
    }
  });

  test("loaded for one session, it injects the memory once and provides its skills and tools", async () => {
    const { scratch, model } = there();
    // A plugin cannot grant permissions; the user does.
    writeJson(join(scratch.home, ".claude", "settings.json"), { permissions: { allow: [TOOL] } });
    const call = { tool: TOOL, input: { text: "What is the pump in hall four called?" } };
    model.play(inTurn(claudeCode.isTurn, [{ call }, { text: "I looked it up." }]));
    const ran = await prompt(SAID);
    expect(timesIn(turns()[0], scratch.rootLine), told(ran, model)).toBe(1);
    for (const skill of ["core", "compaction", "recall", "flush"])
      expect(turns()[0]?.text).toContain(`heartwood:heartwood-${skill}`);
    expect(turns()[0]?.tools, told(ran, model)).toContain(TOOL);
    expect(turns()[1]?.results.at(-1), told(ran, model)).toContain(LOGGED);
    await captured(scratch, claudeCode, [SAID, "I looked it up."]);
  });

  test("together with an installation, the memory is still injected once", async () => {
    const { scratch, model } = there();
    heartwood(scratch, ["install", "claude-code", "--yes"]);
    model.play(() => undefined);
    const ran = await prompt("What was the report on the phone read without?");
    expect(timesIn(turns()[0], scratch.rootLine), told(ran, model)).toBe(1);
    // Memories relevant to the prompt, too: the text at the start does not have this one.
    expect(timesIn(turns()[0], "without moving a thumb"), told(ran, model)).toBe(1);
  });

  test("the note of the first hook prevents injecting it twice", async () => {
    const { scratch, model } = there();
    heartwood(scratch, ["install", "claude-code", "--yes"]);
    const notes = join(scratch.home, ".cache", "heartwood", "injected");
    rmSync(notes, { recursive: true, force: true });
    writeText(notes, "no folder");
    model.play(() => undefined);
    const ran = await prompt("Which firm did the lamp over workbench six come from?");
    expect(timesIn(turns()[0], scratch.rootLine), told(ran, model)).toBe(2);
    rmSync(notes);
  });

  test("installed permanently from its marketplace, it injects the memory; once removed, it does not", async () => {
    const { scratch, model } = there();
    heartwood(scratch, ["uninstall", "claude-code", "--yes"]);
    await claude(scratch, ["plugin", "marketplace", "add", ROOT]);
    await claude(scratch, ["plugin", "install", "heartwood@heartwood"]);
    model.play(() => undefined);
    const ran = await prompt("And who hung it?", "as it is installed");
    expect(timesIn(turns()[0], scratch.rootLine), told(ran, model)).toBe(1);
    await claude(scratch, ["plugin", "uninstall", "heartwood@heartwood"]);
    model.play(() => undefined);
    const without = await prompt("And who hung it?", "as it is installed");
    expect(timesIn(turns()[0], scratch.rootLine), told(without, model)).toBe(0);
  });
});

async function claude(scratch: Scratch, words: readonly string[]): Promise<Ran> {
  const ran = await runClient(scratch, [clientProgram("claude-code") ?? "", ...words], { DISABLE_AUTOUPDATER: "1" });
  expect(ran.status, `${ran.out}${ran.err}`).toBe(0);
  return ran;
}

/** The plugin calls the `heartwood` on the PATH. */
function pathWithHeartwood(scratch: Scratch): string {
  const folder = join(scratch.top, "bin");
  const program = join(folder, "heartwood");
  mkdirSync(folder, { recursive: true });
  writeText(program, `#!/bin/sh\nexec '${process.execPath}' '${HEARTWOOD}' "$@"\n`);
  chmodSync(program, 0o755);
  return [folder, scratch.env["PATH"]].join(delimiter);
}
