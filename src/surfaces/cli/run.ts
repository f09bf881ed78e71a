import { resolve } from "node:path";
import { errorStatuses } from "../../base/error-statuses.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import type { ForgetResult } from "../../forget/forget.ts";
import { isStream, type Memory, type Operation } from "../../operations/operation.ts";
import { treeOperations } from "../../operations/tree.ts";
import { optionOf, parseLine, type CommonOptions, type Invocation } from "../../operations/command-line.ts";
import { inputOf, type Input, type NamedFiles } from "./input.ts";
import { createProgressLine, printResult, printStream, tellSkippedQuietly, tellWarnings, jsonText } from "./print.ts";
import type { Terminal, Host, LocalCall, HostTrust } from "./terminal.ts";
import { visible } from "../../text/visible.ts";

/** 0 done, 1 findings, 2 bad input, 3 failed. */
export type ExitStatus = 0 | 1 | 2 | 3;

const LOCAL: Readonly<Record<string, () => Promise<(call: LocalCall) => Promise<void>>>> = {
  "cli.demo": async () => (await import("./demo.ts")).runDemo,
  "cli.completion": async () => (await import("./completion.ts")).runCompletion,
  // Without --json, bin.js starts the MCP surface instead.
  "cli.mcp": () => refuse("heartwood mcp speaks JSON-RPC on standard output and prints no document; omit --json."),
  "cli.serve": () => refuse("heartwood serve runs until you stop it and prints no document; omit --json."),
  "cli.hook": () => refuse("hook must be the first word: heartwood hook CLIENT EVENT."),
  "cli.install": async () => (await import("./install.ts")).runInstallCommand,
  "cli.uninstall": async () => (await import("./install.ts")).runUninstallCommand,
  "cli.git.setup": async () => (await import("./git.ts")).runGitSetup,
  "cli.git.resolve": async () => (await import("./git.ts")).runGitResolve,
  "cli.git.merge_driver": async () => (await import("./git.ts")).runMergeDriver,
  "cli.trust": async () => runTrustCommand,
};

async function refuse(message: string): Promise<never> {
  throw new MemoryError("usage", message);
}

export async function runCommandLine(argv: readonly string[], terminal: Terminal, host: Host): Promise<ExitStatus> {
  try {
    const short = parseLine(argv, treeOperations);
    if (short.kind === "invocation")
      return await runOperation(await located(short.invocation), treeOperations, { terminal, host });
    const { operations } = await import("../../operations/table.ts");
    const { localCommands } = await import("../../operations/local-commands.ts");
    const commands = [...operations, ...localCommands];
    const line = parseLine(argv, commands);
    if (line.kind === "slip") throw (await import("../../operations/failure.ts")).usageError(line, commands);
    if (line.kind !== "invocation") {
      const version = await host.version();
      const { columns } = terminal.stdout.look();
      const text =
        line.kind === "version"
          ? version
          : (await import("./help.ts")).helpOf(line.path, { commands, version, columns });
      const document = JSON.stringify({ [line.kind]: text });
      terminal.stdout.write(wantedOutput(argv) === "json" ? `${document}\n` : `${text}\n`);
      return 0;
    }
    const invocation = await located(line.invocation);
    const local = await LOCAL[invocation.spec.name]?.();
    if (local === undefined) return await runOperation(invocation, operations, { terminal, host });
    await local({ input: inputFor(invocation, terminal), common: invocation.common, terminal, host, commands });
    return 0;
  } catch (error) {
    return await reportFailure(error, terminal, wantedOutput(argv));
  }
}

/** With `--personal`, names the folder of the personal memory. Errors: `io`. */
async function located(invocation: Invocation): Promise<Invocation> {
  const { personal, ...common } = invocation.common;
  if (personal === undefined) return invocation;
  const { personalFolder } = await import("../../platform/program.ts");
  return { ...invocation, common: { ...common, dir: personalFolder() } };
}

/** Determined before parsing, so that parse errors use this format too. */
function wantedOutput(argv: readonly string[]): CommonOptions["output"] {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json") ? "json" : "text";
}

function inputFor(invocation: Invocation, terminal: Terminal): Input {
  const option = toStandardOutput(invocation);
  if (option !== undefined && invocation.common.output === "json") {
    const message = `${option} - and --json both write to standard output; set ${option} to a file, or omit one of them.`;
    throw new MemoryError("usage", message);
  }
  return inputOf(invocation.spec, invocation.given, filesOf(terminal));
}

/** Paths are relative to the current folder, even with `--dir`. */
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

