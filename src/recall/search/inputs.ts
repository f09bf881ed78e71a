import { entryTypes } from "../../tree/inputs.ts";
import { choice, file, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";

const levels = ["raw", "daily", "weekly", "monthly", "root"] as const;

export const searchInput = () =>
  object({
    query: text("QUERY", 'words, "a phrase", begin*, +must, -not, days', { place: "argument" }),
    type: optional(choice(entryTypes, "TYPE", "only memory of this type")),
    /** YYYY-MM-DD, inclusive. */
    since: optional(text("DATE", "from this day on")),
    until: optional(text("DATE", "up to this day")),
    level: optional(
      choice(levels, "LEVEL", "only this level of the tree (raw: the logs; threads and knowledge have none)"),
    ),
    in: optional(text("LIST", "where: raw, nodes, knowledge, memory, threads, with commas (default: all)")),
    limit: optional(whole(1, 1000, "at most N hits, up to 1000 (default: 10)")),
    explain: flag("say why each passage is there"),
  });
export type SearchInput = ValueOf<ReturnType<typeof searchInput>>;

export const recallInput = () =>
  object({
    text: optional(
      text("TEXT", "what the user just said (default: standard input)", { place: "argument", stdinUnless: "batch" }),
    ),
    /** Tokens (o200k) of the passages. */
    budget: optional(whole(100, 200_000, "tokens of the passages, 100 to 200000 (default: 2000)")),
    batch: optional(file("JSON lines {question_id, question}; prints {question_id, context} a line")),
    explain: flag("say why each passage is there"),
  });
export type RecallInput = ValueOf<ReturnType<typeof recallInput>>;

export const indexInput = () => object({ rebuild: flag("make it anew from nothing") });
export type IndexInput = ValueOf<ReturnType<typeof indexInput>>;
