import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { clients } from "../../src/agents/install/clients/index.ts";
import { operations } from "../../src/operations/table.ts";
import { localCommands } from "../../src/operations/local-commands.ts";
import { toolsOf } from "../../src/operations/tools/tools.ts";
import { agentNotesTarget, hotFiles, layoutFolders } from "../../src/tree/setup/init.ts";
import { fakePlaces, fakeShipped } from "../fixtures/client-files.ts";

const repository = join(import.meta.dirname, "..", "..");
const read = (...path: readonly string[]): string => readFileSync(join(repository, ...path), "utf8");
const json = (...path: readonly string[]): Record<string, unknown> =>
  JSON.parse(read(...path)) as Record<string, unknown>;

const names = readdirSync(join(repository, "skills")).toSorted();

test("there are four skills, and the plugin has the same", () => {
  expect(names).toEqual(["heartwood-compaction", "heartwood-core", "heartwood-flush", "heartwood-recall"]);
  expect(readdirSync(join(repository, "plugins/claude-code/skills")).toSorted()).toEqual(names);
  for (const name of names)
    expect(read("plugins/claude-code/skills", name, "SKILL.md")).toBe(read("skills", name, "SKILL.md"));
});

describe.each(names)("%s", (name) => {
  const text = read("skills", name, "SKILL.md");
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/u.exec(text) ?? [];
  const fields = parse(front) as Readonly<Record<string, string>>;

  test("follows the rules of Agent Skills", () => {
    expect(readdirSync(join(repository, "skills", name))).toEqual(["SKILL.md"]);
    expect(Object.keys(fields)).toEqual(["name", "description"]);
    expect(fields["name"]).toBe(name);
    expect(name).toMatch(/^(?!.*--)[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/u);
    const { description = "" } = fields;
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).not.toMatch(/[<>]/u);
    expect(description).toMatch(/ Use (?:when|at|before) /u);
    expect(body.split("\n").length).toBeLessThan(100);
    expect(countTokens(body)).toBeLessThan(1500);
  });

  test("names only commands, tools and skills that exist", () => {
    const tools = toolsOf(["all"]).map((tool) => tool.name);
    for (const [, tool = ""] of text.matchAll(/`((?:memory|tree|thread)_[a-z_]+)`/gu)) expect(tools).toContain(tool);
    for (const [, skill = ""] of text.matchAll(/skill (heartwood-[a-z]+)/gu)) expect(names).toContain(skill);
    const commands = [...operations, ...localCommands].map(({ command }) => command.join(" "));
    for (const [, words = ""] of text.matchAll(/`heartwood ([a-z]+(?: [a-z]+)?)/gu))
      expect(
        commands.filter(
          (command) => words === command || words.startsWith(`${command} `) || words.split(" ")[0] === command,
        ),
      ).not.toEqual([]);
  });
});

describe("the plugin for Claude Code", () => {
  test("has the version of the package, in the marketplace too", () => {
    const { version } = json("package.json");
    expect(json("plugins/claude-code/.claude-plugin/plugin.json")["version"]).toBe(version);
    const [plugin] = json(".claude-plugin/marketplace.json")["plugins"] as readonly Record<string, string>[];
    expect(plugin?.["version"]).toBe(version);
    expect(plugin?.["source"]).toBe("./plugins/claude-code");
  });

  test("has the hooks that install writes, for a heartwood on the PATH", () => {
    const request = {
      scope: "user",
      places: fakePlaces,
      shipped: fakeShipped,
      script: "heartwood",
      firstThere: () => "",
    } as const;
    const settings = clients["claude-code"](request).wanted.find(({ path }) => path.endsWith("settings.json"));
    const entries = settings?.kind === "json" ? settings.entries : [];
    const written = Object.fromEntries(
      entries.flatMap(({ at, value }) => (at[0] === "hooks" ? [[at.at(-1), [value]]] : [])),
    );
    expect(json("plugins/claude-code/hooks/hooks.json")["hooks"]).toEqual(written);
    expect(json("plugins/claude-code/.mcp.json")).toEqual({
      mcpServers: { heartwood: { command: "heartwood", args: ["mcp"] } },
    });
    expect(read("plugins/claude-code/hooks/hooks.json")).not.toMatch(/npx|curl|http/u);
  });
});

test("every skill says to stop in a folder that the user has not trusted", () => {
  for (const name of names) expect(read("skills", name, "SKILL.md"), name).toContain("**Only in a trusted folder.**");
});

test("each skill with notes reads them first and adds to them last", () => {
  for (const agent of ["compaction", "flush", "recall"]) {
    const text = read("skills", `heartwood-${agent}`, "SKILL.md");
    const [first = -1, last = -1] = [...text.matchAll(/`memory\/agents\/(\w+)\/AGENT\.md`/gu)].map(
      ({ index }) => index,
    );
    expect(text.slice(first).startsWith(`\`memory/agents/${agent}/AGENT.md\` first, if it exists`), agent).toBe(true);
    expect(last, agent).toBeGreaterThan(text.lastIndexOf("\n## "));
    expect(text.slice(last), agent).toContain(`at most ${agentNotesTarget} lines: remove the oldest first`);
  }
  expect(layoutFolders.filter((path) => path.startsWith("memory/agents/"))).toHaveLength(3);
});

test("heartwood-core says how each file that `init` creates is kept", () => {
  const text = read("skills", "heartwood-core", "SKILL.md");
  for (const { path, target } of hotFiles)
    expect(text, path).toMatch(new RegExp(`\`${path.replace(".", "\\.")}\`[^\\n]*about ${target} lines`, "u"));
  expect(text).toContain("**`knowledge/`**");
});

test("the package contains everything that install needs", () => {
  const { files } = json("package.json");
  expect(files).toEqual(expect.arrayContaining(["skills", "plugins", ".claude-plugin"]));
});
