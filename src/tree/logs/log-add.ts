import { addDays, isDay, localDay, localTimestamp, type Day } from "../../base/calendar.ts";
import {
  type Origin,
  isMemoryType,
  isPreserved,
  memoryTypes,
  parseHeadingTopic,
  type MemoryType,
} from "../../base/memory-type.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { textLines } from "../../base/lines.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown, typeMeantBy, typeWarning } from "../../text/shown.ts";
import { createEntryId, isEntryId, type Entry } from "../model/entry-format.ts";
import { cleanTopicName } from "../model/node-sections.ts";
import { appendEntries } from "./append.ts";
import { origins, type LogAddInput } from "../inputs.ts";
import type { TreeMemory } from "../memory.ts";

/** Inside, nothing has checked what the type and the origin are. */
type Given = Omit<LogAddInput, "type" | "origin"> & { readonly type?: string; readonly origin?: string };

export interface LogAddResult {
  readonly path: string;
  /** First and last line of the entry in the file. */
  readonly lines: readonly [number, number];
  readonly id: string;
  readonly date: string;
  readonly topic: string;
  readonly type: string;
  /** `duplicate`: an entry of that id was there already, nothing was written. */
  readonly action: "added" | "duplicate";
  /** Kinds of secrets that were replaced before writing. */
  readonly redacted: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Appends one entry to the log of a day. Errors: `invalid_topic`, `invalid_type`, `invalid_body`, `invalid_date`, `invalid_id`, `invalid_origin`, `busy`, `disk_full`, `io`. */
export async function appendEntry(memory: TreeMemory, input: Given): Promise<LogAddResult> {
  const now = memory.clock.now();
  const today = localDay(now, memory.clock.zone);
  const day = dayOf(input.date, today);
  const type = typeOf(input);
  const topic = redact(topicOf(input.topic));
  const body = redact(bodyOf(input, type));
  const id = idOf(input.id) ?? createEntryId(now, memory.random.bytes(16));
  const entry: Entry = {
    topic: topic.text,
    type,
    id,
    origin: originOf(input.origin, type),
    body: textLines(body.text),
    at:
      day === today
        ? localTimestamp(now, memory.clock.zone)
        : `${day}${localTimestamp(now, memory.clock.zone).slice(10)}`,
  };
  const [appended] = await appendEntries(memory, day, [entry], {
    holder: "log add",
    counting: "counted",
    alsoSeen: input.id === undefined ? [] : neighboursOf(day, today),
  });
  if (appended === undefined)
    throw new MemoryError("internal", "Nothing was appended, though nothing failed: please report this.");
  const redacted = [...new Set([...topic.found, ...body.found].map((secret) => secret.kind))];
  const near = input.type === undefined ? typeMeantBy(entry.topic) : undefined;
  const warnings = [
    ...redactedWarnings(appended.path, redacted),
    ...(near === undefined ? [] : [typeWarning(appended.path, near)]),
    ...appended.warnings,
  ];
  return {
    path: appended.path,
    lines: appended.lines,
    id,
    date: appended.day,
    topic: entry.topic,
    type,
    action: appended.action,
    redacted,
    warnings,
  };
}

function dayOf(date: string | undefined, today: string): string {
  if (date === undefined) return today;
  if (!isDay(date))
    throw new MemoryError(
      "invalid_date",
      `The date is "${shown(date)}"; it must be a day of the calendar as YYYY-MM-DD.`,
      { date: shown(date) },
    );
  if (date > today)
    throw new MemoryError(
      "invalid_date",
      `The date is ${date}, after today (${today}); an entry goes to today or to a past day.`,
      { date, today },
    );
  return date;
}

/** Where the same entry may stand when midnight came between two attempts, or the one had a date and the other none. */
function neighboursOf(day: Day, today: Day): readonly Day[] {
  const before = day > "0001-01-01" ? [addDays(day, -1)] : [];
  return day < today ? [...before, addDays(day, 1)] : before;
}

function typeOf(input: Given): MemoryType {
  const { tagged, type } = parseHeadingTopic(input.topic);
  const untagged = input.rule === undefined ? "project" : "feedback";
  const given = input.type ?? (tagged === "tagged" ? type : untagged);
  if (isMemoryType(given)) return given;
  throw new MemoryError("invalid_type", `The type is "${shown(given)}"; it must be one of ${memoryTypes.join(", ")}.`, {
    type: shown(given),
  });
}

function topicOf(text: string): string {
  const { name } = parseHeadingTopic(text);
  const topic = cleanTopicName(name).replace(/^[#\s]+/u, "");
  if (/[\r\n]/u.test(text.trim()))
    throw new MemoryError(
      "invalid_topic",
      "The topic has more than one line; it must be one line of up to 80 characters.",
    );
  if (topic === "")
    throw new MemoryError(
      "invalid_topic",
      "The topic is empty; it must be one line of up to 80 characters that names what the entry is about.",
    );
  return topic;
}

function bodyOf(input: Given, type: MemoryType): string {
  const parts = [
    ["rule", input.rule],
    ["why", input.why],
    ["how-to-apply", input.how_to_apply],
  ] as const;
  const feedback = parts.flatMap(([key, value]) =>
    value === undefined || value.trim() === "" ? [] : [`- ${key}: ${value.trim().replaceAll(/\s*\n\s*/gu, " ")}`],
  );
  if (feedback.length > 0 && type !== "feedback")
    throw new MemoryError(
      "invalid_body",
      `--rule, --why and --how-to-apply belong to the type feedback, and the type is ${type}: leave them out or use --type feedback.`,
    );
  const text = [
    ...feedback,
    ...(input.body === undefined || input.body.trim() === "" ? [] : [input.body.replace(/^\uFEFF/u, "")]),
  ].join("\n");
  if (text.trim() === "")
    throw new MemoryError(
      "invalid_body",
      "The entry has no text; give it with --body, on standard input, or for feedback with --rule.",
    );
  if (text.includes("\0"))
    throw new MemoryError("invalid_body", "The text of the entry holds a NUL character; it must be text.");
  return text;
}

function idOf(id: string | undefined): string | undefined {
  if (id === undefined) return id;
  const secret = secretIn(id);
  if (secret !== undefined)
    throw new MemoryError(
      "invalid_id",
      `The id holds a secret (${secret.kind}), and ids are written as they are: give another one, and change that secret if it is real.`,
      { kind: secret.kind },
    );
  if (isEntryId(id)) return id;
  throw new MemoryError(
    "invalid_id",
    `The id is "${shown(id)}"; it must be 1 to 96 of the characters A-Z, a-z, 0-9, '.', '_' and '-', beginning with a letter or digit.`,
  );
}

/** Also one that stands after a dot or a dash, where a text's secrets do not begin. */
function secretIn(id: string): { readonly kind: string } | undefined {
  const starts = [0, ...[...id.slice(0, 200).matchAll(/[._-]/gu)].map(({ index }) => index + 1)];
  return starts.map((start) => redact(id.slice(start)).found[0]).find((found) => found !== undefined);
}

/** What a tool or a page says is not about a person until a person says so. */
function originOf(origin: string | undefined, type: MemoryType): Origin {
  const given = origin ?? "agent";
  if (!(origins as readonly string[]).includes(given))
    throw new MemoryError(
      "invalid_origin",
      `The origin is "${shown(given)}"; it must be one of ${origins.join(", ")}.`,
    );
  if (given === "tool" && isPreserved(type))
    throw new MemoryError(
      "invalid_origin",
      `The origin is tool and the type is ${type}, but what comes from a tool may only be reference or project: use --type reference or --type project, or let a person say it with --origin user.`,
      { origin: given, type },
    );
  return given as Origin;
}

function redactedWarnings(path: string, kinds: readonly string[]): readonly Warning[] {
  if (kinds.length === 0) return [];
  const message = `a secret (${kinds.join(", ")}) was replaced before it was written`;
  return [{ code: "secret_redacted", path, message }];
}
