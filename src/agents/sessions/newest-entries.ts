import {
  standingOf,
  parseEntryComment,
  parseHeadingTopic,
  snapshotTopic,
  type Origin,
} from "../../base/memory-type.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { scanLines } from "../../base/markdown.ts";
import { speakerOf, withoutSpeaker } from "../../text/extract/said.ts";
import { isCorrects, placeCorrectedBy, type CorrectedPlace } from "../../text/corrected.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import { sectionsIn, type WholeSection } from "../../recall/passages/sections.ts";
import { SecretScan } from "../../tree/compose/secrets.ts";
import { parseLogFile } from "../../tree/model/period.ts";
import type { AgentMemory } from "../memory.ts";

/** An entry of a log, or one turn of the user, in its own words. */
export interface NewEntry {
  /** `11-26 Port [reference]: `, `11-26 11:57 User: `. */
  readonly head: string;
  /** The items of the entry, or the whole turn. */
  readonly items: readonly string[];
  /** Milliseconds since the epoch, if the log has its time; otherwise its day. */
  readonly at: number | string;
  readonly day: string;
  /** What it corrects. */
  readonly corrects?: CorrectedPlace | undefined;
}

/** What is read of the newest logs. */
const most = { days: 14, bytes: 64 * 1024 };
/** Characters of one line. */
const longestLine = 1000;

/** The newest entries of the logs, oldest first. Unreadable logs are skipped. If it gets late, older logs are left out; the newest is always read. */
export async function newestEntries(memory: Pick<AgentMemory, "files">, { isLate, own }: ReadOptions): Promise<Newest> {
  const names = await memory.files.names("memory").catch(ifMemoryError(() => []));
  const logs = names.flatMap((name) => {
    const log = parseLogFile(name);
    return log.state === "log" ? [{ path: `memory/${name}`, day: log.day }] : [];
  });
  const entries: NewEntry[][] = [];
  const leftOut: string[] = [];
  let ownText = "";
  let left = most.bytes;
  for (const { path, day } of logs.slice(-most.days).toReversed()) {
    if (left <= 0) break;
    if (entries.length > 0 && isLate()) {
      leftOut.unshift(path);
      continue;
    }
    const text = await readEnd(memory, path, left);
    left -= Buffer.byteLength(text);
    const read = entriesIn(text, day, own);
    entries.unshift(read.entries);
    ownText += read.ownText;
  }
  return { entries: entries.flat(), leftOut, ownText };
}

export interface ReadOptions {
  readonly isLate: () => boolean;
  /** The topic of a session's own entries, which are left out. */
  readonly own: string;
}

interface Newest {
  readonly entries: readonly NewEntry[];
  /** Logs that were not read in time. */
  readonly leftOut: readonly string[];
  /** The session's own entries. */
  readonly ownText: string;
}

/** The end of a log, from the start of an entry: half a private key would not be recognized. */
async function readEnd(memory: Pick<AgentMemory, "files">, path: string, bytes: number): Promise<string> {
  const readPart = (from: number, to: number) =>
    memory.files.read(path, { from, to }).catch(ifMemoryError(() => undefined));
  const size = (await readPart(0, 0))?.size ?? 0;
  const from = Math.max(0, size - bytes);
  const read = await readPart(from, size);
  const text = read === undefined ? "" : Buffer.from(read.bytes).toString("utf8");
  const start = from === 0 ? 0 : text.search(/^## /mu);
  return start < 0 ? "" : text.slice(start);
}

function entriesIn(text: string, day: string, own: string): { readonly entries: NewEntry[]; readonly ownText: string } {
  const lines = text.replace(/^\ufeff/u, "").split(/\r?\n/u);
  const clean = new SecretScan(new SecretValues()).add(lines);
  const sections = sectionsIn(clean);
  const isOwn = ({ heading }: WholeSection): boolean => own !== "" && parseHeadingTopic(heading).name === own;
  const ownText = sections
    .filter(isOwn)
    .flatMap(({ lines: all }) => all.map((line) => `${line.text}\n`))
    .join("");
  const entries = sections
    .filter((section) => !isOwn(section))
    .flatMap((section) => {
      // The comment is right below the heading, and not among the lines.
      const written = parseEntryComment(clean[section.lines[0]?.number ?? 0] ?? "")?.at ?? "";
      const time = Date.parse(written);
      const at = Number.isNaN(time) ? day : time;
      const clock = /T(\d\d:\d\d)/u.exec(written)?.[1];
      const corrects = placeCorrectedBy(textOf(section.lines.slice(0, 2)), section.origin);
      return saidIn(section).map(({ by, items }) => {
        return {
          head: [day.slice(5), ...(clock === undefined ? [] : [clock]), by].join(" "),
          items,
          at,
          day,
          corrects,
        };
      });
    });
  return { entries, ownText };
}

function textOf(lines: WholeSection["lines"]): string {
  return lines.map(({ text }) => text).join("\n");
}

/** The entry on one line; only with those items if some are named. */
export function printEntry({ head, items }: NewEntry, only: readonly string[] = items): string {
  const line = `- ${head}${only.join("; ")}`;
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1)}…`;
}

/** The user's turns of a conversation, or the items of another entry, each with what goes before it. */
function saidIn(section: WholeSection): readonly (Pick<NewEntry, "items"> & { readonly by: string })[] {
  const all = section.lines.map(({ text }) => text);
  const kinds = scanLines(all).lines;
  const texts = all.filter(
    (text, at) => kinds[at]?.kind !== "code" && kinds[at]?.kind !== "fence" && !/^\s*(?:<!--.*-->\s*)?$/u.test(text),
  );
  const body = section.heading === "" ? texts : texts.slice(1);
  if (body.some((text) => speakerOf(text) !== undefined))
    return userTurns(body).map((said) => ({ by: "User: ", items: [said] }));
  if (parseHeadingTopic(section.heading).name === snapshotTopic) return [];
  const items = body
    .filter((text) => !isCorrects(text))
    .map((text) => plain(text.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/u, "")))
    .filter((text) => text !== "");
  if (items.length === 0) return [];
  return [{ by: section.heading === "" ? "" : `${topicOf(section.heading, section.origin)}: `, items }];
}

function topicOf(heading: string, origin: Origin | ""): string {
  const { name, type } = parseHeadingTopic(heading.replace(/^#+\s+/u, ""));
  const tag = standingOf(type, origin === "" ? undefined : origin).tag ?? type;
  return visibleLine(tag === "project" ? name : `${name} [${tag}]`);
}

function userTurns(lines: readonly string[]): readonly string[] {
  const turns: string[][] = [];
  let speaker: "person" | "other" = "other";
  for (const line of lines) {
    const next = speakerOf(line);
    speaker = next ?? speaker;
    if (speaker === "other") continue;
    if (next !== undefined) turns.push([]);
    turns.at(-1)?.push(withoutSpeaker(line));
  }
  return turns.map((turn) => turn.map(plain).join(" ").trim()).filter((said) => said !== "");
}

function plain(text: string): string {
  return visible(text).replace(/\s+/gu, " ").trim();
}
