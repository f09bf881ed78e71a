import { clientNames } from "../agents/install/client-files.ts";
import { choice, fieldsOf, flag, object, optional, text, whole } from "../base/schema.ts";
import type { CommandSpec } from "./command-line.ts";

const argument = { place: "argument" } as const;
const client = choice(clientNames, "CLIENT", `one or more of ${clientNames.join(", ")}`, {
  ...argument,
  words: "many",
});
const asking = {
  dry_run: flag("show what would change, and change nothing"),
  yes: flag("make the changes without asking"),
};
const trustFlag = flag("use this folder's memory even if it is not trusted");

const demo: CommandSpec = {
  name: "cli.demo",
  command: ["demo"],
  summary: "Build a tree from sample logs and show it",
  description:
    "Copies sample logs to a temporary folder, runs init and compact there, and shows the tree, ROOT.md " +
    "and one line traced back to the raw logs. Removes the folder at the end.",
  fields: fieldsOf(object({ keep: flag("keep the folder so you can explore it") })),
  examples: ["heartwood demo", "heartwood demo --keep"],
};

const completion: CommandSpec = {
  name: "cli.completion",
  command: ["completion"],
  summary: "Print a completion script for bash, zsh or fish",
  description:
    "Prints a script that completes commands, options and their values. For bash, run " +
    "heartwood completion bash >> ~/.bashrc; for zsh, save it as _heartwood in a folder of $fpath; for fish, as " +
    "~/.config/fish/completions/heartwood.fish.",
  fields: fieldsOf(object({ shell: choice(["bash", "zsh", "fish"], "SHELL", "bash, zsh or fish", argument) })),
  examples: ["heartwood completion bash", "heartwood completion fish"],
};

export const mcpCommand: CommandSpec = {
  name: "cli.mcp",
  command: ["mcp"],
  summary: "Start the MCP server, on standard input and output",
  description:
    "Serves the memory over the Model Context Protocol until its input ends. Agents start it; you do not need to. It uses the memory in --dir, otherwise in the project that the agent names, otherwise in the current folder. " +
    "It lists four tools, which cost little; --tools threads adds the thread tools, --tools all adds everything.",
  fields: fieldsOf(
    object({
      tools: optional(
        text("LIST", "which tools to list, comma-separated: memory, summaries, threads, all (default: memory)"),
      ),
      trust: trustFlag,
    }),
  ),
  examples: ["heartwood mcp", "heartwood mcp --tools threads"],
};

export const serveCommand: CommandSpec = {
  name: "cli.serve",
  command: ["serve"],
  summary: "Start the local page and the HTTP API",
  description:
    "Serves a page that shows the memory, an HTTP API with every operation, and MCP over HTTP at /mcp, on this machine only, until you stop it. " +
    "Prints an address with a token; the token is new at each start unless HEARTWOOD_TOKEN sets one.",
  fields: fieldsOf(
    object({
      port: optional(whole(0, 65_535, "the port; 0 for any free one (default: 4319, or the next free one)")),
      open: flag("open the page in the browser"),
      host: optional(
        text(
          "HOST",
          "the address to listen on; one that other machines reach needs HEARTWOOD_TOKEN (default: 127.0.0.1)",
        ),
      ),
      trust: flag("let agents at /mcp use this folder's memory even if it is not trusted"),
    }),
  ),
  examples: ["heartwood serve --open", "heartwood serve --port 8080"],
};

const install: CommandSpec = {
  name: "cli.install",
  command: ["install"],
  summary: "Set up agents to use this memory: hooks, tools and skills",
  description:
    "Adds hooks, the MCP server, skills and a marked section of the instructions file to each client. Shows the changes and asks first. " +
    "Changes nothing else in those files; heartwood uninstall undoes the changes.",
  fields: fieldsOf(
    object({
      client,
      scope: optional(
        choice(["user", "project"], "SCOPE", "for all your projects, or only in this project folder (default: user)"),
      ),
      summaries: optional(
        choice(["pull"], "WAY", "pull: let the agent write the summaries; sets this in your own settings"),
      ),
      ...asking,
    }),
  ),
  examples: [
    "heartwood install claude-code --dry-run",
    "heartwood install claude-code codex --scope project --yes",
    "heartwood install claude-code --summaries pull",
  ],
};

