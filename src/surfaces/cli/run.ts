import { resolve } from "node:path";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { Installing } from "../../agents/install/record.ts";
import type { InstallRequest } from "../../agents/install/run-install.ts";
import type { Memory } from "../../operations/memory.ts";
import type { Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import { optionOf, type CommandSpec, type CommonOptions, type Invocation } from "./command.ts";
import { reportFailure, type ExitStatus } from "./errors.ts";
import { inputOf, type Input, type NamedFiles } from "./input.ts";
import { localCommands } from "./local.ts";
import { parseLine, type Line } from "./parse.ts";
import { createProgressLine, type ProgressLine } from "./progress.ts";
import { printResult } from "./print.ts";
import { offerTrust } from "./offer-trust.ts";
import type { Terminal } from "./terminal.ts";
import type { HostTrust } from "./trust.ts";
import { warningsBesideRows } from "./told-once.ts";
import { visible } from "../../text/visible.ts";

/** What the command line is given by its `main.ts`: how to open a memory, and who it is. */
export interface Host {
  version(): Promise<string>;
  open(options: HostOptions): Promise<Memory>;
  /** A memory over a new temporary copy of the shipped samples. */
  openSamples(options: Pick<HostOptions, "today" | "timeZone">): Promise<Samples>;
  /** The files of the clients of this machine; `dir`: the project for what goes into one. */
  openInstalling(dir: string | undefined): Promise<OpenedInstalling>;
  /** The folders that the user trusts. */
  openTrust(): Promise<HostTrust>;
}

export interface OpenedInstalling extends Installing {
  readonly shipped: InstallRequest["shipped"];
}

export interface HostOptions {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  /** `found`: a folder that has a memory; `prepared`: any folder, made when absent. */
  readonly folder: "found" | "prepared";
  /** `reported`: settings of the user that cannot be read are a warning, not an error. */
  readonly settings?: "reported";
}

export interface Samples {
  readonly memory: Memory;
  remove(): Promise<void>;
}

const commands: readonly CommandSpec[] = [...operations, ...localCommands];

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
  if (line.kind === "slip") throw (await import("./slips.ts")).usageError(line, commands);
  const { helpOf } = await import("./help.ts");
  return helpOf(line.path, { commands, version, columns: terminal.stdout.look().columns });
}

async function runInvocation(invocation: Invocation, terminal: Terminal, host: Host): Promise<ExitStatus> {
  const { spec, given, common } = invocation;
  refuseTwoDocuments(invocation);
  const input = inputOf(spec, given, filesOf(terminal));
  const local = localCommands.find(({ name }) => name === spec.name);
  if (local !== undefined) {
    const run = await local.load();
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
      const { printStream } = await import("./stream.ts");
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
  const { readText, standardInput } = await import("./stdin.ts");
  const streams = field.kind.kind === "text" && field.kind.batch === "streams" && input["batch"] === true;
  return { ...input, [field.name]: streams ? standardInput(terminal) : await readText(terminal) };
}

function tellWarnings(result: unknown, { common, result: shown }: Surroundings, terminal: Terminal): void {
  if (common.chatter === "quiet" || common.output === "json") return;
  const warnings = warningsIn(result, "warnings");
  for (const warning of shown === "left out" ? warnings : warningsBesideRows(result, warnings)) tell(warning, terminal);
}

/** Lines have no place for them, whatever the output. */
function tellWarningsOfStream(lines: unknown, { chatter }: CommonOptions, terminal: Terminal): void {
  if (chatter === "quiet") return;
  for (const warning of warningsIn(lines, "warnings")) tell(warning, terminal);
}

/** What a quiet run could not take in is told on stderr, and nothing else; `false` when there is nothing of the kind. */
function tellSkippedQuietly(result: unknown, common: CommonOptions, terminal: Terminal): boolean {
  if (common.chatter !== "quiet" || common.output === "json") return false;
  const skipped = warningsIn(result, "skipped");
  for (const file of skipped) tell(file, terminal);
  return skipped.length > 0;
}

function tell({ message, path, line }: Warning, { stderr }: Terminal): void {
  const place = path === undefined ? "" : ` (${path}${line === undefined ? "" : `:${line}`})`;
  stderr.write(`heartwood: warning: ${visible(`${message}${place}`)}\n`);
}

/** A skipped file has what a warning has. */
function warningsIn(result: unknown, key: "warnings" | "skipped"): readonly Warning[] {
  const found = typeof result === "object" && result !== null ? (result as Readonly<Record<string, unknown>>)[key] : [];
  return Array.isArray(found) ? (found as readonly Warning[]) : [];
}
