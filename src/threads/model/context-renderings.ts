import { type Part, type Context, type MessagePart, plainActor, textBlocks } from "./context.ts";
import { roleOf } from "./frame.ts";
import { remembering } from "../../base/lines.ts";
import { printLine } from "./summary.ts";
import type { TokenCounter } from "../../text/tokens/o200k.ts";

/** A compiled context as stored in an artifact, `rip.context_bundle.v1`. */
export interface Bundle {
  readonly schema: "rip.context_bundle.v1";
  readonly compiler: { readonly id: string; readonly strategy: string };
  readonly source: { readonly thread_id: string; readonly from_seq: number; readonly from_message_id: string | null };
  readonly provenance: { readonly run_session_id: string; readonly actor_id: string; readonly origin: string };
  readonly items: readonly BundleItem[];
}

/** Fields are in the order that the format defines. */
export type BundleItem = Readonly<Record<string, unknown>>;

/** The bundle item for a part under the covering strategy. `sourceThreadId` is the bundle's thread. */
export function itemOf(part: Part, sourceThreadId: string): BundleItem {
  const { thread_id } = part;
  if (part.kind === "message") {
    const { actor_id, origin, content, seq, id } = part.message;
    return {
      type: "message",
      role: roleOf(actor_id),
      content,
      actor_id,
      origin,
      thread_seq: seq,
      thread_event_id: id,
      ...(thread_id === sourceThreadId ? {} : { thread_id }),
    };
  }
  const { to_seq } = part;
  if (part.kind === "handoff") {
    const summary_markdown = part.lines.map((line) => `${printLine(line)}\n`).join("");
    return { type: "handoff", thread_id, to_seq, summary_markdown };
  }
  const { from_seq, messages } = part;
  if (part.kind === "uncovered") return { type: "uncovered", thread_id, from_seq, to_seq, messages };
  const { artifact_id, note, lines } = part;
  return { type: "summary_ref", artifact_id, note, thread_id, from_seq, to_seq, messages, lines: lines.length };
}

export interface OpenaiMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface AnthropicContext {
  readonly system: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
  }[];
}

export interface Turn {
  readonly role: "system" | "user" | "assistant";
  readonly blocks: readonly string[];
}

/** Tokens that a chat API adds per message. */
export const TURN_TOKENS = 4;

/** Opening user message for APIs that do not let a chat begin with the assistant. */
const OPENER = "[The conversation goes on from the record above.]";

/**
 * Renders a context as chat messages. Everything before the first raw message goes into the system message. Raw messages keep their roles, except
 * that tool and system messages become labeled user messages, because they are a record, not instructions. Other parts between raw messages become
 * user messages too.
 */
function turnsOf(context: Context): readonly Turn[] {
  const blocks = textBlocks(context, "chat");
  const first = blocks.findIndex(({ part }) => part?.kind === "message");
  const turns: Turn[] = [
    { role: "system", blocks: blocks.slice(0, first < 0 ? undefined : first).map(({ text }) => text) },
  ];
  let [before, texts]: [unknown, string[]] = [null, []];
  for (const { text, part } of first < 0 ? [] : blocks.slice(first)) {
    if (part?.kind === "message") turns.push(turnOf(part));
    else if (part !== null && part === before) texts.push(text);
    else {
      texts = [text];
      turns.push({ role: "user", blocks: texts });
    }
    before = part;
  }
  return turns;
}

export function printOpenai(context: Context): readonly OpenaiMessage[] {
  return turnsOf(context).map(({ role, blocks }) => ({ role, content: contentOf(blocks) }));
}

/** APIs refuse a request that contains a lone surrogate. */
function contentOf(blocks: readonly string[]): string {
  return blocks.join("").toWellFormed();
}

