import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { openclawFolder } from "../../base/known-paths.ts";
import { shown } from "../../text/shown.ts";
import type { ClientFolders, Shipped } from "./client-files.ts";

/** Where the clients of this machine keep their files, by its environment. Without a project it is the current folder. */
export function findClientPlaces(project = process.cwd()): ClientFolders {
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

/** What the package ships to be put into clients: the skills in a folder, by name, and the plugins for OpenCode and OpenClaw. */
export function readShipped({ skills, plugins }: { readonly skills: string; readonly plugins: string }): Shipped {
  const openclaw = (name: string): string => readFileSync(join(plugins, "openclaw", name), "utf8");
  return {
    skills: readdirSync(skills)
      .toSorted()
      .map((name) => ({ name, text: readFileSync(join(skills, name, "SKILL.md"), "utf8") })),
    opencodePlugin: readFileSync(join(plugins, "opencode", "heartwood.js"), "utf8"),
    openclawPlugin: {
      index: openclaw("index.js"),
      manifest: openclaw("openclaw.plugin.json"),
      description: openclaw("package.json"),
    },
  };
}
