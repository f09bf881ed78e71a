import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";

export interface DetectedPlatform {
  readonly platform: string;
  /** What it was found by, as a part of a sentence. */
  readonly because: string;
}

/** Any one of these marks is enough; a mark of two names needs both. The first platform that fits is taken. */
const MARKS: readonly { readonly platform: string; readonly marks: readonly (readonly string[])[] }[] = [
  { platform: "openclaw", marks: [["AGENTS.md", "SOUL.md"]] },
  { platform: "claude-code", marks: [["CLAUDE.md"], [".claude"]] },
  { platform: "opencode", marks: [[".opencode"], ["opencode.json"], ["opencode.jsonc"]] },
  { platform: "codex", marks: [[".codex"]] },
  { platform: "gemini", marks: [["GEMINI.md"], [".gemini"]] },
];

/** Editors with an agent; whoever uses another agent beside one is known by that. */
const EDITORS = ["cursor", "windsurf"] as const;

const HOMES: readonly { readonly platform: string; readonly folder: string }[] = [
  { platform: "openclaw", folder: ".openclaw" },
  { platform: "claude-code", folder: ".claude" },
  { platform: "opencode", folder: ".config/opencode" },
  { platform: "codex", folder: ".codex" },
  { platform: "gemini", folder: ".gemini" },
];

/** Which agent the folder is used with, by what lies in it, then by the one agent that the home has traces of. */
export function detectPlatform(dir: string): DetectedPlatform {
  const home = homedir();
  if (dir.startsWith(join(home, ".openclaw") + sep))
    return { platform: "openclaw", because: "the folder lies in ~/.openclaw" };
  return fromFolder(dir) ?? fromHome(home) ?? { platform: "plain", because: "no agent's files were found" };
}

function fromFolder(dir: string): DetectedPlatform | undefined {
  for (const { platform, marks } of MARKS) {
    const found = marks.find((names) => names.every((name) => existsSync(join(dir, name))));
    if (found !== undefined) return { platform, because: `the folder has ${found.join(" and ")}` };
  }
  const copilot = copilotFile(dir);
  if (copilot !== undefined) return { platform: "copilot", because: `the folder has .github/${copilot}` };
  const editor = EDITORS.find((name) => existsSync(join(dir, `.${name}`)));
  return editor === undefined ? undefined : { platform: editor, because: `the folder has .${editor}` };
}

function copilotFile(dir: string): string | undefined {
  const folder = join(dir, ".github");
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder).find((name) => name.startsWith("copilot"))
    : undefined;
}

/** Several agents in the home say nothing about this folder. */
function fromHome(home: string): DetectedPlatform | undefined {
  const found = HOMES.filter(({ folder }) => existsSync(join(home, folder)));
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  return { platform: only.platform, because: `the home has ~/${only.folder} and no other agent's folder` };
}