/** Roles alternate, starting with the user. Consecutive messages with the same role are merged into one, with a text block each. */
export function printAnthropic(context: Context): AnthropicContext {
  const [system, ...turns] = turnsOf(context);
  const messages: { role: "user" | "assistant"; content: { type: "text"; text: string }[] }[] = [];
  if (turns[0]?.role === "assistant") messages.push({ role: "user", content: [{ type: "text", text: OPENER }] });
  for (const { role, blocks } of turns) {
    const text = { type: "text" as const, text: contentOf(blocks) };
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(text);
    else messages.push({ role: role === "assistant" ? "assistant" : "user", content: [text] });
  }
  return { system: contentOf(system?.blocks ?? []), messages };
}

export function turnOf({ message }: MessagePart): Turn {
  const { actor_id } = message;
  const content = message.content.trim() === "" ? "(empty)" : message.content;
  const role = roleOf(actor_id) === "assistant" ? "assistant" : "user";
  const isPlain = role === "assistant" || (actor_id === "user" && !LABEL.test(content));
  return { role, blocks: [isPlain ? content : `[${plainActor(actor_id)}]\n${content}`] };
}

/** Matches text that begins like one of our labels or headings. */
const LABEL = /^\s*(?:\[|#)/u;

/** A part of the text rendering. Consecutive messages are one part, and so is text that describes no part of the thread. */
export interface CountedPart {
  readonly kind: Part["kind"] | "heading";
  /** `null` for a heading. */
  readonly thread_id: string | null;
  /** Seqs. `null` if it is unknown or, for a heading, does not exist. */
  readonly from_seq: number | null;
  readonly to_seq: number | null;
  /** `null` if they are not counted. */
  readonly messages: number | null;
  /** o200k. */
  readonly tokens: number;
  /** Of anything but messages, which the bundle has. */
  readonly text: string | null;
}

/** The parts of the text rendering, in order, each with its tokens. The counts add up to that of the whole text. */
export function countParts(context: Context, tokens: TokenCounter): readonly CountedPart[] {
  const counted: CountedPart[] = [];
  let before: Part | null = null;
  for (const block of textBlocks(context)) {
    const { part } = block;
    const text = block.text.toWellFormed();
    const count = tokens.count(text);
    const last = counted.at(-1);
    const isMore =
      last !== undefined &&
      (part === null
        ? last.kind === "heading"
        : part === before || (part.kind === "message" && last.kind === "message" && part.thread_id === last.thread_id));
    if (last !== undefined && isMore)
      counted[counted.length - 1] = {
        ...last,
        ...(part?.kind === "message" ? { to_seq: part.message.seq, messages: (last.messages ?? 0) + 1 } : {}),
        tokens: last.tokens + count,
        text: last.text === null ? null : last.text + text,
      };
    else counted.push({ ...placeOf(part), tokens: count, text: part?.kind === "message" ? null : text });
    before = part;
  }
  return counted;
}

function placeOf(part: Part | null): Omit<CountedPart, "tokens" | "text"> {
  if (part === null) return { kind: "heading", thread_id: null, from_seq: null, to_seq: null, messages: null };
  const { kind, thread_id } = part;
  if (kind === "message") return { kind, thread_id, from_seq: part.message.seq, to_seq: part.message.seq, messages: 1 };
  if (kind === "handoff") return { kind, thread_id, from_seq: null, to_seq: part.to_seq, messages: null };
  return { kind, thread_id, from_seq: part.from_seq, to_seq: part.to_seq, messages: part.messages };
}

/** Counts tokens, each text only once. */
export class TokenMemo {
  readonly count: (text: string) => number;

  constructor(tokens: TokenCounter) {
    this.count = remembering((text) => tokens.count(text), Infinity);
  }

  sum(texts: readonly string[]): number {
    return texts.reduce((total, text) => total + this.count(text), 0);
  }

  text(context: Context): number {
    return this.sum(textBlocks(context).map(({ text }) => text));
  }

  /** The token count of the largest rendering. A chat costs the tokens of its contents plus `TURN_TOKENS` per message. */
  most(context: Context): number {
    const turns = turnsOf(context);
    const opener = turns[1]?.role === "assistant" ? this.count(OPENER) + TURN_TOKENS : 0;
    const chat = turns.reduce((total, { blocks }) => total + this.sum(blocks) + TURN_TOKENS, opener);
    return Math.max(this.text(context), chat);
  }
}
