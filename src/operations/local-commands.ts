import { clientNames } from "../agents/install/client-files.ts";
import type { Field } from "../base/operation.ts";
import type { CommandSpec } from "./command-line.ts";

const demo: CommandSpec = {
  name: "cli.demo",
  command: ["demo"],
  summary: "Build a tree from sample logs and show it",
  description:
    "Copies the shipped sample logs into a new temporary folder, runs init and compact there, and shows the tree, ROOT.md " +
    "and one line traced back to the raw logs. The folder is removed at the end.",
  fields: [{ name: "keep", kind: { kind: "flag" }, summary: "keep the folder, to look around in it" }],
  examples: ["heartwood demo", "heartwood demo --keep"],
};

const completion: CommandSpec = {
  name: "cli.completion",
  command: ["completion"],
  summary: "Print the completion script of a shell",
  description:
    "Prints a script that teaches the shell to complete commands, options and their values. For bash: " +
    "heartwood completion bash >> ~/.bashrc; for zsh a file _heartwood in a folder of $fpath; for fish " +
    "~/.config/fish/completions/heartwood.fish.",
  fields: [
    {
      name: "shell",
      kind: { kind: "choice", values: ["bash", "zsh", "fish"] },
      place: "argument",
      presence: "required",
      placeholder: "SHELL",
      summary: "bash, zsh or fish",
    },
  ],
  examples: ["heartwood completion bash", "heartwood completion fish"],
};

const mcpCommand: CommandSpec = {
  name: "cli.mcp",
  command: ["mcp"],
  summary: "Serve the memory to an agent over MCP, on standard input and output",
  description:
    "Speaks the Model Context Protocol until its input ends; agents start it, people do not. It works in --dir, else in the project that the agent names, else in the current folder. " +
    "Eight tools are listed; --tools threads adds those of threads, --tools all every other.",
  fields: [
    {
      name: "tools",
      kind: { kind: "text" },
      placeholder: "LIST",
      summary: "which tools: memory, threads, all, with commas (default: memory)",
    },
    { name: "trust", kind: { kind: "flag" }, summary: "use this folder's memory even if it is not trusted" },
  ],
  examples: ["heartwood mcp", "heartwood mcp --tools threads"],
};

const clientField: Field = {
  name: "client",
  kind: { kind: "choice", values: clientNames },
  place: "argument",
  words: "many",
  presence: "required",
  placeholder: "CLIENT",
  summary: `one or more of ${clientNames.join(", ")}`,
};

const askingFields: readonly Field[] = [
  { name: "dry_run", kind: { kind: "flag" }, summary: "show what would be changed, and change nothing" },
  { name: "yes", kind: { kind: "flag" }, summary: "do it without asking" },
];

const install: CommandSpec = {
  name: "cli.install",
  command: ["install"],
  summary: "Make agents use this memory: hooks, tools, skills",
  description:
    "Writes what makes the client use the memory: its hooks, the entry of the MCP server, skills, and a marked part of its instructions file. It shows the changes and asks first. " +
    "Every other byte of those files stays, and heartwood uninstall takes it back.",
  fields: [
    clientField,
    {
      name: "scope",
      kind: { kind: "choice", values: ["user", "project"] },
      placeholder: "SCOPE",
      summary: "for all projects of this user, or in the project folder alone (default: user)",
    },
    ...askingFields,
  ],
  examples: ["heartwood install claude-code --dry-run", "heartwood install claude-code codex --scope project --yes"],
};

const uninstall: CommandSpec = {
  name: "cli.uninstall",
  command: ["uninstall"],
  summary: "Take back what install wrote, byte for byte",
  description:
    "Gives every file that install changed its bytes from before, and removes what install made. What somebody changed since keeps their changes, and only what is heartwood's is taken out. " +
    "The memory itself is never touched.",
  fields: [clientField, ...askingFields],
  examples: ["heartwood uninstall claude-code --dry-run", "heartwood uninstall claude-code codex --yes"],
};

const trust: CommandSpec = {
  name: "cli.trust",
  command: ["trust"],
  summary: "Let agents use the memory in a folder; list or remove trusted folders",
  description:
    "Hooks, capture, background work and MCP act only in folders that you trust, because what a memory says reaches your agents. " +
    "init trusts a memory it creates; a cloned one needs this command. The record is in your own state folder, never in the project. " +
    "It also accepts a folder that another user owns.",
  fields: [
    {
      name: "folder",
      kind: { kind: "text" },
      place: "argument",
      placeholder: "DIR",
      summary: "the folder (default: the nearest memory upwards)",
    },
    { name: "list", kind: { kind: "flag" }, summary: "list the trusted folders" },
    { name: "remove", kind: { kind: "flag" }, summary: "stop trusting the folder" },
  ],
  examples: ["heartwood trust", "heartwood trust --list", "heartwood trust --remove"],
};

const hook: CommandSpec = {
  name: "cli.hook",
  command: ["hook"],
  summary: "Answer a hook of an agent, with its JSON on standard input",
  description:
    "Agents start it, people do not. At the start of a session it prints what the memory holds, for a prompt what bears on it, and at the end of a turn it captures the conversation in the background, " +
    "each in the form that the agent takes. It never fails the agent: errors are shown by heartwood doctor. " +
    "CLIENT is claude-code, codex, gemini, copilot, opencode, openclaw, cursor or windsurf; EVENT is session-start, prompt, turn-end, before-compaction or session-end, or the agent's own name for it.",
  fields: [
    {
      name: "client",
      kind: { kind: "text" },
      place: "argument",
      presence: "required",
      placeholder: "CLIENT",
      summary: "the agent",
    },
    {
      name: "event",
      kind: { kind: "text" },
      place: "argument",
      presence: "required",
      placeholder: "EVENT",
      summary: "what happens in it",
    },
    { name: "trust", kind: { kind: "flag" }, summary: "use this folder's memory even if it is not trusted" },
  ],
  examples: ["heartwood hook claude-code SessionStart", "heartwood hook codex prompt"],
};

/** Commands that are no operations on a memory: only a terminal has them. */
export const localCommands: readonly CommandSpec[] = [demo, completion, mcpCommand, hook, install, uninstall, trust];
