import { auditInput } from "../../audit/model/finding.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { memoryTypes, standingOf } from "../../base/memory-type.ts";
import * as s from "../../base/schema.ts";
import { printRecall } from "../../recall/context/print.ts";
import {
  recallInput,
  searchInput,
  logsTold,
  type RecallResult,
  type SearchHit,
} from "../../recall/search/inputs-and-results.ts";
import { pendingInput, submitInput } from "../../summaries/run/inputs-and-results.ts";
import { visibleLine } from "../../text/visible.ts";
import type { TraceResult } from "../../tree/inspect/trace-places.ts";
import { logAddInput, readInput } from "../../tree/inputs.ts";
import { textFile } from "../operation.ts";
import { operation, type OperationName, type ResultOf } from "../table.ts";
import { forget, forgetFor } from "./forget-tool.ts";
import { dryRunByDefault, type Tool, type ToolAnswer, type ToolInput } from "./tool.ts";

/** A tool that exposes one operation. */
interface Rendering<Name extends OperationName> extends Omit<Tool, "effect" | "run"> {
  readonly renders: readonly [Name, ...OperationName[]];
  /** Maps the tool's input to the operation's. Default: unchanged. */
  inputOf?(input: ToolInput): ToolInput;
  /** The part of the result that an agent needs. */
  answerOf(result: ResultOf<Name>): ToolAnswer["says"];
}

function rendering<const Name extends OperationName>(tool: Rendering<Name>): Tool {
  const { inputOf = (input) => input, answerOf, ...shown } = tool;
  const { effect, run } = operation(tool.renders[0]);
  return {
    ...shown,
    effect,
    run: async (memory, input, call) => {
      const result = (await run(memory, inputOf(input) as never, call)) as ResultOf<Name>;
      const notIndexed = (result as { readonly not_indexed?: number }).not_indexed ?? 0;
      return { says: answerOf(result), notIndexed };
    },
  };
}

function warned(warnings: readonly Warning[]): readonly string[] {
  return warnings.map(({ message, path }) => `Warning: ${path === undefined ? "" : `${path}: `}${message}`);
}

const recall = rendering({
  name: "memory_recall",
  title: "Recall",
  description: "Retrieve memories relevant to the user's message: earlier work, decisions, preferences, people.",
  renders: ["memory.recall"],
  input: s.object({ text: s.text("TEXT", "the user's whole message"), ...s.pick(recallInput(), "also", "budget") }),
  listed: {
    text: "the whole message",
    also: "other words its notes may use: synonyms, names, what the answer depends on",
  },
  // An agent can think of other words, and a field that must be filled is filled (docs/decisions/0052).
  required: ["also"],
  presence: "always",
  answerOf: (result) => {
    const recalled = result as RecallResult;
    return [printRecall(recalled), ...warned(recalled.warnings)].join("\n");
  },
});

const search = rendering({
  name: "memory_search",
  title: "Search the memory",
  description: 'Find words, "phrases", prefixes* and dates (last week, 2026-03); lists places.',
  renders: ["memory.search"],
  input: s.object(s.pick(searchInput(), "query", "type", "since", "until", "level", "in", "by", "limit")),
  listed: { query: "", limit: "" },
  answerOf: ({ hits, more, not_indexed: missing, warnings }) =>
    [
      ...(hits.length === 0 ? ["Nothing found."] : hits.map(hitLine)),
      ...(more ? ["There are more hits: pass a higher limit."] : []),
      ...(missing === 0 ? [] : [`Not searched yet: ${missing} ${missing === 1 ? "source" : "sources"}.`]),
      ...warned(warnings),
    ].join("\n"),
});

/** `memory/2026-03-05.md:12 (feedback by agent; Payments): a «token bucket» …` */
function hitLine({ source, date, type, origin, heading, snippet, warning }: SearchHit): string {
  const facts = [
    ...(date === null || source.includes(date) ? [] : [date]),
    ...(type === "project" ? [] : [standingOf(type, origin ?? undefined).tag ?? type]),
    ...(heading === "" ? [] : [heading]),
    ...(warning === undefined ? [] : [warning.says]),
  ];
  const about = facts.length === 0 ? "" : ` (${facts.map(visibleLine).join("; ")})`;
  return `${visibleLine(source)}${about}: ${visibleLine(snippet)}`;
}

const read = rendering({
  name: "memory_read",
  title: "Read the memory",
  description: "Read ROOT (the overview), a period (2026-03-15, 2026-W11, 2026-03) or a place.",
  renders: ["memory.read", "tree.show"],
  input: readInput(),
  listed: { place: "" },
  answerOf: (result) => {
    const below = [logsTold(result), result.next === null ? "" : `… continue: memory_read with place ${result.next}`];
    return [result.text, ...below.filter((line) => line !== "")].join("\n");
  },
});

