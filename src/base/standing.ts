import type { Origin } from "./entry-comment.ts";
import { isMemoryType, isPreserved, parseHeadingTopic, type MemoryType } from "./memory-type.ts";

/** What an entry counts as, and its tag where that says more than the type. */
export interface Standing {
  readonly type: MemoryType;
  readonly tag?: string | undefined;
}

/**
 * Whose word an entry of type `user` or `feedback` is. From a person, or from an agent that they talked to, it has the privileges of its type; from a tool, an import or a
 * file it counts as `project`. Its tag names every origin but `user`; without a record of the origin there is none to name.
 */
export function standingOf(type: MemoryType, origin: Origin | undefined): Standing {
  if (!isPreserved(type) || origin === undefined || origin === "user") return { type };
  return { type: origin === "agent" ? type : "project", tag: `${type} by ${origin}` };
}

/** Of entries that are told as one, the least trusted: a tag of any of them that counts as this type. */
export function tagAmong(all: readonly Standing[], type: MemoryType): string | undefined {
  const tags = all.flatMap((one) => (one.type === type && one.tag !== undefined ? [one.tag] : []));
  return tags.toSorted()[0];
}

/** A tag as it is printed, with or without an origin: `feedback`, `feedback by agent`. */
export const tagPattern = "(?:project|feedback|user|reference)(?: by (?:agent|tool|import|file))?";

/** Reads what `tagPattern` matches. */
export function parseTag(tag: string): Standing {
  const [type = "", origin] = tag.split(" by ");
  return standingOf(isMemoryType(type) ? type : "project", origin as Origin | undefined);
}

const tagAtEnd = new RegExp(String.raw`^(.*?)\s*\[(${tagPattern})\]\s*$`, "su");

/** The topic of a heading in a summary, which may have a tag where one in a log has a type. */
export function parseTaggedTopic(
  text: string,
): Standing & { readonly name: string; readonly tagged: "tagged" | "untagged" } {
  const match = tagAtEnd.exec(text);
  if (match === null) return parseHeadingTopic(text);
  return { name: (match[1] ?? "").trim(), tagged: "tagged", ...parseTag(match[2] ?? "") };
}
