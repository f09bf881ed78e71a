import { addDays, isDay, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import { type Origin, isPreserved, parseHeadingTopic, type MemoryType } from "../../base/memory-type.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown, tagWarnings } from "../../text/shown.ts";
import { createEntryId, isEntryId, type Entry } from "../model/entry-format.ts";
import { cleanTopicName } from "../model/node-sections.ts";
import { renamedTopic } from "./records.ts";
import { type Appended, appendEntries } from "./append.ts";
import type { LogAddInput } from "../inputs.ts";
import { textLines } from "../../base/lines.ts";
import type { TreeMemory } from "../memory.ts";

export interface LogAddResult {
  readonly path: string;
  /** First and last line of the entry in the file. */
  readonly lines: readonly [number, number];
  readonly id: string;
  readonly date: string;
  readonly topic: string;
  readonly type: string;
  /** `duplicate`: an entry with that id already existed; `forgotten`: one was forgotten, and `lines` are 0. Nothing was written. */
  readonly action: "added" | "duplicate" | "forgotten";
  /** Kinds of secrets redacted before writing. */
  readonly redacted: readonly string[];
  readonly warnings: readonly Warning[];
}

/**
 * Appends one entry to a day's log; `alsoSeen`: other days whose logs may already have it. Errors: `invalid_topic`,
 * `invalid_body`, `invalid_date`, `invalid_id`, `invalid_origin`, `busy`, `disk_full`, `io`.
 */
export async function appendEntry(
  memory: TreeMemory,
  input: LogAddInput,
  alsoSeen?: readonly Day[],
): Promise<LogAddResult> {
  const { entry, day, given, redacted } = await prepareEntry(memory, input);
  const { id, topic, type } = entry;
  const today = localDay(memory.clock.now(), memory.clock.zone);
  // The same entry may be in a neighboring log if midnight passed between two attempts, or if only one of them gave a
  // date.
  const before = day > "0001-01-01" ? [addDays(day, -1)] : [];
  const neighbours = day < today ? [...before, addDays(day, 1)] : before;
  const { appended, warnings: unread } = await appendEntries(memory, day, [entry], {
    holder: "log add",
    counting: "counted",
    alsoSeen: alsoSeen ?? (input.id === undefined ? [] : neighbours),
  });
  const { path, lines, day: date, action } = appended[0] as Appended;
  const renamed = `the topic "${given}" is called "${topic}" now, so the entry is on that topic`;
  const known = topic === given ? [] : [{ code: "topic_renamed", path, message: renamed }];
  const told = tagWarnings(path, topic, input.type ?? input.rule);
  const message = `a secret (${redacted.join(", ")}) was replaced before it was written`;
  const replaced = redacted.length === 0 ? [] : [{ code: "secret_redacted", path, message }];
  const warnings = [...replaced, ...known, ...told, ...unread];
  return { path, lines, id, date, topic, type, action, redacted, warnings };
}

interface Prepared {
  readonly entry: Entry;
  readonly day: Day;
  /** The topic before it got its present name. */
  readonly given: string;
  /** Kinds of secrets that were replaced. */
  readonly redacted: readonly string[];
}

/** The entry that would be appended. Writes nothing. Errors: those of `appendEntry` that come from its input. */
export async function prepareEntry(memory: TreeMemory, input: LogAddInput): Promise<Prepared> {
  const now = memory.clock.now();
  const today = localDay(now, memory.clock.zone);
  const day = dayOf(input.date, today);
  const type = typeOf(input);
  const given = redact(topicOf(input.topic));
  const topic = { ...given, text: await renamedTopic(memory, given.text) };
  const body = redact(bodyOf(input, type));
  const id = idOf(input.id) ?? createEntryId(now, memory.random.bytes(16));
  const at = `${day}${localTimestamp(now, memory.clock.zone).slice(10)}`;
  const origin = originOf(input.origin, type);
  const entry: Entry = {
    topic: topic.text,
    type,
    id,
    origin,
    corrects: input.corrects,
    body: textLines(body.text),
    at,
  };
  const redacted = [...new Set([...topic.found, ...body.found].map((secret) => secret.kind))];
  return { entry, day, given: given.text, redacted };
}

function dayOf(date: string | undefined, today: string): string {
  if (date === undefined) return today;
  if (!isDay(date)) {
    const message = `The date is "${shown(date)}"; it must be a valid date in the form YYYY-MM-DD.`;
    throw new MemoryError("invalid_date", message, { date: shown(date) });
  }
  if (date <= today) return date;
  const message = `The date is ${date}, after today (${today}); use today or an earlier day.`;
  throw new MemoryError("invalid_date", message, { date, today });
}

function typeOf({ topic, type: given, rule }: LogAddInput): MemoryType {
  const { tagged, type } = parseHeadingTopic(topic);
  return given ?? (tagged === "tagged" ? type : rule === undefined ? "project" : "feedback");
}

function topicOf(text: string): string {
  const { name } = parseHeadingTopic(text);
  // Parse it like a heading, which drops a dash or colon before the type.
  const { name: topic } = parseHeadingTopic(`${cleanTopicName(name).replace(/^[#\s]+/u, "")} [project]`);
  const isLong = /[\r\n]/u.test(text.trim());
  if (topic !== "" && !isLong) return topic;
  const seen = isLong ? "has more than one line" : "is empty";
  const message = `The topic ${seen}; it must be one line of up to 80 characters that names what the entry is about.`;
  throw new MemoryError("invalid_topic", message);
}

function bodyOf(input: LogAddInput, type: MemoryType): string {
  const parts = { rule: input.rule, why: input.why, "how-to-apply": input.how_to_apply };
  const feedback = Object.entries(parts).flatMap(([key, value = ""]) =>
    value.trim() === "" ? [] : [`- ${key}: ${value.trim().replaceAll(/\s*\n\s*/gu, " ")}`],
  );
  const { body = "" } = input;
  const text = [...feedback, ...(body.trim() === "" ? [] : [body.replace(/^\uFEFF/u, "")])].join("\n");
  const wrong = (message: string): MemoryError => new MemoryError("invalid_body", message);
  const foreign = `--rule, --why and --how-to-apply are only for type feedback, but the type is ${type}: omit them or use --type feedback.`;
  if (feedback.length > 0 && type !== "feedback") throw wrong(foreign);
  if (text.trim() === "")
    throw wrong("The entry has no text; pass it with --body, on standard input or, for feedback, with --rule.");
  if (text.includes("\0")) throw wrong("The text of the entry contains a NUL character; it must be plain text.");
  return text;
}

function idOf(id: string | undefined): string | undefined {
  if (id === undefined) return id;
  // Check after each dot, underscore and dash too; in running text, a secret would not start there.
  const starts = [0, ...[...id.slice(0, 200).matchAll(/[._-]/gu)].map(({ index }) => index + 1)];
  const [secret] = starts.flatMap((start) => redact(id.slice(start)).found);
  if (secret !== undefined) {
    const message = `The id contains a secret (${secret.kind}), and ids are written unchanged: use another one, and change that secret if it is real.`;
    throw new MemoryError("invalid_id", message, { kind: secret.kind });
  }
  if (isEntryId(id)) return id;
  const message = `The id is "${shown(id)}"; it must be 1 to 96 characters from A-Z, a-z, 0-9, '.', '_' and '-', starting with a letter or digit.`;
  throw new MemoryError("invalid_id", message);
}

/** Content from a tool or a web page is nothing the user said, so it cannot be of type `user` or `feedback`. */
function originOf(origin: Origin = "agent", type: MemoryType): Origin {
  if (origin !== "tool" || !isPreserved(type)) return origin;
  const message = `The origin is tool and the type is ${type}, but entries from tools can only be reference or project: use --type reference or --type project, or --origin user for something the user said.`;
  throw new MemoryError("invalid_origin", message, { origin, type });
}
