import { findStaleReferences } from "../audit/run/load-workspace.ts";
import { addDays, type Day } from "../base/calendar.ts";
import { sha256, shortDigest } from "../base/digest.ts";
import { MemoryError, type Warning } from "../base/errors.ts";
import { decodeText, textLines } from "../base/lines.ts";
import { topicKey } from "../base/memory-type.ts";
import { parseCorrected, placesCorrected } from "../text/corrected.ts";
import { isTurn, kindOfSaid, mayBeQuoted, withoutSpeaker } from "../text/extract/said.ts";
import { redact } from "../text/redact/redact.ts";
import { shown } from "../text/shown.ts";
import { decide } from "../tree/logs/log-change.ts";
import { logPath } from "../tree/logs/raw-logs.ts";
import { readRecords } from "../tree/logs/records.ts";
import { realFilesOf, withLogicalLogs } from "../tree/memory.ts";
import { inForce, isItemId } from "../tree/model/records-format.ts";
import { logWarnings } from "../tree/plan/late-sources.ts";
import type { LineRange } from "../tree/root-run/root.ts";
import { placed, readGathered, type PlacedStatement } from "../tree/root-run/topics.ts";
import { statementsOf, type Statement } from "../tree/root/root-statements.ts";
import { loadTree } from "../tree/run/load.ts";
import { findConflictsInNotes } from "./doctor-tree.ts";
import type { Memory } from "./operation.ts";

export const inboxKinds = ["conflict_markers", "contradiction", "spoken_rule", "stale_reference"] as const;
export type InboxKind = (typeof inboxKinds)[number];

/** Something that a person can do about an item. */
export interface InboxAction {
  readonly label: string;
  /** The operation that does it; `null` if the person does it outside. */
  readonly operation: string | null;
  /** Its whole input. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface InboxItem {
  /** A digest of its kind and texts: a dismissed item comes back if its text changes. */
  readonly id: string;
  readonly kind: InboxKind;
  /** The day of the newest text; `null` if it has none. */
  readonly day: Day | null;
  /** One sentence: what was found. */
  readonly message: string;
  /** The texts as they were written, newest first. */
  readonly quotes: readonly QuotedText[];
  readonly actions: readonly InboxAction[];
}

export interface QuotedText {
  readonly text: string;
  readonly day: Day | null;
  /** `memory/2026-03-15.md:12-18`. */
  readonly places: readonly string[];
}

export interface InboxResult {
  readonly today: Day;
  /** Items without a day first, then newest first. */
  readonly items: readonly InboxItem[];
  readonly counts: Readonly<Record<InboxKind, number>>;
  /** How many older items are not listed. */
  readonly left_out: number;
  /** How many items of now were dismissed. */
  readonly dismissed: number;
}

/** More items than this are not looked through. */
const mostItems = 200;
/** An older statement that was replaced is not news. */
const longestReplaced = 60;

/** Lists what needs a person. Infers nothing: each item quotes what was found. Before there is a ROOT.md, only what needs no tree. Errors: `invalid_config`, `io`. */
export async function readInbox(memory: Memory): Promise<InboxResult> {
  const items = await findItems(memory);
  const gone = await dismissedIn(memory);
  const open = items.filter(({ id }) => !gone.has(id));
  const count = (kind: InboxKind): number => open.filter((item) => item.kind === kind).length;
  return {
    today: memory.clock.today(),
    items: open.slice(0, mostItems),
    counts: {
      conflict_markers: count("conflict_markers"),
      contradiction: count("contradiction"),
      spoken_rule: count("spoken_rule"),
      stale_reference: count("stale_reference"),
    },
    left_out: Math.max(0, open.length - mostItems),
    dismissed: items.length - open.length,
  };
}

export interface DismissResult {
  readonly action: "dismissed" | "already_dismissed";
  readonly id: string;
  readonly kind: InboxKind;
  readonly message: string;
  /** Of the record; `log undo` takes it back. */
  readonly record: string;
}

/** Hides an item until its text changes. Changes no file but the records. Errors: `not_found`, `busy`, `io`. */
export async function dismissItem(memory: Memory, { id }: { readonly id: string }): Promise<DismissResult> {
  const asked = id.trim().toLowerCase();
  const item = isItemId(asked) ? (await findItems(memory)).find((one) => one.id === asked) : undefined;
  if (item === undefined) {
    const seen = shown(id, 40);
    const message = `There is no item "${seen}" in the inbox; heartwood inbox lists the items with their ids.`;
    throw new MemoryError("not_found", message, { id: seen });
  }
  const { kind, message } = item;
  const known = (await dismissedIn(memory)).get(asked);
  if (known !== undefined) return { action: "already_dismissed", id: asked, kind, message, record: known };
  const record = await decide(memory, { kind: "dismissed", item: asked });
  return { action: "dismissed", id: asked, kind, message, record };
}

