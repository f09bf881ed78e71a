import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { MemoryError } from "../base/errors.ts";
import { openclawFolder } from "../base/openclaw-folder.ts";
import { shown } from "../base/shown.ts";

/** Where the clients of this machine keep their files, by its environment. Without a project it is the current folder. */
export function findClientPlaces(project = process.cwd()): FoundPlaces {
  const home = homeFolder();
  const claude = named("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  return {
    system: process.platform === "win32" ? "windows" : "posix",
    home,
    project: real(resolve(project)),
    claude,
    claudeState: claude === join(home, ".claude") ? join(home, ".claude.json") : join(claude, ".claude.json"),
    codex: named("CODEX_HOME", join(home, ".codex")),
    copilot: named("COPILOT_HOME", join(home, ".copilot")),
    gemini: named("GEMINI_CLI_HOME", home),
    opencode: join(named("XDG_CONFIG_HOME", join(home, ".config")), "opencode"),
    openclaw: named("OPENCLAW_WORKSPACE_DIR", join(openclawState(home), "workspace")),
    openclawConfig: named("OPENCLAW_CONFIG_PATH", join(openclawState(home), "openclaw.json")),
    node: process.execPath,
  };
}

export interface FoundPlaces {
  readonly system: "posix" | "windows";
  readonly home: string;
  readonly project: string;
  readonly claude: string;
  readonly claudeState: string;
  readonly codex: string;
  readonly copilot: string;
  readonly gemini: string;
  readonly opencode: string;
  readonly openclaw: string;
  readonly openclawConfig: string;
  readonly node: string;
}

/** The folder that the variable names, when its path is absolute. */
function named(variable: string, usual: string): string {
  const value = process.env[variable];
  return value !== undefined && isAbsolute(value) ? resolve(value) : usual;
}

function openclawState(home: string): string {
  const usual = join(named("OPENCLAW_HOME", home), openclawFolder(process.env["OPENCLAW_PROFILE"]));
  return named("OPENCLAW_STATE_DIR", usual);
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
