import { defineOperation } from "./operation.ts";
import { readInput } from "../tree/inputs.ts";
import { indexInput, recallInput, searchInput } from "../recall/search/inputs.ts";

const search = defineOperation({
  name: "memory.search",
  command: ["search"],
  summary: "Find words in everything that is remembered",
  description:
    'Finds words, "phrases" and beginnings* in logs, nodes, knowledge and threads, best first, with the place of each. ' +
    "Days in the query (last week, in March, 2026-03) narrow it; days alone list what is newest. +word must be there, -word must not. " +
    "A query that begins with - goes behind --.",
  input: searchInput,
  examples: [
    'heartwood search "token bucket"',
    "heartwood search 'limiter +payments since 2026-03-02' --explain",
    "heartwood search --in raw,nodes --json -- '-draft \"release notes\"'",
  ],
  effect: "reads",
  run: async (memory, input, call) => (await import("../recall/search/search.ts")).runSearch(memory, input, call),
});

const recall = defineOperation({
  name: "memory.recall",
  command: ["recall"],
  summary: "What the memory holds that bears on a message",
  description:
    "Brings passages that bear on what the user just said, best first, within a budget of tokens: what ROOT.md knows, followed to its lines; " +
    "nodes; and what was said in other words. Each has its date, place, type and age. It answers nothing; it hands over context.",
  input: recallInput,
  examples: ['heartwood recall "Which limiter did we take for payments?"'],
  effect: "reads",
  run: async (memory, input, call) => (await import("../recall/run/recall.ts")).runRecall(memory, input, call),
});

const index = defineOperation({
  name: "memory.index",
  command: ["index"],
  summary: "Bring the search index up to date",
  description:
    "Indexes what is new or changed. The index is a cache under .heartwood/search/: deleting it loses nothing. Queries also bring it up to date, a bit at a time.",
  input: indexInput,
  examples: ["heartwood index", "heartwood index --rebuild"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../recall/index/run-index.ts")).runIndex(memory, input, call),
});

const read = defineOperation({
  name: "memory.read",
  command: ["read"],
  summary: "Print a day, or the lines at a place that search or recall names",
  description:
    "Prints a day, lines of a log, a node, a file of knowledge or MEMORY.md, or messages of a thread, with secrets replaced, at most 32,000 characters at a time. " +
    "A day, a week, a month or ROOT is its node; a day without a node is its log. memory/2026-03-15.md is the whole log of that day.",
  input: readInput,
  examples: ["heartwood read memory/2026-03-05.md:1-8", "heartwood read 2026-03-05"],
  effect: "reads",
  run: async (memory, input) => (await import("../recall/read/read.ts")).readRemembered(memory, input),
});

export const searchOperations = [search, recall, index, read] as const;
