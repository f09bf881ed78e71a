/** The folders and files of this machine that installing is about; all paths are absolute. */
export interface ClientPlaces {
  readonly system: "posix" | "windows";
  readonly home: string;
  /** The folder of the project, for what is installed into it. */
  readonly project: string;
  /** Where our record and the script are. */
  readonly state: string;
  /** `~/.claude`, or `CLAUDE_CONFIG_DIR`. */
  readonly claude: string;
  /** `~/.claude.json`, or the one in `CLAUDE_CONFIG_DIR`. */
  readonly claudeState: string;
  /** `~/.codex`, or `CODEX_HOME`. */
  readonly codex: string;
  /** `~/.copilot`, or `COPILOT_HOME`. */
  readonly copilot: string;
  /** The home that Gemini CLI takes: this one, or `GEMINI_CLI_HOME`. */
  readonly gemini: string;
  /** `~/.config/opencode`, by `XDG_CONFIG_HOME`. */
  readonly opencode: string;
  /** `~/.openclaw/workspace`, or what `OPENCLAW_WORKSPACE_DIR`, `OPENCLAW_STATE_DIR`, `OPENCLAW_PROFILE` and `OPENCLAW_HOME` make of it. */
  readonly openclaw: string;
  /** `~/.openclaw/openclaw.json`, or what the same variables or `OPENCLAW_CONFIG_PATH` make of it. */
  readonly openclawConfig: string;
  /** The Node that runs now, and the program. */
  readonly node: string;
  readonly program: string;
  /** Of the program. */
  readonly version: string;
}

/** What the package ships to be put into clients. */
export interface Shipped {
  readonly skills: readonly Skill[];
  /** The file for OpenCode, which names the program `heartwood`. */
  readonly opencodePlugin: string;
  readonly openclawPlugin: OpenclawPlugin;
}

/** The texts of the plugin for OpenClaw: `index.js`, which names the program `heartwood`, `openclaw.plugin.json` and `package.json`. */
export interface OpenclawPlugin {
  readonly index: string;
  readonly manifest: string;
  readonly description: string;
}

/** The text of a SKILL.md, and the name of its folder. */
export interface Skill {
  readonly name: string;
  readonly text: string;
}

/** Joins parts of a path with the separator of the system. */
export function pathIn({ system }: ClientPlaces, ...parts: readonly string[]): string {
  return system === "windows" ? parts.join("\\").replaceAll("/", "\\") : parts.join("/");
}
