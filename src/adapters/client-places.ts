import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { MemoryError } from "../base/errors.ts";
import { openclawFolder } from "../base/openclaw-folder.ts";
import { shown } from "../base/shown.ts";
import { namedFolder, stateBelow } from "./client-places/user-state.ts";

/** Where the clients of this machine keep their files, by its environment. Without a project it is the current folder. */
export function findClientPlaces(project = process.cwd()): FoundPlaces {
  const home = homeFolder();
  const claude = namedFolder("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  return {
    system: process.platform === "win32" ? "windows" : "posix",
    home,
    project: real(resolve(project)),
    state: stateBelow(home),
    claude,
    claudeState: claude === join(home, ".claude") ? join(home, ".claude.json") : join(claude, ".claude.json"),
    codex: namedFolder("CODEX_HOME", join(home, ".codex")),
    copilot: namedFolder("COPILOT_HOME", join(home, ".copilot")),
    gemini: namedFolder("GEMINI_CLI_HOME", home),
    opencode: join(namedFolder("XDG_CONFIG_HOME", join(home, ".config")), "opencode"),
    openclaw: namedFolder("OPENCLAW_WORKSPACE_DIR", join(openclawState(home), "workspace")),
    node: process.execPath,
  };
}

export interface FoundPlaces {
  readonly system: "posix" | "windows";
  readonly home: string;
  readonly project: string;
  readonly state: string;
  readonly claude: string;
  readonly claudeState: string;
  readonly codex: string;
  readonly copilot: string;
  readonly gemini: string;
  readonly opencode: string;
  readonly openclaw: string;
  readonly node: string;
}

function openclawState(home: string): string {
  const usual = join(namedFolder("OPENCLAW_HOME", home), openclawFolder(process.env["OPENCLAW_PROFILE"]));
  return namedFolder("OPENCLAW_STATE_DIR", usual);
}

function homeFolder(): string {
  const home = homedir();
  if (isAbsolute(home)) return real(home);
  throw new MemoryError(
    "invalid_path",
    `HOME is "${shown(home)}"; it must be an absolute path, since the clients keep their files there.`,
    { path: shown(home) },
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown cause";
    throw new MemoryError("invalid_path", `${path} is no folder that can be used (${code}); name another one.`, {
      path,
    });
  }
}