/** The option whose document goes to standard output instead of the result. */
function toStandardOutput({ spec, given }: Invocation): string | undefined {
  const field = spec.fields.find(({ kind, name }) => kind.kind === "output" && given[name] === "-");
  return field === undefined ? undefined : optionOf(field);
}

const EXIT_OF_OUTCOME = { done: 0, findings: 1, failed: 3 } as const;

interface Surroundings {
  readonly terminal: Terminal;
  readonly host: Host;
}

async function runOperation(
  invocation: Invocation,
  operations: readonly Operation[],
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const { spec, common } = invocation;
  const { terminal } = surroundings;
  const given = inputFor(invocation, terminal);
  const operation = operations.find(({ name }) => name === spec.name) as Operation;
  const memory = await openFor(operation, common, surroundings);
  await offerTrust(memory, operation, { ...surroundings, common });
  const progress = common.chatter === "quiet" ? undefined : createProgressLine(terminal);
  try {
    const input = await withText(operation, withRendering(operation, given, common.output), terminal);
    const call = { signal: terminal.signal, ...(progress === undefined ? {} : { progress: progress.listener }) };
    const first = await operation.run(memory, input, call).finally(() => progress?.clear());
    const result = await confirmed(first, { operation, memory, input, call, common, terminal });
    if (isStream(result)) {
      try {
        await printStream(result, terminal);
      } finally {
        tellWarnings(result, { common, result: "stream" }, terminal);
      }
      return 0;
    }
    const outcome = operation.outcomeOf?.(result) ?? "done";
    const shown = toStandardOutput(invocation) === undefined ? "shown" : "left out";
    tellWarnings(result, { common, result: shown }, terminal);
    if (shown === "shown" && (outcome === "done" || !tellSkippedQuietly(result, common, terminal)))
      await printResult({ operation, input: given, result, outcome, common, terminal });
    return EXIT_OF_OUTCOME[outcome];
  } finally {
    await memory.close();
  }
}

/** What is shown before it is done is done after a yes. */
async function confirmed(
  result: unknown,
  asking: Omit<Parameters<typeof import("./git.ts").confirmForget>[1], "again"> & {
    readonly operation: Operation;
    readonly memory: Memory;
    readonly call: Call;
  },
): Promise<unknown> {
  const { operation, memory, input, call } = asking;
  if (operation.name !== "memory.forget") return result;
  const again = (code: string): Promise<unknown> => operation.run(memory, { ...input, code }, call);
  return (await import("./git.ts")).confirmForget(result as ForgetResult, { ...asking, again });
}

/** Defaults to rendering as text for people and as a document for programs. */
function withRendering({ fields }: Operation, input: Input, output: CommonOptions["output"]): Input {
  if (input["render"] !== undefined || !fields.some(({ name }) => name === "render")) return input;
  return { ...input, render: output };
}

/** Operations that need no memory in the folder. */
const needsNoMemory: ReadonlySet<string> = new Set(["memory.init", "store.migrate"]);

/** Operations that report invalid user settings instead of failing. */
const looksOver: ReadonlySet<string> = new Set(["memory.doctor", "memory.status"]);

async function openFor(operation: Operation, common: CommonOptions, { terminal, host }: Surroundings): Promise<Memory> {
  const { output: _output, chatter, ...where } = common;
  const memory = await host.open({
    ...where,
    folder: needsNoMemory.has(operation.name) ? "prepared" : "found",
    ...(looksOver.has(operation.name) ? { settings: "reported" } : {}),
  });
  if (common.dir === undefined && memory.dir !== terminal.cwd && chatter === "normal") {
    terminal.stderr.write(`heartwood: working in ${visible(memory.dir)}\n`);
  }
  const note = chatter === "normal" ? memory.clock.zoneNote : undefined;
  if (note !== undefined) terminal.stderr.write(`heartwood: warning: ${visible(note)}\n`);
  return memory;
}

/** The field that may be read from standard input. */
function stdinFieldOf({ fields }: Operation): Operation["fields"][number] | undefined {
  return fields.find(({ place, stdinUnless }) => place === "stdin_or_option" || stdinUnless !== undefined);
}

/** Fields that can be given instead of an entry's text. */
const INSTEAD_OF_TEXT = ["rule", "why", "how_to_apply"];

async function withText(operation: Operation, input: Input, terminal: Terminal): Promise<Input> {
  const field = stdinFieldOf(operation);
  if (field === undefined || input[field.name] !== undefined) return input;
  const { stdinUnless, kind } = field;
  if (stdinUnless !== undefined && (input[stdinUnless] !== undefined || terminal.stdin.kind() === "terminal"))
    return input;
  if (INSTEAD_OF_TEXT.some((name) => input[name] !== undefined)) return input;
  const { readText, standardInput } = await import("./terminal.ts");
  const streams = kind.kind === "text" && kind.batch === "streams" && input["batch"] === true;
  return { ...input, [field.name]: streams ? standardInput(terminal) : await readText(terminal) };
}

