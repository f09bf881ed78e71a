import { logAddInput, traceInput } from "../../tree/inputs.ts";
import { operation } from "../../operations/table.ts";
import * as s from "../../base/schema.ts";
import { lineRange, listOf, objectOf, orNull, text, truth, warnings, whole, defineTool, type Tool } from "./tool.ts";

const log = defineTool({
  name: "memory_log",
  title: "Log an entry",
  description:
    "Appends one typed entry to today's log; returned means it is on disk. Log decisions with their reasons, what was finished, what the user corrected (type feedback, with rule, why and " +
    "how_to_apply), who the user is (user), where things are found (reference). One entry a topic, short. Not: code, diffs, attempts that failed, what stands in the project anyway.",
  renders: ["log.add"],
  input: s.object(s.pick(logAddInput(), "topic", "type", "body", "rule", "why", "how_to_apply", "date", "id")),
  output: objectOf({
    path: text,
    lines: lineRange,
    id: text,
    date: text,
    action: { ...text, enum: ["added", "duplicate"] },
    redacted: { ...listOf(text), description: "kinds of secrets that were replaced" },
    warnings,
  }),
  effect: "writes",
  run: async (memory, input, call) => {
    const result = await operation("log.add").run(memory, input, call);
    const { path, lines, id, date, action, redacted, warnings: told } = result;
    return { structured: { path, lines, id, date, action, redacted, warnings: told } };
  },
});

/** Of each kind of thing in a list; the rest is counted. */
const mostListed = 10;

const status = defineTool({
  name: "memory_status",
  title: "State of the memory",
  description:
    "What is remembered, from when to when, what is due, whether files are over their sizes, and the command to run next. Call it when something seems to be missing or out of date.",
  renders: ["memory.status"],
  input: s.object({}),
  output: objectOf({
    dir: text,
    today: text,
    raw: objectOf({ days: whole, files: whole, first: orNull(text), last: orNull(text) }),
    due: whole,
    due_nodes: listOf(objectOf({ path: text, reason: text })),
    last_run: orNull(text),
    late: whole,
    files_over: listOf(objectOf({ path: text, lines: whole, target_lines: whole, advice: orNull(text) })),
    memory_over: listOf(text),
    summaries_pending: whole,
    warnings,
    next: text,
  }),
  effect: "reads",
  run: async (memory, input, call) => {
    const result = await operation("memory.status").run(memory, input, call);
    const { dir, today, last_run, due_nodes, late, next } = result;
    const { days, files, first, last } = result.raw;
    return {
      structured: {
        dir,
        today,
        raw: { days, files, first, last },
        due: due_nodes.length,
        due_nodes: due_nodes.slice(0, mostListed).map(({ path, reason }) => ({ path, reason })),
        last_run,
        late: late.length,
        files_over: result.files
          .filter(({ over }) => over)
          .map(({ path, lines, target_lines, advice }) => ({ path, lines, target_lines, advice })),
        memory_over: result.memory?.over ?? [],
        summaries_pending: result.summaries.pending,
        warnings: [...result.skipped, ...result.warnings].slice(0, mostListed),
        next,
      },
    };
  },
});

const trace = defineTool({
  name: "memory_trace",
  title: "Trace a line to its source",
  description:
    "From a line of ROOT.md (part of its text, or ROOT:12) through every level down to the raw lines it was made from, with their digests. Call it to check something before you rely on it.",
  renders: ["tree.trace"],
  input: s.object(s.pick(traceInput(), "text")),
  output: objectOf({
    line: objectOf({ path: text, line: whole, text }),
    chain: listOf(objectOf({ path: text, lines: lineRange, text })),
    raw: listOf(objectOf({ path: text, lines: lineRange, sha256: text, text, state: text })),
    more: truth,
  }),
  effect: "reads",
  run: async (memory, input, call) => {
    const result = await operation("tree.trace").run(memory, input, call);
    const most = 3 * mostListed;
    return {
      structured: {
        line: result.line,
        chain: result.chain.slice(0, most).map(({ path, lines, text: said }) => ({ path, lines, text: said })),
        raw: result.raw.slice(0, most).map(({ path, lines, sha256, text: said, state }) => {
          return { path, lines, sha256, text: said, state };
        }),
        more: result.chain.length > most || result.raw.length > most,
      },
    };
  },
});

export const keepingTools: readonly Tool[] = [log, status, trace];
