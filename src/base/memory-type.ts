import { once, remembering } from "./lines.ts";

/** The four types of memory. `user` and `feedback` are always preserved. */
export type MemoryType = "project" | "feedback" | "user" | "reference";

export const memoryTypes: readonly MemoryType[] = ["project", "feedback", "user", "reference"];

export function isMemoryType(text: string): text is MemoryType {
  return (memoryTypes as readonly string[]).includes(text);
}

/** Whether entries of this type are kept verbatim on every level. */
export function isPreserved(type: MemoryType): boolean {
  return type === "user" || type === "feedback";
}

/** The name and type of a topic, as in `auth [project]`. */
export interface Topic {
  readonly name: string;
  readonly type: MemoryType;
}

/** The topic of an entry in which `compact` keeps a copy of WORKING.md. */
export const snapshotTopic = "Working State Snapshot";

const plainName = /^[!-~]+(?: [!-~]+)*$/u;

/** Longer texts are not cached: they rarely recur. In characters. */
const longestKept = 40;

/** The key for comparing topic names. Ignores case, width and spacing. */
export const topicKey: (name: string) => string = remembering(
  (name) => {
    if (plainName.test(name)) return name.toLowerCase();
    return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
  },
  20_000,
  longestKept,
);

const tag = String.raw`\*{0,3}[[［【]\s*\*{0,3}(project|feedback|user|reference)\*{0,3}\s*[\]］】]\*{0,3}`;
const mayHaveTag = /[[［【]\s*\**(?:project|feedback|user|reference)/iu;
const tagAtEnd = once(() => new RegExp(String.raw`^(.*?)${tag}[\s:：.!。！]*$`, "isu"));
const tagInFront = once(
  () => new RegExp(String.raw`^()${tag}(?:\s*[:：]|\s+[–—-]+(?=\s)|(?=[\s\p{L}\p{N}"“「『]))\s*(.+)$`, "isu"),
);
/** A tag followed by a remark, which is in brackets or starts with a punctuation mark. Link text is not a tag. */
const tagInside = once(
  () =>
    new RegExp(
      String.raw`^(.+?)${tag}(?!\([^\s()]*\))(\s*(?:[(（{#^|:：!?–—].*|-\s.*|(?:[[［【][^\]］】]*[\]］】]\s*)+))$`,
      "isu",
    ),
);
/** Punctuation between a name and its tag; it belongs to neither. */
const signsAtEnd = /(?:[\s:：–—]|(?<=\s)-+)+$/u;
const labels = once(() => /(?<!\S)[#^][\p{L}\p{N}_/-]+/gu);

interface HeadingTopic extends Topic {
  readonly tagged: "tagged" | "untagged";
}

/**
 * The topic of a heading. The type is in brackets (of any width, in any case) at the end, at the start, or before a remark, which stays in the name.
 * The default type is `project`. Cached, because headings recur on other days and in nodes.
 */
export const parseHeadingTopic: (text: string) => HeadingTopic = remembering(readHeadingTopic, 5_000, longestKept * 2);

function readHeadingTopic(text: string): HeadingTopic {
  const bare = withoutEmphasis(text.includes("<!--") ? text.replaceAll(/\s*<!--.*?-->/gu, "") : text);
  const match = mayHaveTag.test(bare)
    ? (tagAtEnd().exec(bare) ?? tagInFront().exec(bare) ?? tagInside().exec(bare))
    : null;
  const [, before = "", given = "", behind = ""] = match ?? [];
  const type = given.normalize("NFKC").toLowerCase();
  if (!isMemoryType(type) || mayHaveTag.test(behind)) return { name: bare, type: "project", tagged: "untagged" };
  const remark = behind.replaceAll(labels(), "").replaceAll(/[\s:：!?–—-]+$/gu, "");
  const name = before.replace(signsAtEnd, "");
  return { name: withoutEmphasis(name + remark).replace(signsAtEnd, ""), type, tagged: "tagged" };
}

/** Removes emphasis around the whole text. */
function withoutEmphasis(text: string): string {
  const said = text.trim();
  return said.startsWith("*") ? said.replace(/^(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1([:：]?)$/su, "$2$3") : said;
}

/** Where an entry comes from; its text cannot set this. */
export type Origin = "user" | "agent" | "tool" | "import" | "file";

/** The `hw` comment below the heading of an entry. */
export interface EntryComment {
  readonly id: string;
  /** Local time with offset, `2026-03-15T14:05:00+01:00`. */
  readonly at: string;
  readonly origin: Origin;
  /** Size in bytes of the body as written; `undefined` if not recorded. */
  readonly bytes: number | undefined;
}

const commentPattern =
  /^<!-- hw id=(\S+) at=(\S+) origin=(user|agent|tool|import|file)(?: bytes=(0|[1-9]\d{0,14}))? -->\s*$/u;

export function parseEntryComment(line: string): EntryComment | undefined {
  const match = line.startsWith("<!-- hw ") ? commentPattern.exec(line) : null;
  if (match === null) return undefined;
  const bytes = match[4] === undefined ? undefined : Number(match[4]);
  return { id: match[1] ?? "", at: match[2] ?? "", origin: match[3] as Origin, bytes };
}

export function printEntryComment({ id, at, origin, bytes }: EntryComment): string {
  return `<!-- hw id=${id} at=${at} origin=${origin}${bytes === undefined ? "" : ` bytes=${bytes}`} -->`;
}

/**
 * Keeps the last item with each id, because a second copy is only written after a crash damaged the first. Items without an
 * id are kept.
 */
export function lastOfEachId<T>(items: readonly T[], idOf: (item: T) => string | undefined): readonly T[] {
  const last = new Map(items.map((item) => [idOf(item), item]));
  return items.filter((item) => idOf(item) === undefined || last.get(idOf(item)) === item);
}

/** The effective type of an entry, and its tag if the tag says more than the type. */
interface Standing {
  readonly type: MemoryType;
  readonly tag?: string | undefined;
}

/**
 * The effective type of an entry. `user` and `feedback` entries from a tool, an import or a file count as `project`; from a person, an agent or an
 * unrecorded origin they keep their type. The tag names any recorded origin except `user`.
 */
export function standingOf(type: MemoryType, origin: Origin | undefined): Standing {
  if (!isPreserved(type) || origin === undefined || origin === "user") return { type };
  return { type: origin === "agent" ? type : "project", tag: `${type} by ${origin}` };
}

/** The tag for entries shown as one: the alphabetically first tag of those with this effective type. */
export function tagAmong(all: readonly Standing[], type: MemoryType): string | undefined {
  const tags = all.flatMap((one) => (one.type === type && one.tag !== undefined ? [one.tag] : []));
  return tags.toSorted()[0];
}

/** Matches a printed tag, with or without an origin: `feedback`, `feedback by agent`. */
export const tagPattern = "(?:project|feedback|user|reference)(?: by (?:agent|tool|import|file))?";

/** Parses a tag that matches `tagPattern`. */
export function parseTag(tag: string): Standing {
  const [type = "", origin] = tag.split(" by ");
  return standingOf(isMemoryType(type) ? type : "project", origin as Origin | undefined);
}

const tagOfSummaryAtEnd = once(() => new RegExp(String.raw`^(.*?)\s*\[(${tagPattern})\]\s*$`, "su"));

/** The topic of a heading in a summary, which may have a tag instead of a type. */
export function parseTaggedTopic(
  text: string,
): Standing & { readonly name: string; readonly tagged: "tagged" | "untagged" } {
  const match = tagOfSummaryAtEnd().exec(text);
  if (match === null) return parseHeadingTopic(text);
  return { name: (match[1] ?? "").trim(), tagged: "tagged", ...parseTag(match[2] ?? "") };
}
