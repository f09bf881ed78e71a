import type { CommandSpec, CommonOptions } from "./command.ts";
import type { Input } from "./input.ts";
import type { Host } from "./run.ts";
import type { Terminal } from "./terminal.ts";

/** A command that only a terminal has: it is no operation on a memory, and MCP and HTTP do not render it. */
export interface LocalCommand extends CommandSpec {
  load(): Promise<(call: LocalCall) => Promise<void>>;
}

export interface LocalCall {
  readonly input: Input;
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  readonly host: Host;
  /** All commands, for those that speak of the others. */
  readonly commands: readonly CommandSpec[];
}

const demo: LocalCommand = {
  name: "cli.demo",
  command: ["demo"],
  summary: "Build a tree from sample logs and show it",
  description:
    "Copies the shipped sample logs into a new temporary folder, runs init and compact there, and shows the tree, ROOT.md " +
    "and one line traced back to the raw logs. The folder is removed at the end.",
  fields: [{ name: "keep", kind: { kind: "flag" }, summary: "keep the folder, to look around in it" }],
  examples: ["heartwood demo", "heartwood demo --keep"],
  load: async () => (await import("./demo.ts")).runDemo,
};

const completion: LocalCommand = {
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
  load: async () => (await import("./completion/index.ts")).runCompletion,
};

export const localCommands: readonly LocalCommand[] = [demo, completion];