/** The ids of dismissed items, with those of their records. */
async function dismissedIn(memory: Memory): Promise<ReadonlyMap<string, string>> {
  const records = inForce(await readRecords(realFilesOf(memory.files)));
  return new Map(records.flatMap((one) => (one.kind === "dismissed" ? [[one.item, one.id] as const] : [])));
}

async function findItems(memory: Memory): Promise<readonly InboxItem[]> {
  const { gathered, files } = await gatheredOf(memory);
  const since = addDays(memory.clock.today(), -longestReplaced);
  const items: InboxItem[] = [...(await conflicts(memory)), ...(await staleReferences(memory))];
  if (gathered === undefined) return newestFirst(items);
  const { corrected, lines } = await decidedToday(memory);
  for (const [older, { newest, isOfSeries }] of gathered.replaced) {
    const isOpen = older.day >= since && !isOfSeries && !gathered.replaced.has(newest);
    if (isOpen && !placed(older).places.some(corrected)) items.push(contradiction(older, newest));
  }
  const ruled = new Set(
    gathered.passages
      .filter(({ role }) => role === "preserved")
      .flatMap((one) => statementsOf(one).map(({ text }) => textKey(text))),
  );
  const isRuled = ({ text }: Statement): boolean => ruled.has(textKey(text)) || lines.has(textKey(text));
  const linesOf = linesIn(files);
  for (const said of gathered.said)
    if (isRule(said) && !isRuled(said) && !mayBeQuoted(said.text, await restOfTurn(said, linesOf)))
      items.push(spokenRule(said));
  return newestFirst(items);
}

function newestFirst(items: readonly InboxItem[]): readonly InboxItem[] {
  // The same sentence may have been replaced in two places.
  const each = [...new Map(items.map((item) => [item.id, item])).values()];
  return each.toSorted((a, b) => Number(a.day !== null) - Number(b.day !== null) || compareDays(b.day, a.day));
}

/** What the tree says, with the files that its places are in; without it if there is no ROOT.md yet. */
async function gatheredOf(memory: Memory) {
  try {
    const { gathered, opened } = await readGathered(memory);
    return { gathered, files: opened.memory.files };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "not_found") throw error;
    return { gathered: undefined, files: memory.files };
  }
}

type LinesOf = (path: string) => Promise<readonly string[]>;

function linesIn(files: Memory["files"]): LinesOf {
  const known = new Map<string, Promise<readonly string[]>>();
  const read = async (path: string): Promise<readonly string[]> =>
    textLines(decodeText((await files.read(path))?.bytes ?? new Uint8Array(0)) ?? "");
  return (path) => {
    const lines = known.get(path) ?? read(path);
    known.set(path, lines);
    return lines;
  };
}

/** What else the user said in the turn of a sentence. */
async function restOfTurn(said: Statement, linesOf: LinesOf): Promise<string> {
  const place = placed(said).places.find(({ path, lines }) => path.startsWith("memory/") && lines[0] > 0);
  if (place === undefined) return "";
  const all = await linesOf(place.path);
  const [from, to] = place.lines;
  const start = all.slice(0, from).findLastIndex(isTurn);
  const end = all.findIndex((text, at) => at >= to && isTurn(text));
  const turn = all.slice(Math.max(0, start), end < 0 ? all.length : end).map(withoutSpeaker);
  return turn
    .join(" ")
    .replace(/\s+/gu, " ")
    .replace(said.text.split(" … ", 1)[0] ?? "", "");
}

function compareDays(a: Day | null, b: Day | null): number {
  return (a ?? "") < (b ?? "") ? -1 : (a ?? "") > (b ?? "") ? 1 : 0;
}

/** An instruction or a preference. What the user tells about themselves needs no decision. */
function isRule({ text }: Statement): boolean {
  const kind = kindOfSaid(text.split(" … ", 1)[0] ?? "");
  return kind === "instruction" || kind === "preference";
}

/** What today's log says already, though the tree may not have it yet. */
async function decidedToday(memory: Memory) {
  const read = await memory.files.read(logPath(memory.clock.today()));
  const texts = textLines(decodeText(read?.bytes ?? new Uint8Array(0)) ?? "");
  const places = placesCorrected(texts);
  return {
    corrected: ({ path, lines: [from, to] }: LineRange): boolean =>
      places.some(({ source, lines }) => source === path && lines[0] <= to && from <= lines[1]),
    lines: new Set(texts.map((text) => textKey(text.replace(/^- (?:rule: )?/u, "")))),
  };
}

