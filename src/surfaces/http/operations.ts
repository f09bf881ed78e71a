import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { redacted } from "../../operations/failure.ts";
import { isStream, textFile, type Memory, type Operation } from "../../operations/operation.ts";
import { operations, type OperationName } from "../../operations/table.ts";
import { visible } from "../../text/visible.ts";

/** Operations that are not served, because they read or write paths on the server's machine outside the memory. */
const leftOut: readonly OperationName[] = [
  // Reads an agent's transcript, by path or from the agent's own folders.
  "capture.run",
  "capture.import",
  // Changes a database outside the memory, as its owner.
  "store.migrate",
  // Makes a memory in a folder; this server has one.
  "memory.init",
];

export const servedOperations: readonly Operation[] = (operations as readonly Operation[]).filter(
  ({ name }) => !(leftOut as readonly string[]).includes(name),
);

/** A memory that opens no other folder of this machine, as memory.diff would. */
export function withoutOtherFolders(memory: Memory): Memory {
  const { filesIn: _filesIn, ...own } = Object.getOwnPropertyDescriptors(memory);
  return Object.defineProperties({}, own) as Memory;
}

/** What runs operations beside each other. */
export interface Turns {
  /** Runs writes one at a time, in order. */
  write<T>(work: () => Promise<T>): Promise<T>;
  /** Runs a few reads at a time. */
  read<T>(work: () => Promise<T>): Promise<T>;
}

/** What an operation answers, ready to be sent. */
export type Answer =
  | { readonly kind: "document"; readonly document: object; readonly notIndexed: number }
  | { readonly kind: "lines"; readonly lines: AsyncIterable<string> };

/** Reads that may take longer than a person waits for a click, so that others would have to wait for them. */
const longReads: readonly OperationName[] = [
  "memory.diff",
  "memory.doctor",
  "memory.inbox",
  "memory.report",
  "summaries.pending",
  "thread.verify",
  "topic.list",
  "topic.show",
  "tree.verify",
];

/** Whether an operation on this input is better run in another thread. */
export function isLongRead({ name }: Operation, input: Readonly<Record<string, unknown>>): boolean {
  if (name === "audit.run" || name === "memory.forget") return input["dry_run"] === true;
  if (name === "tree.root") return input["dropped"] === true;
  if (name === "tree.show") return typeof input["as_of"] === "string";
  return (longReads as readonly string[]).includes(name);
}

/** Runs an operation on a body. Errors: any of the operation. */
export async function runOperation(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  { memory, turns, call }: { readonly memory: Memory; readonly turns: Turns; readonly call: Call },
): Promise<Answer> {
  const input = inputOf(operation, given);
  const turn = operation.effect === "reads" ? turns.read : turns.write;
  const result = await turn(() => operation.run(memory, input, call));
  if (isStream(result)) return { kind: "lines", lines: result };
  const outcome = operation.outcomeOf?.(result) ?? "done";
  return { kind: "document", document: { outcome, result: safeToSend(result) }, notIndexed: notIndexedIn(result) };
}

/** The input, with texts as files. Errors: `usage` for a file that is not a text, and for a file to write. */
function inputOf(operation: Operation, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = { ...given };
  for (const { name, kind, summary } of operation.fields) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (kind.kind === "output") {
      const message = `${name} names a file to write, which does not exist over HTTP; omit it, the result has the same.`;
      throw new MemoryError("usage", message, { field: name });
    }
    if (kind.kind !== "file") continue;
    if (typeof value !== "string")
      throw new MemoryError("usage", `${name} is not a string; it must be the text itself: ${summary}.`, {
        field: name,
      });
    input[name] = textFile(name, value);
  }
  // As with --json: programs get the document, unless they ask for a rendering.
  if (input["render"] === undefined && operation.fields.some(({ name }) => name === "render")) input["render"] = "json";
  return input;
}

function notIndexedIn(result: unknown): number {
  const found = typeof result === "object" && result !== null && "not_indexed" in result ? result.not_indexed : 0;
  return typeof found === "number" ? found : 0;
}

/** A result in which all strings are visible and have their secrets replaced. */
export function safeToSend(value: unknown): unknown {
  return withTexts(value, safeText);
}

/** A line of JSON, with secrets replaced. A line without any keeps its bytes, except that hidden characters become JSON escapes. */
export function safeLine(line: string): string {
  const parsed: unknown = JSON.parse(line);
  const clean = withTexts(parsed, redacted);
  return visible(clean === parsed ? line : JSON.stringify(clean), "json");
}

/** A copy with its texts replaced, names of fields too; the same value if none changes. */
function withTexts(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === "string") return replaced(value);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries: (readonly [string, unknown])[] = [];
  let isSame = true;
  for (const key of Object.keys(fields)) {
    // The names of fields are most of the texts in a result.
    const name = Array.isArray(value) || plainName.test(key) ? key : replaced(key);
    const part = withTexts(fields[key], replaced);
    isSame &&= name === key && part === fields[key];
    entries.push([name, part]);
  }
  if (isSame) return value;
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

const plainName = /^[a-z_]{1,40}$/u;

/** Characters of the texts in one generation of `remembered`. */
const mostRemembered = 1_000_000;
/** The safe form of texts that were sent lately: a page asks for the same ones again and again, and looking for secrets takes most of the time of a short call. */
const remembered = { new: new Map<string, string>(), old: new Map<string, string>(), size: 0 };

function safeText(text: string): string {
  const known = remembered.new.get(text);
  if (known !== undefined) return known;
  const safe = remembered.old.get(text) ?? visible(redacted(text));
  remembered.size += text.length;
  if (remembered.size > mostRemembered) {
    [remembered.old, remembered.new] = [remembered.new, new Map()];
    remembered.size = text.length;
  }
  if (text.length <= mostRemembered) remembered.new.set(text, safe);
  return safe;
}
