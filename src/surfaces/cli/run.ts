import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { isStream, type Memory, type Operation } from "../../operations/operation.ts";
import { treeOperations } from "../../operations/tree.ts";
import {
  optionOf,
  parseLine,
  type CommandSpec,
  type CommonOptions,
  type Invocation,
  type Line,
} from "../../operations/command-line.ts";
import type { ExitStatus } from "./errors.ts";
import { inputOf, type Input, type NamedFiles } from "./input.ts";
import {
  createProgressLine,
  printResult,
  printStream,
  tellSkippedQuietly,
  tellWarnings,
  tellWarningsOfStream,
  type ProgressLine,
} from "./print.ts";
import type { Terminal } from "./terminal.ts";
import type { Host, LocalCall } from "./host.ts";
import { visible } from "../../text/visible.ts";

/** What runs the commands that are no operations, by their names. */
const LOCAL: Readonly<Record<string, () => Promise<(call: LocalCall) => Promise<void>>>> = {
  "cli.demo": async () => (await import("./demo.ts")).runDemo,
  "cli.completion": async () => (await import("./completion.ts")).runCompletion,
  // Without --json bin.js starts another surface for it.
  "cli.mcp": () => refuse("heartwood mcp speaks JSON-RPC on standard output and prints no document; leave --json out."),
  "cli.hook": () => refuse("hook stands behind other words; it must be the first: heartwood hook CLIENT EVENT."),
  "cli.install": async () => (await import("./install.ts")).runInstallCommand,
  "cli.uninstall": async () => (await import("./install.ts")).runUninstallCommand,
  "cli.trust": async () => (await import("./trust.ts")).runTrustCommand,
};

async function refuse(message: string): Promise<never> {
  throw new MemoryError("usage", message);
}

/** Runs one command line and returns its exit status. All that it prints goes through the terminal it is given. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal, host: Host): Promise<ExitStatus> {
  try {
    const short = parseLine(argv, treeOperations);
    if (short.kind === "invocation")
      return await runOperationOf(short.invocation, { operations: treeOperations, terminal, host });
    const { operations } = await import("../../operations/table.ts");
    const { localCommands } = await import("../../operations/local-commands.ts");
    const commands = [...operations, ...localCommands];
    const line = parseLine(argv, commands);
    if (line.kind === "invocation") {
      const { invocation } = line;
      const load = LOCAL[invocation.spec.name];
      if (load === undefined) return await runOperationOf(invocation, { operations, terminal, host });
      const input = inputFor(invocation, terminal);
      await (
        await load()
      )({ input, common: invocation.common, terminal, host, commands });
      return 0;
    }
    const text = await answerTo(line, { commands, terminal, host });
    const document = JSON.stringify({ [line.kind]: text });
    terminal.stdout.write(wantedOutput(argv) === "json" ? `${document}\n` : `${text}\n`);
    return 0;
  } catch (error) {
    const { reportFailure } = await import("./errors.ts");
    return reportFailure(error, terminal, wantedOutput(argv));
  }
}

/** Known before the line is understood, so that a slip in it is told in the wanted form too. */
function wantedOutput(argv: readonly string[]): CommonOptions["output"] {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json") ? "json" : "text";
}

/** What a person asks of the command line itself; a slip is told as an error. */
async function answerTo(
  line: Exclude<Line, { kind: "invocation" }>,
  {
    commands,
    terminal,
    host,
  }: { readonly commands: readonly CommandSpec[]; readonly terminal: Terminal; readonly host: Host },
): Promise<string> {
  const version = await host.version();
  if (line.kind === "version") return version;
  if (line.kind === "slip") throw (await import("../../operations/usage-error.ts")).usageError(line, commands);
  const { helpOf } = await import("./help.ts");
  return helpOf(line.path, { commands, version, columns: terminal.stdout.look().columns });
}

interface Known {
  readonly operations: readonly Operation[];
  readonly terminal: Terminal;
  readonly host: Host;
}

async function runOperationOf(invocation: Invocation, { operations, terminal, host }: Known): Promise<ExitStatus> {
  const { spec, common } = invocation;
  const input = inputFor(invocation, terminal);
  const operation = operations.find(({ name }) => name === spec.name) as Operation;
  const result = toStandardOutput(invocation) === undefined ? "shown" : "left out";
  return runOperation(operation, input, { common, terminal, host, result });
}

function inputFor(invocation: Invocation, terminal: Terminal): Input {
  refuseTwoDocuments(invocation);
  return inputOf(invocation.spec, invocation.given, filesOf(terminal));
}

/** Paths are relative to the current folder, whatever folder the command works in. */
function filesOf(terminal: Terminal): NamedFiles {
  const stdin = { name: "standard input", chunks: () => terminal.stdin.chunks(terminal.signal) };
  const stdout = {
    name: "standard output",
    read: async () => undefined,
    write: async (text: string) => {
      terminal.stdout.write(visible(text));
      await terminal.stdout.drained();
    },
  };
  return {
    input: (word) => (word === "-" ? stdin : terminal.openFile(resolve(terminal.cwd, word))),
    output: (word) => (word === "-" ? stdout : terminal.outputFile(resolve(terminal.cwd, word))),
  };
}

/** The option whose document is to stand on standard output alone. */
function toStandardOutput({ spec, given }: Invocation): string | undefined {
  const field = spec.fields.find(({ kind, name }) => kind.kind === "output" && given[name] === "-");
  return field === undefined ? undefined : optionOf(field);
}