function textKey(text: string): string {
  return topicKey(text).replace(/[.。!！]$/u, "");
}

function contradiction(older: Statement, newer: Statement): InboxItem {
  const [was, now] = [placed(older), placed(newer)];
  const name = shown(older.passage.topic, 80);
  const about = name === "" ? "What the user said" : name;
  const item = itemOf("contradiction", now.day, {
    message: `${about}: what was said on ${now.day} replaced what was said on ${was.day}.`,
    quotes: [quoteOf(now), quoteOf(was)],
    of: [older.passage.topic, was.text, now.text],
  });
  const place = correctable(was);
  if (place === undefined) return item;
  const isFeedback = older.passage.type === "feedback" && older.passage.role === "preserved";
  const right = isFeedback ? { type: "feedback", rule: now.text } : { body: `- ${now.text}` };
  const topic = redact(older.passage.topic).text;
  const supersede = { topic, corrects: textOf(place), ...right, origin: "user" };
  return {
    ...item,
    actions: [
      ...item.actions.map((action) => ({ ...action, label: "Leave it and hide this" })),
      { label: "Correct the older one with the newer one", operation: "log.add", input: supersede },
      forgetAction("Forget the older one (shows first what would go)", place),
    ],
  };
}

function spokenRule(said: Statement): InboxItem {
  const quote = placed(said);
  const item = itemOf("spoken_rule", quote.day, {
    message: `The user said this on ${quote.day}, and no entry has it yet.`,
    quotes: [quoteOf(quote)],
    of: [quote.text],
  });
  const place = quote.places.find(({ lines }) => lines[0] > 0);
  if (place === undefined) return item;
  const promote = (type: "feedback" | "user", label: string): InboxAction => {
    return { label, operation: "log.promote", input: { place: textOf(place), type } };
  };
  return {
    ...item,
    actions: [promote("feedback", "Make it a rule"), promote("user", "Make it a fact about the user"), ...item.actions],
  };
}

async function staleReferences(memory: Memory): Promise<readonly InboxItem[]> {
  return (await findStaleReferences(memory.files)).map(({ path, line, message, text }) => {
    const place = line === null ? path : `${path}:${line}`;
    return itemOf("stale_reference", null, {
      message: `${shown(path, 120)} names a missing file: ${message}`,
      quotes: [{ text: text.trim(), day: null, places: [place] }],
      of: [path, message, text],
    });
  });
}

async function conflicts(memory: Memory): Promise<readonly InboxItem[]> {
  const whole = await withLogicalLogs(memory);
  const found = logWarnings(await loadTree(whole, { cache: "used" })).filter(({ code }) => code === "conflict_markers");
  return [...found, ...(await findConflictsInNotes(memory))].map(({ message, path, line }: Warning) => {
    const places = path === undefined ? [] : [line === undefined ? path : `${path}:${line}`];
    const said = redact(message).text;
    const isMerged = message.includes("heartwood git resolve");
    const label = isMerged ? "Run heartwood git resolve" : "Edit the file and remove the markers";
    const item = itemOf("conflict_markers", null, { message: sentence(said), quotes: [], of: [message] });
    const quotes = places.length === 0 ? [] : [{ text: "", day: null, places }];
    return { ...item, quotes, actions: [{ label, operation: null, input: {} }] };
  });
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

function itemOf(
  kind: InboxKind,
  day: Day | null,
  { of, ...told }: Pick<InboxItem, "message" | "quotes"> & { readonly of: readonly string[] },
): InboxItem {
  const id = shortDigest(sha256([kind, ...of].join("\0")));
  return {
    id,
    kind,
    day: day === "" ? null : day,
    ...told,
    actions: [{ label: "Dismiss", operation: "memory.dismiss", input: { id } }],
  };
}

function quoteOf({ text, day, places }: PlacedStatement): QuotedText {
  return { text, day: day === "" ? null : day, places: places.map(textOf) };
}

function textOf({ path, lines: [from, to] }: LineRange): string {
  if (from === 0) return path;
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}

/** The first place that an entry can correct. */
function correctable({ places }: PlacedStatement): LineRange | undefined {
  return places.find((place) => place.lines[0] > 0 && parseCorrected(textOf(place)) !== undefined);
}

function forgetAction(label: string, { path, lines: [from, to] }: LineRange): InboxAction {
  const day = path.slice("memory/".length, -".md".length);
  return { label, operation: "memory.forget", input: { day, lines: `${from}-${to}`, dry_run: true } };
}
