import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../operations/table.ts";
import { optionOf, type CommandSpec } from "../../operations/command-line.ts";
import { localCommands } from "../../operations/local-commands.ts";
import { completionScript } from "./completion.ts";

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

describe.skipIf(!has("bash"))("in a real bash", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "heartwood-completion-"));
    writeFileSync(join(dir, "heartwood.bash"), completionScript("bash", commands));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  /** What Tab offers after these words, the last of which is only partly typed. */
  function offered(...words: readonly string[]): readonly string[] {
    const script =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heartwood; printf "%s\\n" "${COMPREPLY[@]}"';
    // Without SHLVL and with a socket as standard input, bash acts as a remote shell and reads its start-up file.
    const { stdout, stderr, status } = spawnSync(
      "bash",
      ["--norc", "-uc", script, "bash", "./heartwood.bash", "heartwood", ...words],
      { cwd: dir, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    return stdout.split("\n").filter((word) => word !== "");
  }

  test("offers the first words of all commands", () => {
    const firsts = new Set(commands.map(({ command }) => command[0] as string));
    expect(offered("")).toEqual(expect.arrayContaining([...firsts, "help"]));
    expect(offered("comp")).toEqual(["compact", "completion"]);
  });

  test("offers the second word of a two-word command", () => {
    expect(offered("log", "")).toEqual(["add", "promote", "edit", "remove", "undo"]);
  });

  test.each(commands.map((spec) => [spec.command.join(" "), spec] as const))(
    "offers the options of %s",
    (_name, spec) => {
      const options = spec.fields.filter(({ place }) => place !== "argument").map(optionOf);
      const found = offered(...spec.command, "--");
      expect(found).toEqual(expect.arrayContaining([...options, "--dir", "--json", "--help"]));
    },
  );

  test("offers the values of a choice, the shells and ROOT, but nothing for free text", () => {
    expect(offered("log", "add", "--type", "")).toEqual(["project", "feedback", "user", "reference"]);
    expect(offered("init", "--platform", "cl")).toEqual(["claude-code"]);
    expect(offered("completion", "f")).toEqual(["fish"]);
    expect(offered("show", "R")).toEqual(["ROOT"]);
    expect(offered("log", "add", "--topic", "")).toEqual([]);
  });

  test("does not take an option's value for the command", () => {
    expect(offered("-C", "log", "comp")).toEqual(["compact", "completion"]);
  });

  test("offers files where a file is expected, and options", () => {
    writeFileSync(join(dir, "some events.jsonl"), "");
    expect(offered("thread", "import", "some")).toEqual(["some events.jsonl"]);
    expect(offered("thread", "checkpoint", "t", "--summary-file", "some")).toEqual(["some events.jsonl"]);
    expect(offered("thread", "import", "--js")).toEqual(["--json"]);
    expect(offered("summaries", "submit", "daily-2026-03-15-9f2c1f3a", "--file", "some")).toEqual([
      "some events.jsonl",
    ]);
  });

  test("offers the values of a choice after an argument, and the commands of a group after help", () => {
    expect(offered("thread", "compile", "release-4", "--render", "")).toEqual([
      "json",
      "text",
      "openai",
      "anthropic",
      "parts",
    ]);
    expect(offered("help", "thread", "cr")).toEqual(["create"]);
    expect(offered("thread", "comp")).toEqual(["compact", "compile"]);
    expect(offered("summaries", "")).toEqual(["pending", "submit", "run", "ledger", "drop"]);
    expect(offered("summaries", "run", "--kind", "")).toEqual(["daily", "weekly", "monthly", "root", "thread"]);
  });

  test("offers the subcommands and own options of a command that has both", () => {
    expect(offered("audit", "")).toEqual(expect.arrayContaining(["undo", "history", "--apply", "--json"]));
    expect(offered("audit", "u")).toEqual(["undo"]);
    expect(offered("audit", "--apply", "--ag")).toEqual(["--aggressive"]);
    expect(offered("audit", "undo", "--")).not.toContain("--apply");
    expect(offered("help", "audit", "")).toEqual(["undo", "history"]);
    expect(offered("audit", "--fail-on", "")).toEqual(["low", "medium", "high"]);
  });

  test("offers folders for --workspace of audit, and nothing for that of thread create", () => {
    spawnSync("mkdir", ["workspace folder"], { cwd: dir });
    expect(offered("audit", "--workspace", "work")).toEqual(["workspace folder"]);
    expect(offered("audit", "undo", "--workspace", "work")).toEqual(["workspace folder"]);
    expect(offered("thread", "create", "--workspace", "work")).toEqual([]);
    expect(offered("status", "--work")).toEqual([]);
  });

  test("offers files after --markdown", () => {
    writeFileSync(join(dir, "a report.md"), "");
    expect(offered("audit", "--markdown", "a")).toContain("a report.md");
  });

  test("offers folders after --dir", () => {
    spawnSync("mkdir", ["a folder"], { cwd: dir });
    expect(offered("status", "--dir", "a")).toEqual(["a folder"]);
  });
});

test.skipIf(!has("zsh"))("zsh reads its script", () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], { input: completionScript("zsh", commands), encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

describe.skipIf(!has("fish"))("in a real fish", () => {
  test("offers commands, their second words and the values of a choice", () => {
    expect(offeredByFish("heartwood comp")).toEqual(["compact", "completion"]);
    expect(offeredByFish("heartwood log ")).toEqual(["add", "promote"]);
    expect(offeredByFish("heartwood log add --type ")).toEqual(["feedback", "project", "reference", "user"]);
    expect(offeredByFish("heartwood compact --dr")).toEqual(["--dry-run"]);
    expect(offeredByFish("heartwood audit h")).toEqual(["history"]);
    expect(offeredByFish("heartwood audit --appl")).toEqual(["--apply"]);
    expect(offeredByFish("heartwood audit undo --appl")).toEqual([]);
    expect(offeredByFish("heartwood log add --type=pro")).toEqual(["--type=project"]);
    expect(offeredByFish("heartwood -C log comp")).toEqual(["compact", "completion"]);
    expect(offeredByFish("heartwood help thread cr")).toEqual(["create"]);
  });
});

function offeredByFish(line: string): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-completion-"));
  writeFileSync(join(dir, "heartwood.fish"), completionScript("fish", commands));
  const { stdout, stderr, status } = spawnSync("fish", ["-c", `source ${dir}/heartwood.fish; complete -C '${line}'`], {
    encoding: "utf8",
  });
  rmSync(dir, { recursive: true });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").flatMap((row) => (row === "" ? [] : [row.split("\t")[0] ?? ""]));
}

test("every script contains every command and option", () => {
  for (const script of [
    completionScript("bash", commands),
    completionScript("zsh", commands),
    completionScript("fish", commands),
  ]) {
    for (const { command, fields } of commands) {
      for (const word of command) expect(script).toContain(word);
      for (const field of fields) if (field.place !== "argument") expect(script).toContain(optionOf(field).slice(2));
    }
  }
});