/**
 * Asks once, on a terminal, whether agents may use an untrusted memory: one from before trust was recorded, or one from a cloned repository.
 * A command that reads its text from the terminal does not ask.
 */
async function offerTrust(
  memory: Memory,
  operation: Operation,
  { common, terminal, host }: Surroundings & { readonly common: CommonOptions },
): Promise<void> {
  if (common.output === "json" || common.chatter === "quiet" || stdinFieldOf(operation) !== undefined) return;
  if (terminal.stderr.look().kind !== "terminal" || terminal.stdin.kind() !== "terminal") return;
  if (memory.trust.state() === "trusted") return;
  const trust = await host.openTrust();
  if (trust.wasOffered(memory.dir)) return;
  trust.markOffered(memory.dir);
  const question =
    `heartwood: agents' hooks and tools do nothing in ${visible(memory.dir)} until you trust it.\n` +
    "Trust it only if you know where its files come from, because their contents reach your agents. Trust it? [y/N] ";
  const { askYes } = await import("./terminal.ts");
  if (await askYes(terminal, question)) await memory.trust.grant("trust");
  else terminal.stderr.write("Not trusted. You can run `heartwood trust` later.\n");
}

/** `heartwood trust`: adds, removes or lists the folders where agents' hooks and tools may work. */
async function runTrustCommand(call: LocalCall): Promise<void> {
  const { input, common, host, terminal } = call;
  const { list, remove, folder } = input as { readonly list?: true; readonly remove?: true; readonly folder?: string };
  if (folder !== undefined && common.dir !== undefined)
    throw new MemoryError("usage", "The folder was passed twice, as an argument and with --dir; pass it once.");
  const trust = await host.openTrust();
  if (list === true) return showList(call, trust.list());
  const dir = trust.folderOf(folder ?? common.dir);
  const outcome = remove === true ? trust.remove(dir) : trust.add(dir, "trust");
  const unused = remove === true ? "" : trust.unusedState(dir);
  if (unused !== "" && common.chatter === "normal") terminal.stderr.write(`heartwood: warning: ${visible(unused)}\n`);
  if (common.output === "json") terminal.stdout.write(jsonText({ folder: dir, outcome }, terminal.stdout.look()));
  else if (common.chatter === "normal") terminal.stdout.write(`${visible(said[outcome](dir))}\n`);
}

const said = {
  added: (dir: string) => `Trusted ${dir}: hooks, capture, background work and MCP now work there.`,
  known: (dir: string) => `${dir} is already trusted.`,
  removed: (dir: string) => `${dir} is no longer trusted: hooks, capture, background work and MCP do nothing there.`,
  unknown: (dir: string) => `${dir} was not trusted.`,
} as const;

function showList({ common, input, terminal }: LocalCall, folders: ReturnType<HostTrust["list"]>): void {
  if (input["folder"] !== undefined || input["remove"] === true)
    throw new MemoryError("usage", "--list cannot be used with a folder or --remove; it lists every trusted folder.");
  if (common.output === "json") return terminal.stdout.write(jsonText({ folders }, terminal.stdout.look()));
  const lines = folders.map(({ path, state }) => visible(state === "trusted" ? path : `${path}  (${state})`));
  terminal.stdout.write(lines.length === 0 ? "No folder is trusted.\n" : `${lines.join("\n")}\n`);
}

/**
 * Reports a failure: with `--json` one document `{error: {code, message, ...details}}` on stdout, otherwise one sentence on stderr, with a stack only
 * if HEARTWOOD_DEBUG=1.
 */
export async function reportFailure(
  thrown: unknown,
  terminal: Terminal,
  output: CommonOptions["output"],
): Promise<ExitStatus> {
  const { failureOf, redacted } = await import("../../operations/failure.ts");
  const { code, message, details } = failureOf(thrown);
  if (output === "json") {
    // Details first, so a detail named `code` or `message` cannot override ours.
    const document = { error: { ...details, code, message } };
    terminal.stdout.write(`${visible(JSON.stringify(document), "json")}\n`);
  } else {
    const shownCode = terminal.errorCodes === "told" ? `error ${code}: ` : "";
    terminal.stderr.write(`heartwood: ${shownCode}${visible(message).replaceAll("\n", " ")}\n`);
  }
  if (terminal.debugging === "on") terminal.stderr.write(`${visible(redacted(stackOf(thrown)))}\n`);
  return errorStatuses[code].exit;
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `\ncaused by ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
