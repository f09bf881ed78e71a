import { memoryTypes } from "../../base/memory-type.ts";
import { choice, file, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";

const levels = ["raw", "daily", "weekly", "monthly", "root"] as const;

export const searchInput = () =>
  object({
    query: text("QUERY", 'words, "a phrase", prefix*, +must, -not, dates', { place: "argument" }),
    type: optional(choice(memoryTypes, "TYPE", "only memories of this type")),
    /** YYYY-MM-DD, inclusive. */
    since: optional(text("DATE", "from this day on")),
    until: optional(text("DATE", "up to and including this day")),
    level: optional(
      choice(levels, "LEVEL", "only this level of the tree (raw is the logs; threads and knowledge have no level)"),
    ),
    in: optional(
      text(
        "LIST",
        "where to search: a comma-separated list of raw, nodes, knowledge, memory and threads (default: all)",
      ),
    ),
    limit: optional(whole(1, 1000, "show at most N hits, up to 1000 (default: 10)")),
    explain: flag("explain the score of each passage"),
  });
export type SearchInput = ValueOf<ReturnType<typeof searchInput>>;

export const recallInput = () =>
  object({
    text: optional(
      text("TEXT", "what the user just said (default: standard input)", { place: "argument", stdinUnless: "batch" }),
    ),
    /** In o200k tokens. */
    budget: optional(whole(100, 200_000, "token budget for the passages, 100 to 200000 (default: 2000)")),
    batch: optional(file("read JSON Lines {question_id, question}; print one {question_id, context} per line")),
    explain: flag("explain the score of each passage"),
  });
export type RecallInput = ValueOf<ReturnType<typeof recallInput>>;

export const indexInput = () => object({ rebuild: flag("rebuild it from scratch") });
export type IndexInput = ValueOf<ReturnType<typeof indexInput>>;