const log = rendering({
  name: "memory_log",
  title: "Log an entry",
  description:
    "Log a decision and why, a result, the user's correction (feedback), a fact about them (user), where something is (reference). No code or diffs.",
  renders: ["log.add"],
  input: s.object({
    ...s.pick(logAddInput(), "topic", "body", "corrects", "rule", "why", "how_to_apply", "date", "id"),
    type: s.optional(s.choice([...memoryTypes, "forget"], "TYPE", "the type of memory, or forget")),
  }),
  listed: { topic: "", type: "", body: "a few lines", corrects: "place of what was wrong, once the user agrees" },
  required: ["body"],
  presence: "always",
  answerOf: loggedAnswer,
});

/** Also forgets, because real clients refuse tools that are not listed. The topic is then the code of what was shown. */
const logOrForget: Tool = {
  ...log,
  renders: ["log.add", "memory.forget"],
  run: (memory, input, call) =>
    input["type"] === "forget"
      ? forgetFor(memory, { what: input["body"], code: input["topic"] }, call)
      : log.run(memory, input, call),
};

function loggedAnswer({ action, path, lines, id, warnings }: ResultOf<"log.add">): string {
  if (action === "forgotten") return `Not added: an entry with the id ${id} was forgotten.`;
  const done = action === "added" ? "Added" : "Already there";
  return [`${done}: ${path}:${lines.join("-")}, id ${id}`, ...warned(warnings)].join("\n");
}

/** Real clients refuse tools that are not listed, so `memory_log` has this as a field. */
const correct = rendering({
  name: "memory_correct",
  title: "Correct an entry",
  description:
    "Append what is right and stop giving what was wrong. Show the user the entry and ask once before. Nothing is deleted: the corrected lines stay in their log.",
  renders: ["log.add"],
  input: s.object({
    place: s.text("PLACE", "the lines that were wrong, as recall and search print them"),
    body: s.text("TEXT", "what is right"),
  }),
  inputOf: ({ place, body }) => ({ topic: "", corrects: place, body }),
  answerOf: loggedAnswer,
});

const status = rendering({
  name: "memory_status",
  title: "Memory status",
  description:
    "Show the state of the memory: what it contains, the dates it covers, what is due, files over their target size, and the command to run next. Call it when something seems missing or out of date.",
  renders: ["memory.status"],
  input: s.object({}),
  answerOf: ({
    dir,
    today,
    raw,
    due_nodes: due,
    last_run,
    late,
    files,
    memory,
    summaries,
    skipped,
    warnings,
    next,
  }) => ({
    dir,
    today,
    raw: { days: raw.days, files: raw.files, first: raw.first, last: raw.last },
    due: due.length,
    due_nodes: due.slice(0, 10).map(({ path, reason }) => ({ path, reason })),
    last_run,
    late: late.length,
    files_over: files
      .filter(({ over }) => over)
      .map(({ path, lines, target_lines, advice }) => ({ path, lines, target_lines, advice })),
    memory_over: memory?.over ?? [],
    summaries_pending: summaries.pending,
    warnings: [...skipped, ...warnings].slice(0, 10),
    next,
  }),
});

/** Maximum steps, and maximum sources, of a trace. */
const mostTraced = 30;

const trace = rendering({
  name: "memory_trace",
  title: "Trace a line to its source",
  description:
    "Trace a ROOT.md line (part of its text, or ROOT:12) through every level to the log lines it was made from, with their digests. Call it to check something before you rely on it.",
  renders: ["tree.trace"],
  input: s.object({ text: s.text("TEXT", "part of a ROOT.md line, or ROOT:LINE") }),
  answerOf: (result) => {
    const { line, chain, raw } = result as TraceResult;
    return {
      line,
      chain: chain.slice(0, mostTraced).map(({ path, lines, text }) => ({ path, lines, text })),
      raw: raw
        .slice(0, mostTraced)
        .map(({ path, lines, sha256, text, state }) => ({ path, lines, sha256, text, state })),
      more: Math.max(chain.length, raw.length) > mostTraced,
    };
  },
});

/** Maximum items per list in an audit; counts still cover all items. */
const mostListed = 20;
/** KB allowed for MEMORY.md when an agent runs the audit. The command line is stricter. */
const usualMaxKb = 15;

