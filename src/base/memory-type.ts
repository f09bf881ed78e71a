import { detached } from "./detached.ts";

/** The four kinds of memory. `user` and `feedback` are always preserved. */
export type MemoryType = "project" | "feedback" | "user" | "reference";

export const memoryTypes: readonly MemoryType[] = ["project", "feedback", "user", "reference"];

export function isMemoryType(text: string): text is MemoryType {
  return (memoryTypes as readonly string[]).includes(text);
}

/** Whether entries of this type survive every level verbatim. */
export function isPreserved(type: MemoryType): boolean {
  return type === "user" || type === "feedback";
}

/** A topic's name and type, as in `auth [project]`. */
export interface Topic {
  readonly name: string;
  readonly type: MemoryType;
}

const plainName = /^[!-~]+(?: [!-~]+)*$/u;

/** What makes two topic names the same topic: case, width and spacing do not count. */
export function topicKey(name: string): string {
  if (name.length > longestKept) return keyOf(name);
  const known = keys.get(name);
  if (known !== undefined) return known;
  const own = detached(name);
  const key = keyOf(own);
  if (keys.size >= mostKeys) keys.clear();
  keys.set(own, key);
  return key;
}

/** Names come again and again; forgetting them changes no result. */
const keys = new Map<string, string>();
const mostKeys = 20_000;
/** Longer ones are texts, which do not come again. Characters. */
const longestKept = 40;

function keyOf(name: string): string {
  if (plainName.test(name)) return name.toLowerCase();
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
}

const tagAtEnd = /^(.*?)\s*\[(project|feedback|user|reference)\]\s*$/su;

/** The topic of a heading's text: the tag at its end is the type; without one it counts as `project`. */
export function parseHeadingTopic(text: string): Topic & { readonly tagged: "tagged" | "untagged" } {
  const match = tagAtEnd.exec(text);
  if (match === null) return { name: text.trim(), type: "project", tagged: "untagged" };
  return { name: (match[1] ?? "").trim(), type: match[2] as MemoryType, tagged: "tagged" };
}
