import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { isFolder } from "./local-state/disk.ts";

/** Agents, the marks they leave in a project (one mark is enough, but all its files must exist), and their folder in the home folder. First match wins. */
const agents: readonly { readonly platform: string; readonly marks: readonly string[][]; readonly home: string }[] = [
  { platform: "openclaw", marks: [["AGENTS.md", "SOUL.md"]], home: ".openclaw" },
  { platform: "claude-code", marks: [["CLAUDE.md"], [".claude"]], home: ".claude" },
  { platform: "opencode", marks: [[".opencode"], ["opencode.json"], ["opencode.jsonc"]], home: ".config/opencode" },
  { platform: "codex", marks: [[".codex"]], home: ".codex" },
  { platform: "gemini", marks: [["GEMINI.md"], [".gemini"]], home: ".gemini" },
];

/** Editors with a built-in agent. The agents above take precedence, since they may be used next to an editor. */
const editors = ["cursor", "windsurf"] as const;

/** Detects which agent uses the folder: by its files, else by the home folder if only one agent is there. `because` is part of a sentence. */
export function detectPlatform(dir: string): { readonly platform: string; readonly because: string } {
  const home = homedir();
  if (dir.startsWith(join(home, ".openclaw") + sep))
    return { platform: "openclaw", because: "the folder is in ~/.openclaw" };
  for (const { platform, marks } of agents) {
    const found = marks.find((names) => names.every((name) => existsSync(join(dir, name))));
    if (found !== undefined) return { platform, because: `the folder has ${found.join(" and ")}` };
  }
  const github = join(dir, ".github");
  const copilot = isFolder(github) ? readdirSync(github).find((name) => name.startsWith("copilot")) : undefined;
  if (copilot !== undefined) return { platform: "copilot", because: `the folder has .github/${copilot}` };
  const editor = editors.find((name) => existsSync(join(dir, `.${name}`)));
  if (editor !== undefined) return { platform: editor, because: `the folder has .${editor}` };
  // Several agents in the home folder say nothing about this one.
  const [only, ...more] = agents.filter((agent) => existsSync(join(home, agent.home)));
  return only === undefined || more.length > 0
    ? { platform: "plain", because: "no agent's files were found" }
    : { platform: only.platform, because: `your home folder has ${only.home} and no other agent's folder` };
}