const uninstall: CommandSpec = {
  name: "cli.uninstall",
  command: ["uninstall"],
  summary: "Remove what install wrote and restore the agents' files",
  description:
    "Restores every file that install changed, byte for byte, and removes files it created. In files edited since then, removes only heartwood's parts and keeps the edits. " +
    "Never touches the memory itself.",
  fields: fieldsOf(object({ client, ...asking })),
  examples: ["heartwood uninstall claude-code --dry-run", "heartwood uninstall claude-code codex --yes"],
};

const trust: CommandSpec = {
  name: "cli.trust",
  command: ["trust"],
  summary: "Let agents use the memory in a folder; list or remove trusted folders",
  description:
    "Hooks, capture, background work and MCP work only in folders you trust, because the contents of a memory reach your agents. " +
    "A memory created by init is trusted; a cloned one needs this command. The list is in your own state folder, never in the project. " +
    "This command also accepts a folder owned by another user.",
  fields: fieldsOf(
    object({
      folder: optional(text("DIR", "the folder (default: the nearest memory, searching upward)", argument)),
      list: flag("list the trusted folders"),
      remove: flag("stop trusting the folder"),
    }),
  ),
  examples: ["heartwood trust", "heartwood trust --list", "heartwood trust --remove"],
};

const hook: CommandSpec = {
  name: "cli.hook",
  command: ["hook"],
  summary: "Answer an agent's hook (called by the agent)",
  description:
    "Agents run this command, with JSON on standard input. At the start of a session it prints the memory, for a prompt it prints relevant memories, both in the format the agent expects, and at the end of a turn it captures the conversation in the background. " +
    "It never makes the agent fail; heartwood doctor shows its errors. " +
    "CLIENT is claude-code, codex, gemini, copilot, opencode, openclaw, cursor or windsurf; EVENT is session-start, prompt, turn-end, before-compaction or session-end, or the agent's own name for it.",
  fields: fieldsOf(
    object({
      client: text("CLIENT", "the agent that calls the hook", argument),
      event: text("EVENT", "the event", argument),
      trust: trustFlag,
    }),
  ),
  examples: ["heartwood hook claude-code SessionStart", "heartwood hook codex prompt"],
};

const gitSetup: CommandSpec = {
  name: "cli.git.setup",
  command: ["git", "setup"],
  summary: "Let git merge the memory entry by entry in this clone",
  description:
    "Writes .gitattributes and .gitignore for every clone, and registers a merge driver for this one, so that merges of logs and records leave no conflicts. " +
    "Asks whether nodes and ROOT.md are committed; by default, only if they already are. State of this machine is never tracked. --undo restores every byte.",
  fields: fieldsOf(
    object({
      derived: optional(
        choice(["committed", "ignored"], "WAY", "whether nodes and ROOT.md are in git, or each clone builds its own"),
      ),
      undo: flag("remove what git setup wrote"),
    }),
  ),
  examples: ["heartwood git setup", "heartwood git setup --derived ignored", "heartwood git setup --undo"],
};

const gitResolve: CommandSpec = {
  name: "cli.git.resolve",
  command: ["git", "resolve"],
  summary: "Finish a merge: conflicts, torn entries, conflict copies of a synced folder",
  description:
    "Merges conflicted logs, records and nodes of a stopped merge, checks the last merge if it was made without the driver, removes conflict markers and repeated entries, " +
    "and merges the conflict copies of Syncthing and cloud folders. Then it brings the tree up to date. Adds only the resolved files to git's index.",
  fields: [],
  examples: ["heartwood git resolve"],
};

const gitMergeDriver: CommandSpec = {
  name: "cli.git.merge_driver",
  command: ["git", "merge-driver"],
  summary: "Merge one file (called by git)",
  description:
    "Git calls this command for a file of a memory that both sides changed, with three temporary files: the common version, ours, which gets the result, and theirs.",
  fields: fieldsOf(
    object({
      base: text("BASE", "the common version", argument),
      ours: text("OURS", "our version, which is replaced", argument),
      theirs: text("THEIRS", "their version", argument),
      path: text("PATH", "the path of the file in the repository", argument),
    }),
  ),
  examples: ["heartwood git merge-driver base.md ours.md theirs.md memory/2026-03-15.md"],
};

export const localCommands: readonly CommandSpec[] = [
  demo,
  completion,
  mcpCommand,
  serveCommand,
  hook,
  install,
  uninstall,
  trust,
  gitSetup,
  gitResolve,
  gitMergeDriver,
];