function refuseTwoDocuments(invocation: Invocation): void {
  const option = toStandardOutput(invocation);
  if (option === undefined || invocation.common.output !== "json") return;
  const message = `${option} - and --json both want standard output; give ${option} a file, or leave one of them out.`;
  throw new MemoryError("usage", message);
}

const EXIT_OF_OUTCOME = { done: 0, findings: 1, failed: 3 } as const;

interface Surroundings {
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  readonly host: Host;
  /** `left out`: something else has standard output for itself. */
  readonly result: "shown" | "left out";
}

async function runOperation(operation: Operation, input: Input, surroundings: Surroundings): Promise<ExitStatus> {
  const { common, terminal } = surroundings;
  const memory = await openFor(operation, surroundings);
  await offerTrust(memory, operation, surroundings);
  const progress = common.chatter === "quiet" ? undefined : createProgressLine(terminal);
  try {
    const result = await resultOf(operation, { memory, input, output: common.output, terminal, progress });
    if (isStream(result)) {
      try {
        await printStream(result, terminal);
      } finally {
        tellWarningsOfStream(result, common, terminal);
      }
      return 0;
    }
    const outcome = operation.outcomeOf?.(result) ?? "done";
    tellWarnings(result, surroundings, terminal);
    if (surroundings.result === "left out") return EXIT_OF_OUTCOME[outcome];
    if (outcome === "done" || !tellSkippedQuietly(result, common, terminal))
      await printResult({ operation, input, result, outcome, common, terminal });
    return EXIT_OF_OUTCOME[outcome];
  } finally {
    await memory.close();
  }
}

interface Running {
  readonly memory: Memory;
  readonly input: Input;
  readonly output: CommonOptions["output"];
  readonly terminal: Terminal;
  readonly progress: ProgressLine | undefined;
}

async function resultOf(
  operation: Operation,
  { memory, input, output, terminal, progress }: Running,
): Promise<unknown> {
  const complete = await withText(operation, withRendering(operation, input, output), terminal);
  try {
    return await operation.run(memory, complete, {
      signal: terminal.signal,
      ...(progress === undefined ? {} : { progress: progress.listener }),
    });
  } finally {
    progress?.clear();
  }
}

/** What is compiled for a person is text, for a program the document. */
function withRendering({ fields }: Operation, input: Input, output: CommonOptions["output"]): Input {
  if (input["render"] !== undefined || !fields.some(({ name }) => name === "render")) return input;
  return { ...input, render: output };
}

/** What shows the state of a memory shows what is wrong with the settings too. */
const looksOver: ReadonlySet<string> = new Set(["memory.doctor", "memory.status"]);

async function openFor(operation: Operation, { common, terminal, host }: Surroundings): Promise<Memory> {
  const { output: _output, chatter, ...where } = common;
  const memory = await host.open({
    ...where,
    folder: operation.name === "memory.init" ? "prepared" : "found",
    ...(looksOver.has(operation.name) ? { settings: "reported" } : {}),
  });
  if (common.dir === undefined && memory.dir !== terminal.cwd && chatter === "normal") {
    terminal.stderr.write(`heartwood: working in ${visible(memory.dir)}\n`);
  }
  const note = chatter === "normal" ? memory.clock.zoneNote : undefined;
  if (note !== undefined) terminal.stderr.write(`heartwood: warning: ${visible(note)}\n`);
  return memory;
}

/** Fields that say what the entry says, so that no text is waited for. */
const INSTEAD_OF_TEXT = ["rule", "why", "how_to_apply"];

async function withText(operation: Operation, input: Input, terminal: Terminal): Promise<Input> {
  const field = operation.fields.find(
    ({ place, stdinUnless }) => place === "stdin_or_option" || stdinUnless !== undefined,
  );
  if (field === undefined || input[field.name] !== undefined) return input;
  if (
    field.stdinUnless !== undefined &&
    (input[field.stdinUnless] !== undefined || terminal.stdin.kind() === "terminal")
  )
    return input;
  if (INSTEAD_OF_TEXT.some((name) => input[name] !== undefined)) return input;
  const { readText, standardInput } = await import("./terminal.ts");
  const streams = field.kind.kind === "text" && field.kind.batch === "streams" && input["batch"] === true;
  return { ...input, [field.name]: streams ? standardInput(terminal) : await readText(terminal) };
}

/**
 * Asks once, at a terminal, whether agents may use an untrusted memory: one from before trust was recorded, or one that came with a repository.
 * A command that reads its text from the terminal does not ask.
 */
async function offerTrust(
  memory: Memory,
  { fields }: Operation,
  { common, terminal, host }: { readonly common: CommonOptions; readonly terminal: Terminal; readonly host: Host },
): Promise<void> {
  if (common.output === "json" || common.chatter === "quiet") return;
  if (fields.some(({ place, stdinUnless }) => place === "stdin_or_option" || stdinUnless !== undefined)) return;
  if (terminal.stderr.look().kind !== "terminal" || memory.trust.state() === "trusted") return;
  if (terminal.stdin.kind() !== "terminal") return;
  const trust = await host.openTrust();
  if (trust.wasOffered(memory.dir)) return;
  trust.markOffered(memory.dir);
  const question =
    `heartwood: agents' hooks and tools do nothing in ${visible(memory.dir)} until you trust it.\n` +
    "Trust it only if you know where its files come from: what they say reaches your agents. Trust it? [y/N] ";
  const { askYes } = await import("./terminal.ts");
  if (await askYes(terminal, question)) await memory.trust.grant("trust");
  else terminal.stderr.write("Not trusted. `heartwood trust` does it later.\n");
}