const compact = rendering({
  name: "memory_compact",
  title: "Audit MEMORY.md and the notes",
  description:
    "Find repeats and bloat in MEMORY.md and the notes. With `dry_run: false`, remove from the notes what MEMORY.md already says; with `aggressive: true`, also compress MEMORY.md and rotate " +
    "large notes. Losslessly reversible with audit_undo. (This is the audit; the cycle that builds the tree is tree_compact and runs by itself.)",
  renders: ["audit.run"],
  folder: "workspace",
  input: s.object({
    workspace: s.optional(
      s.text(
        "DIR",
        'the folder with MEMORY.md: "auto" (the default: this server\'s memory), or a folder that the user trusts, or one inside it (same git repository)',
      ),
    ),
    dry_run: dryRunByDefault,
    auto: s.switchOff(
      undefined,
      "true (the default): dry_run decides whether files change; false: no file changes, even with dry_run: false",
    ),
    ...s.pick(auditInput(), "aggressive"),
    max_memory_kb: s.optional(
      s.whole(1, 1_000_000, `report MEMORY.md when it is larger than this many KB (default: ${usualMaxKb})`),
    ),
  }),
  inputOf: ({ dry_run = true, auto = true, aggressive, max_memory_kb = usualMaxKb }) => ({
    ...(dry_run === true || auto === false ? { dry_run: true } : { apply: true }),
    aggressive,
    max_memory_kb,
  }),
  answerOf: (result) => {
    const { dry_run, memory_size, memory_tokens, internal_duplicates, high_severity_count } = result;
    const { memory_size_before, memory_size_after, rotated, rotated_count, rotated_files, id, actions } = result;
    const findings = result.findings.filter(({ resolved }) => !resolved);
    return {
      dry_run,
      memory_size,
      memory_tokens,
      cross_file_issues: firstOf(result.cross_file_issues).map(
        ({ path, section, lines, similarity, severity, recommendation }) => {
          return { path, section: short(section), lines, similarity, severity, recommendation };
        },
      ),
      internal_duplicates,
      high_severity_count,
      sections: firstOf(result.sections).map(({ heading, lines, tokens, preview }) => {
        return { heading: short(heading), lines, tokens, preview };
      }),
      memory_size_before,
      memory_size_after,
      rotated,
      rotated_count,
      rotated_files: firstOf(rotated_files),
      id,
      actions: firstOf(actions).map(({ kind, path, lines, bytes, state, message }) => {
        return {
          kind,
          path,
          lines: firstOf(lines),
          lines_more: moreThan(lines),
          bytes,
          state,
          message: short(message),
        };
      }),
      actions_more: moreThan(actions),
      findings: firstOf(findings).map(({ code, severity, path, line, lines, message }) => {
        return { code, severity, path, line, lines, message: short(message) };
      }),
      findings_more: moreThan(findings),
    };
  },
});

function firstOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, mostListed);
}

function moreThan(list: readonly unknown[]): number {
  return Math.max(0, list.length - mostListed);
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}

const summaries: Tool = {
  name: "memory_summaries",
  title: "Write summaries",
  description:
    "Improve on the built-in summaries. Action pending lists jobs, each with its prompt and sources; action submit checks and records your Markdown answer to one job. Never urgent: do it when there is time.",
  renders: ["summaries.pending", "summaries.submit"],
  input: s.object({
    action: s.choice(["pending", "submit"], "ACTION", "pending: list jobs; submit: answer a job"),
    job: s.optional(s.text("JOB", "pending: list only this job; submit: the job to answer")),
    answer: s.optional(s.text("TEXT", "submit: the summary, in Markdown, in the form the prompt asks for")),
    ...s.pick(submitInput(), "by"),
    ...s.pick(pendingInput(), "kind"),
    limit: s.optional(s.whole(1, 1000, "pending: list at most N jobs (default: 1)")),
  }),
  effect: "writes",
  run: async (memory, { action, job, answer, by, kind, limit = 1 }, call) => {
    if (action === "pending") {
      const result = await operation("summaries.pending").run(memory, { job, kind, limit } as object, call);
      const jobs = result.jobs.map(({ job_id, kind: of, period, prompt, sources, budget_tokens, must_keep }) => {
        return { job_id, kind: of, period, prompt, sources, budget_tokens, must_keep };
      });
      return { says: { jobs, more: result.hidden.over_limit, next: result.next, warnings: result.warnings } };
    }
    if (job === undefined || answer === undefined) {
      const field = job === undefined ? "job" : "answer";
      throw new MemoryError("usage", `${field} is missing; action submit needs job and answer.`, { field });
    }
    const answered = { job: String(job), file: textFile("the answer", String(answer)), by } as { readonly job: string };
    const result = await operation("summaries.submit").run(memory, answered as never, call);
    const findings = result.findings.map(({ code, severity, message }) => ({ code, severity, message }));
    return { says: { job_id: result.job_id, state: result.state, findings, next: result.next } };
  },
};

/** The tools that are always listed. */
export const usualTools: readonly Tool[] = [recall, search, read, logOrForget];
export const summariesTools: readonly Tool[] = [summaries];
export const careTools: readonly Tool[] = [status, trace, compact, correct, forget];
