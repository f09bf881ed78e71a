import { type MemoryType, type Topic, isMemoryType, isPreserved, topicKey } from "../../base/memory-type.ts";
import { readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { isDigest, parseJson } from "../../base/json.ts";

export type Source = RawSource | NodeSource;

export interface RawSource {
  readonly kind: "raw";
  readonly path: string;
  /** Bytes and lines in the file when read. */
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
  readonly sections: readonly SectionDigest[];
  /** How many low bits of a section's digest must be zero to start a group; 0: sections are not grouped. */
  readonly grouping: number;
  /** In an addendum: the lines in the file that it covers. Empty: all. */
  readonly part: readonly LineSpan[];
}

/**
 * A section of a raw log, or a group of sections: its first line, and the first 16 hex digits of the SHA-256 of its
 * bytes (for a group: of its sections' digests).
 */
export interface SectionDigest {
  readonly line: number;
  readonly digest: string;
}

/** A 1-based range of lines, both ends included. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

export interface NodeSource {
  readonly kind: "node";
  readonly path: string;
  readonly sha256: string;
}

/** Prints a source as one line, a YAML flow mapping. */
export function printSource(source: Source): string {
  if (source.kind === "node") return `{path: ${source.path}, sha256: ${source.sha256}}`;
  const sections = source.sections.map(({ line, digest }) => `${line}+${digest}`).join(" ");
  const grouping = source.grouping > 0 ? `, grouping: ${source.grouping}` : "";
  return printRaw(source, `, sections: ${sections}${grouping}`);
}

/** Like `printSource`, without the parts that can be recomputed from the bytes. Used for the basis. */
export function printSourceAlone(source: Source): string {
  return source.kind === "node" ? printSource(source) : printRaw(source, "");
}

function printRaw({ path, bytes, lines, sha256, part }: RawSource, sections: string): string {
  const lateLines = part.length === 0 ? "" : `, part: ${printSpans(part)}`;
  return `{path: ${path}, bytes: ${bytes}, lines: ${lines}, sha256: ${sha256}${sections}${lateLines}}`;
}

/** `3-7 12-12`: the lines recorded in a source. */
export function printSpans(spans: readonly LineSpan[]): string {
  return spans.map((span) => `${span.from}-${span.to}`).join(" ");
}

/** Parses a line written by `printSource`; `undefined` if malformed. */
export function parseSource(line: string): Source | undefined {
  if (!line.startsWith("{") || !line.endsWith("}")) return undefined;
  const fields = new Map<string, string>();
  for (const part of line.slice(1, -1).split(", ")) {
    const colon = part.indexOf(": ");
    if (colon > 0) fields.set(part.slice(0, colon), part.slice(colon + 2));
    else if (part.endsWith(":")) fields.set(part.slice(0, -1), "");
  }
  const path = fields.get("path") ?? "";
  const digest = fields.get("sha256") ?? "";
  if (path === "" || !isDigest(digest)) return undefined;
  if (!fields.has("bytes")) return { kind: "node", path, sha256: digest };
  const bytes = parseCount(fields.get("bytes"));
  const lines = parseCount(fields.get("lines"));
  const section = /^(\d{1,15})\+([0-9a-f]{16})$/u;
  const sections = parseParts(fields.get("sections") ?? "", section, ([, line, short = ""]): SectionDigest => {
    return { line: Number(line), digest: short };
  });
  const part = parseSpans(fields.get("part") ?? "");
  const grouping = parseCount(fields.get("grouping")) ?? 0;
  if (bytes === undefined || lines === undefined || sections === undefined || part === undefined) return undefined;
  return { kind: "raw", path, bytes, lines, sha256: digest, sections, grouping, part };
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

function parseSpans(text: string): readonly LineSpan[] | undefined {
  return parseParts(text, /^(\d{1,15})-(\d{1,15})$/u, ([, from, to]) => ({ from: Number(from), to: Number(to) }));
}

/** Parses a space-separated list; `undefined` if an item is malformed. */
export function parseParts<Part>(
  text: string,
  form: RegExp,
  read: (match: RegExpExecArray) => Part,
): readonly Part[] | undefined {
  const matches = text === "" ? [] : text.split(" ").map((part) => form.exec(part));
  return matches.every((match) => match !== null) ? matches.map(read) : undefined;
}

/** In characters. A name is a keyword, not a sentence. */
export const longestTopicName = 80;

/**
 * Prints topics as a YAML value, such as `auth [project], timezone [user]`, in single quotes if YAML requires them. A
 * name that contains a comma, a double quote or a bracketed type goes in double quotes.
 */
export function printTopics(topics: readonly Topic[]): string {
  const text = topics.map((topic) => `${quoteName(topic.name)} [${topic.type}]`).join(", ");
  return isPlainYaml(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Parses all forms in use: `a, b` · `[a, b]` · `[a [project], b [feedback]]` · our own. A name without a type gets `project`. */
export function parseTopics(value: string): readonly Topic[] {
  const text = value.trim();
  const bare = /^'[^]*'$/u.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
  return uniqueTopics(splitTopics(withoutBrackets(bare)).flatMap(parseTopic));
}

/** Normalizes a topic name: one line, white space collapsed, no control characters, at most 80 characters. */
export function cleanTopicName(name: string): string {
  const flat = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  if (flat.length <= longestTopicName) return flat;
  const characters = Array.from(flat);
  const cut = characters.slice(0, longestTopicName - 1).join("");
  return characters.length <= longestTopicName ? flat : `${cut.trimEnd()}…`;
}

/** One topic per normalized name: the first, but with a preserved type if any topic of that name has one. */
export function uniqueTopics(topics: readonly Topic[]): readonly Topic[] {
  const byKey = new Map<string, Topic>();
  for (const topic of topics) {
    const name = cleanTopicName(topic.name);
    const key = topicKey(name);
    if (key === "") continue;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, name === topic.name ? topic : { ...topic, name });
    else if (isPreserved(topic.type) && !isPreserved(known.type)) byKey.set(key, { ...known, type: topic.type });
  }
  return [...byKey.values()];
}

/**
 * At most `most` topics: `user` and `feedback` first, for up to half of the slots; then the rest in the given order.
 */
export function chooseTopics(topics: readonly Topic[], most: number): readonly Topic[] {
  const unique = uniqueTopics(topics);
  const preserved = unique.filter((topic) => isPreserved(topic.type));
  return uniqueTopics([...preserved.slice(0, Math.ceil(most / 2)), ...unique]).slice(0, most);
}

function quoteName(name: string): string {
  return /[,"]|\[(?:project|feedback|user|reference)\]|^\s|\s$|^'/u.test(name) ? JSON.stringify(name) : name;
}

function isPlainYaml(text: string): boolean {
  return !/: |:$| #|^[[\]{}"'&*!|>%@`,?#:-]/u.test(text);
}

/** `[a, b]` → `a, b`, if the first bracket matches the last. */
function withoutBrackets(value: string): string {
  if (!value.startsWith("[") || !value.endsWith("]")) return value;
  let depth = 0;
  for (let index = 0; index < value.length; index++) {
    if (value[index] === "[") depth += 1;
    if (value[index] === "]") depth -= 1;
    if (depth === 0 && index < value.length - 1) return value;
  }
  return depth === 0 ? value.slice(1, -1) : value;
}

function splitTopics(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '"' && text.slice(start, index).trim() === "") index = endOfQuoted(text, index);
    else if (character === "," || index === text.length) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return parts.filter((part) => part !== "");
}

/** The index of the closing double quote, or of the opening one if there is none. */
function endOfQuoted(text: string, open: number): number {
  for (let index = open + 1; index < text.length; index++) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === '"') return index;
  }
  return open;
}

function parseTopic(part: string): readonly Topic[] {
  const match = /^(.*?)\s*\[(\w+)(?:,[^[\]]*)?\]$/su.exec(part);
  const typed = match !== null && isMemoryType(match[2] ?? "");
  const type: MemoryType = typed ? (match[2] as MemoryType) : "project";
  const name = cleanTopicName(unquoteName((typed ? (match[1] ?? "") : part).trim()));
  return name === "" ? [] : [{ name, type }];
}

/** Decodes a name written as a JSON string; returns any other name unchanged. */
export function unquoteName(name: string): string {
  if (!/^"[^]*"$/u.test(name)) return name;
  const value = parseJson(name);
  return typeof value === "string" ? value : name.slice(1, -1);
}

/**
 * The topics in a node's front matter, in any of the forms in use; empty if the front matter is invalid. Linear time.
 */
export function frontTopics(lines: readonly string[]): readonly Topic[] {
  const reading = readFrontMatter(lines);
  return reading.state === "read" ? parseTopics(valueOf(reading.front, "topics") ?? "") : [];
}
