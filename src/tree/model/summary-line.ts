import { parseTag, tagPattern, type MemoryType } from "../../base/memory-type.ts";
import type { Passage, Progress } from "../../base/passage.ts";
import { parseRefSuffix, printRefSuffix, type Ref } from "../../base/refs.ts";
import { parseTopics } from "./topic-format.ts";

export function printLine(passage: Passage): string {
  const { role, topic, type, text } = passage;
  const refs = printRefSuffix(passage.refs);
  if (role === "topic") {
    if (isLean(passage)) return `- ${printName(topic)}${text === "" ? "" : `: ${text}`}${refs}`;
    const tag = `[${passage.tag ?? type}${passage.progress === "done" ? ", done" : ""}]`;
    return `- ${printName(topic)} ${tag}${text === "" ? "" : `: ${text}`}${refs}`;
  }
  if (topic === "") return `- ${namesTopic(text) || text.startsWith("\\") ? "\\" : ""}${text}${refs}`;
  const tag = type === "project" ? "" : ` [${type}]`;
  return text === "" ? `- ${JSON.stringify(topic)}${tag}:${refs}` : `- ${printName(topic)}${tag}: ${text}${refs}`;
}

/** A topic that nobody named has no type either: its line begins with its name and keywords. */
export function isLean({ naming, topic, type, progress, text, refs }: Passage): boolean {
  if (!/^[\p{L}\p{N}][^,;:"[\]()\\]*$/u.test(topic)) return false;
  return (
    naming === "found" && type === "project" && progress === "active" && !/[;[\]()]/u.test(text) && refs.length > 0
  );
}

/** The topics of a line: `a: b, c (03-15:1); d: e (03-16:2-4)` are two. A line of any other form is one. */
export function splitTopicLine(line: string, near: string): readonly string[] {
  if (!line.includes("); ")) return [line];
  const pieces = line.split(/(?<=\)); /u);
  const all = pieces.every((piece) => {
    const { text, refs } = parseRefSuffix(piece, near);
    return refs.length > 0 && /^[\p{L}\p{N}][^,;:"[\]()\\]*(?:: [^;[\]()]+)?$/u.test(text);
  });
  return all ? pieces : [line];
}

function printName(name: string): string {
  return /: |:$|[[\]"(]|^\\/u.test(name) ? JSON.stringify(name) : name;
}

const topicLine = new RegExp(
  String.raw`^("(?:[^"\\]|\\.)*"|[^[\]]*?)\s*\[(${tagPattern})(?:, (done))?[^\]]*\](?:: (.*))?$`,
  "su",
);
/** A bare name ends before the first colon that a space follows; it begins with none of the signs of a quoted one, a check box or our backslash. */
const namedLine =
  /^(?:("(?:[^"\\]|\\.)*")|([^"[\\].*?))(?: \[(project|feedback|user|reference)\])?(?:: (.+)|(?<=^"[^]*):)$/su;

/** Whether a text would be read as `topic: text`. */
export function namesTopic(text: string): boolean {
  return namedLine.test(text);
}

export interface ReadText {
  readonly topic: string;
  readonly type?: MemoryType | undefined;
  readonly tag?: string | undefined;
  readonly text: string;
  readonly progress?: Progress;
}

export function readText(text: string): ReadText {
  const match = namedLine.exec(text);
  if (match === null) return { topic: "", text: text.replace(/^\\/u, "") };
  const [, quoted, bare, type, told] = match;
  return { topic: unquote(quoted ?? bare ?? ""), type: type as MemoryType | undefined, text: told ?? "" };
}

/** A name alone with raw lines behind it: a topic that nobody named. What agents list names at most a day. */
function isFoundName(text: string, refs: readonly Ref[]): boolean {
  return refs.some((ref) => ref.from > 0) && /^[\p{L}\p{N}][^,;:"[\]()\\]*$/u.test(text);
}

/** A topic with its keywords, or a list of topics, which has neither refs nor keywords. */
export function readTopics(text: string, refs: readonly Ref[]): readonly ReadText[] {
  const match = topicLine.exec(text);
  if (match !== null && (refs.length > 0 || match[4] !== undefined))
    return [
      {
        topic: unquote(match[1] ?? ""),
        ...parseTag(match[2] ?? ""),
        text: match[4] ?? "",
        progress: match[3] === "done" ? "done" : "active",
      },
    ];
  if (namesTopic(text)) return [readText(text)];
  if (isFoundName(text, refs)) return [{ topic: text, text: "" }];
  const progress = match?.[3] === "done" ? "done" : "active";
  return parseTopics(text).map(({ name, type }) => ({ topic: name, type, text: "", progress }));
}

function unquote(name: string): string {
  if (!name.startsWith('"')) return name.trim();
  try {
    const value: unknown = JSON.parse(name);
    return typeof value === "string" ? value : name;
  } catch {
    return name.replaceAll('"', "");
  }
}
