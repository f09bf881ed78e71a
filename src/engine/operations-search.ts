import { checked } from "./checked.ts";
import type { Field } from "./operation.ts";
import type { ReadInput, ReadResult } from "./reading/read-place.ts";
import type * as I from "./search/inputs.ts";
import type * as R from "./search/results.ts";

const explain: Field = { name: "explain", kind: { kind: "flag" }, summary: "say why each passage is there" };

const text = (name: string, placeholder: string, summary: string): Field => {
  return { name, kind: { kind: "text" }, placeholder, summary };
};

const search = checked<I.SearchInput, R.SearchResult>({
  name: "memory.search",
  command: ["search"],
  summary: "Find words in everything that is remembered",
  description:
    'Finds words, "phrases" and beginnings* in logs, nodes, knowledge and threads, best first, with the place of each. ' +
    "Days in the query (last week, in March, 2026-03) narrow it; days alone list what is newest. +word must be there, -word must not. " +
    "A query that begins with - goes behind --.",
  fields: [
    {
      name: "query",
      kind: { kind: "text" },
      place: "argument",
      presence: "required",
      placeholder: "QUERY",
      summary: 'words, "a phrase", begin*, +must, -not, days',
    },
    {
      name: "type",
      kind: { kind: "choice", values: ["project", "feedback", "user", "reference"] },
      placeholder: "TYPE",
      summary: "only memory of this type",
    },
    text("since", "DATE", "from this day on"),
    text("until", "DATE", "up to this day"),
    {
      name: "level",
      kind: { kind: "choice", values: ["raw", "daily", "weekly", "monthly", "root"] },
      placeholder: "LEVEL",
      summary: "only this level of the tree (raw: the logs; threads and knowledge have none)",
    },
    text("in", "LIST", "where: raw, nodes, knowledge, memory, threads, with commas (default: all)"),
    {
      name: "limit",
      kind: { kind: "integer", min: 1, max: 1000 },
      placeholder: "N",
      summary: "at most N hits, up to 1000 (default: 10)",
    },
    explain,
  ],
  examples: [
    'heartwood search "token bucket"',
    "heartwood search 'limiter +payments since 2026-03-02' --explain",
    "heartwood search --in raw,nodes --json -- '-draft \"release notes\"'",
  ],
  effect: "reads",
  run: async (memory, input, call) => (await import("./search/search.ts")).runSearch(memory, input, call),
});

const recall = checked<I.RecallInput, R.RecallResult | AsyncIterable<string>>({
  name: "memory.recall",
  command: ["recall"],
  summary: "What the memory holds that bears on a message",
  description:
    "Brings passages that bear on what the user just said, best first, within a budget of tokens: what ROOT.md knows, followed to its lines; " +
    "nodes; and what was said in other words. Each has its date, place, type and age. It answers nothing; it hands over context.",
  fields: [
    {
      name: "text",
      kind: { kind: "text" },
      place: "argument",
      stdinUnless: "batch",
      placeholder: "TEXT",
      summary: "what the user just said (default: standard input)",
    },
    {
      name: "budget",
      kind: { kind: "integer", min: 100, max: 200_000 },
      placeholder: "N",
      summary: "tokens of the passages, 100 to 200000 (default: 2000)",
    },
    {
      name: "batch",
      kind: { kind: "file" },
      placeholder: "FILE",
      summary: "JSON lines {question_id, question}; prints {question_id, context} a line",
    },
    explain,
  ],
  examples: ['heartwood recall "Which limiter did we take for payments?"'],
  effect: "reads",
  run: async (memory, input, call) => (await import("./recall/recall.ts")).runRecall(memory, input, call),
});

const index = checked<I.IndexInput, R.IndexResult>({
  name: "memory.index",
  command: ["index"],
  summary: "Bring the search index up to date",
  description:
    "Indexes what is new or changed. The index is a cache under .heartwood/search/: deleting it loses nothing. Queries also bring it up to date, a bit at a time.",
  fields: [{ name: "rebuild", kind: { kind: "flag" }, summary: "make it anew from nothing" }],
  examples: ["heartwood index", "heartwood index --rebuild"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./indexing/run-index.ts")).runIndex(memory, input, call),
});

const read = checked<ReadInput, ReadResult>({
  name: "memory.read",
  command: ["read"],
  summary: "Print a day, or the lines at a place that search or recall names",
  description:
    "Prints a day, lines of a log, a node, a file of knowledge or MEMORY.md, or messages of a thread, with secrets replaced, at most 32,000 characters at a time. " +
    "A day, a week, a month or ROOT is its node; a day without a node is its log. memory/2026-03-15.md is the whole log of that day.",
  fields: [
    {
      name: "place",
      kind: { kind: "text" },
      place: "argument",
      presence: "required",
      placeholder: "PLACE",
      summary:
        "2026-03-15 (its node, or its log when there is none), memory/2026-03-15.md (the whole log) or memory/2026-03-15.md:12-18, 2026-W11, 2026-03, ROOT, or thread:ID:5-7",
    },
  ],
  examples: ["heartwood read memory/2026-03-05.md:1-8", "heartwood read 2026-03-05"],
  effect: "reads",
  run: async (memory, input) => (await import("./reading/read.ts")).readRemembered(memory, input),
});

export const searchOperations = [search, recall, index, read] as const;
