import { messageOf, parseFrame, isFrame } from "./frame-format.ts";
import { roleOf, type Frame } from "./frame.ts";
import { weightOf } from "../plan/ladder.ts";
import type { Utterance } from "./summarizer.ts";

/** What a frame says to a summarizer: a message with its weight on the ladder, or what a tool changed, which weighs nothing. */
export interface Heard {
  readonly kind: "message" | "effect";
  readonly utterance: Utterance;
  readonly weight: number;
}

/** The types of frames that a summarizer hears. */
export const HEARD_TYPES: ReadonlySet<string> = new Set([
  "continuity_message_appended",
  "continuity_tool_side_effects",
]);

/** `undefined` for a line that says nothing to a summarizer. */
export function heardOf(line: string): Heard | undefined {
  const frame = parseFrame(line);
  if (!isFrame(frame)) return undefined;
  const message = messageOf(frame);
  if (message === undefined) return effectOf(frame);
  const { seq, actor_id, content } = message;
  return { kind: "message", utterance: { seq, role: roleOf(actor_id), text: content }, weight: weightOf(content) };
}

/** Paths after that many characters say no more about what was done. */
const LONGEST_EFFECT = 1_000;

function effectOf({ type, seq, fields }: Frame): Heard | undefined {
  if (type !== "continuity_tool_side_effects") return undefined;
  const paths = fields["affected_paths"];
  const named = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  const tool = typeof fields["tool_name"] === "string" ? fields["tool_name"] : "tool";
  if (named.length === 0) return undefined;
  let text = `${tool}: ${named[0]}`;
  for (const path of named.slice(1)) {
    if (text.length > LONGEST_EFFECT) break;
    text += `, ${path}`;
  }
  return { kind: "effect", utterance: { seq, role: "tool", text: text.slice(0, LONGEST_EFFECT) }, weight: 0 };
}
