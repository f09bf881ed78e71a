import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { Memory, Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import {
  optionOf,
  parseLine,
  type CommandSpec,
  type CommonOptions,
  type Invocation,
  type Line,
} from "../../operations/command-line.ts";
import { reportFailure, type ExitStatus } from "./errors.ts";
import { inputOf, type Input, type NamedFiles } from "./input.ts";
import { localCommands } from "../../operations/local-commands.ts";
import {
  createProgressLine,
  printResult,
  printStream,
  tellSkippedQuietly,
  tellWarnings,
  tellWarningsOfStream,
  type ProgressLine,
} from "./print.ts";
import { offerTrust } from "./trust.ts";
import type { Terminal } from "./terminal.ts";
import type { Host, LocalCall } from "./host.ts";
import { visible } from "../../text/visible.ts";

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

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
    const line = parseLine(argv, commands);
    if (line.kind === "invocation") return await runInvocation(line.invocation, terminal, host);
    const text = await answerTo(line, terminal, host);
    const document = JSON.stringify({ [line.kind]: text });
    terminal.stdout.write(wantedOutput(argv) === "json" ? `${document}\n` : `${text}\n`);
    return 0;
  } catch (error) {
    return await reportFailure(error, terminal, wantedOutput(argv));
  }
}

/** Known before the line is understood, so that a slip in it is told in the wanted form too. */
function wantedOutput(argv: readonly string[]): CommonOptions["output"] {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json") ? "json" : "text";
}

/** What a person asks of the command line itself; a slip is told as an error. */
async function answerTo(line: Exclude<Line, { kind: "invocation" }>, terminal: Terminal, host: Host): Promise<string> {
  const version = await host.version();
  if (line.kind === "version") return version;
  if (line.kind === "slip") throw (await import("../../operations/usage-error.ts")).usageError(line, commands);
  const { helpOf } = await import("./help.ts");
  return helpOf(line.path, { commands, version, columns: terminal.stdout.look().columns });
}

async function runInvocation(invocation: Invocation, terminal: Terminal, host: Host): Promise<ExitStatus> {
  const { spec, given, common } = invocation;
  refuseTwoDocuments(invocation);
  const input = inputOf(spec, given, filesOf(terminal));
  const load = LOCAL[spec.name];
  if (load !== undefined) {
    const run = await load();
    await run({ input, common, terminal, host, commands });
    return 0;
  }
  const operation = operations.find(({ name }) => name === spec.name) as Operation;
  const result = toStandardOutput(invocation) === undefined ? "shown" : "left out";
  return runOperation(operation, input, { common, terminal, host, result });
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

function isStream(result: unknown): result is AsyncIterable<string> {
  return typeof result === "object" && result !== null && Symbol.asyncIterator in result;
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
