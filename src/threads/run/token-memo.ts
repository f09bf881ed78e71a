import { TURN_TOKENS, OPENER, turnsOf } from "../model/context-chat.ts";
import { textBlocks } from "../model/context-text.ts";
import type { Context } from "../model/context.ts";
import type { TokenCounter } from "../../text/token-counter.ts";

/** Counts each text once, however often it is asked. */
export interface TokenMemo {
  count(text: string): number;
  sum(texts: readonly string[]): number;
  /** The tokens of the text rendering. */
  text(context: Context): number;
  /** The most that any rendering takes: for chats their contents and `TURN_TOKENS` a message. */
  most(context: Context): number;
}

export function createTokenMemo(tokens: TokenCounter): TokenMemo {
  const counted = new Map<string, number>();
  const count = (text: string): number => {
    const known = counted.get(text);
    if (known !== undefined) return known;
    const found = tokens.count(text);
    counted.set(text, found);
    return found;
  };
  const sum = (texts: readonly string[]): number => texts.reduce((total, text) => total + count(text), 0);
  const text = (context: Context): number => sum(textBlocks(context).map((block) => block.text));
  const chat = (context: Context): number => {
    const turns = turnsOf(context);
    const opener = turns[1]?.role === "assistant" ? count(OPENER) + TURN_TOKENS : 0;
    return turns.reduce((total, { blocks }) => total + sum(blocks) + TURN_TOKENS, opener);
  };
  return { count, sum, text, most: (context) => Math.max(text(context), chat(context)) };
}
