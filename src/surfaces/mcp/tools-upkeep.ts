import { MemoryError } from "../../base/errors.ts";
import type { AuditResult } from "../../audit/run/audit-result.ts";
import { auditInput } from "../../audit/run/inputs.ts";
import type { InputFile } from "../../base/operation.ts";
import { operation } from "../../operations/table.ts";
import * as s from "../../base/schema.ts";
import { pendingInput, submitInput, type PendingInput, type SubmitInput } from "../../summaries/run/inputs.ts";
import type { PendingResult, SubmitResult } from "../../summaries/run/results.ts";
import {
  figure,
  lineRange,
  listOf,
  objectOf,
  orNull,
  text,
  truth,
  warnings,
  whole,
  defineTool,
  dryRunByDefault,
  type Tool,
  type ToolAnswer,
} from "./tool.ts";

/** Of each kind of thing in a list; the counts tell of all. */
const mostListed = 20;

/** Characters of a heading or a sentence. */
const mostCharacters = 300;

/** Units of 1,024 bytes: what MEMORY.md may have when an agent looks at it; the command line is stricter. */
const usualMaxKb = 15;

const compact = defineTool({
  name: "memory_compact",
  title: "Audit MEMORY.md and the notes",
  description:
    "The audit: finds repeats and bloat in MEMORY.md and the notes, and with dry_run false takes out of the notes what MEMORY.md says already; aggressive also compresses MEMORY.md and rotates " +
    "large notes. Nothing is lost: heartwood audit undo puts every byte back. (The cycle that builds the tree is tree_compact, and runs by itself.)",
  renders: ["audit.run"],
  input: s.object({
    workspace: s.optional(
      s.text(
        "DIR",
        'the folder with MEMORY.md: "auto" (the default: the memory of this server), or a folder that the user trusts, or one inside it (same git repository)',
      ),
    ),
    dry_run: dryRunByDefault,
    auto: s.switchOff(
      undefined,
      "true (the default): dry_run false changes files; false: no file changes, whatever dry_run says",
    ),
    ...s.pick(auditInput(), "aggressive"),
    max_memory_kb: s.optional(s.whole(1, 1_000_000, `the size of MEMORY.md that is too much (default: ${usualMaxKb})`)),
  }),
  output: objectOf({
    dry_run: truth,
    memory_size: whole,
    memory_tokens: figure,
    cross_file_issues: listOf(
      objectOf({
        path: text,
        section: text,
        lines: lineRange,
        similarity: figure,
        severity: text,
        recommendation: text,
      }),
    ),
    internal_duplicates: whole,
    high_severity_count: whole,
    sections: listOf(objectOf({ heading: text, lines: whole, tokens: figure, preview: text })),
    memory_size_before: whole,
    memory_size_after: whole,
    rotated: truth,
    rotated_count: whole,
    rotated_files: listOf(text),
    id: { ...orNull(text), description: "what heartwood audit undo takes; null when nothing was written" },
    actions: {
      ...listOf(
        objectOf({
          kind: text,
          path: text,
          lines: { ...listOf(lineRange), description: "the lines that go" },
          lines_more: whole,
          bytes: whole,
          state: { ...text, enum: ["proposed", "done", "left"] },
          message: text,
        }),
      ),
      description: "what was done, or with dry_run true what would be",
    },
    actions_more: whole,
    findings: listOf(
      objectOf({
        code: text,
        severity: text,
        path: text,
        line: { ...orNull(whole), description: "null: the whole file" },
        lines: orNull(lineRange),
        message: text,
      }),
    ),
    findings_more: whole,
  }),
  effect: "writes",
  folder: ({ workspace }) => workspace as string | undefined,
  run: async (memory, input, call) => {
    const { dry_run = true, auto = true, aggressive, max_memory_kb = usualMaxKb } = input;
    const how = dry_run === true || auto === false ? { dry_run: true } : { apply: true };
    const wanted = { ...how, ...(aggressive === undefined ? {} : { aggressive }), max_memory_kb };
    return audited(await operation("audit.run").run(memory, wanted, call));
  },
});

function audited(result: AuditResult): ToolAnswer {
  const { dry_run, memory_size, memory_tokens, internal_duplicates, high_severity_count, id } = result;
  const { memory_size_before, memory_size_after, rotated, rotated_count } = result;
  const open = result.findings.filter(({ resolved }) => !resolved);
  return {
    structured: {
      dry_run,
      memory_size,
      memory_tokens,
      cross_file_issues: result.cross_file_issues
        .slice(0, mostListed)
        .map(({ path, section, lines, similarity, severity, recommendation }) => {
          return { path, section: short(section), lines, similarity, severity, recommendation };
        }),
      internal_duplicates,
      high_severity_count,
      sections: result.sections
        .slice(0, mostListed)
        .map(({ heading, lines, tokens, preview }) => ({ heading: short(heading), lines, tokens, preview })),
      memory_size_before,
      memory_size_after,
      rotated,
      rotated_count,
      rotated_files: result.rotated_files.slice(0, mostListed),
      id,
      actions: result.actions.slice(0, mostListed).map(({ kind, path, lines, bytes, state, message }) => {
        const lines_more = Math.max(0, lines.length - mostListed);
        return { kind, path, lines: lines.slice(0, mostListed), lines_more, bytes, state, message: short(message) };
      }),
      actions_more: Math.max(0, result.actions.length - mostListed),
      findings: open.slice(0, mostListed).map(({ code, severity, path, line, lines, message }) => {
        return { code, severity, path, line, lines, message: short(message) };
      }),
      findings_more: Math.max(0, open.length - mostListed),
    },
  };
}

function short(said: string): string {
  return said.length > mostCharacters ? `${said.slice(0, mostCharacters - 1).toWellFormed()}…` : said;
}

const summaries = defineTool({
  name: "memory_summaries",
  title: "Write summaries",
  description:
    "Summaries that you may write better than the built-in summarizer. action pending lists jobs, each with its prompt and its sources; action submit takes your Markdown for one, checks it and " +
    "records it. Never urgent: do it when there is time.",
  renders: ["summaries.pending", "summaries.submit"],
  input: s.object({
    action: s.choice(["pending", "submit"], "ACTION", "pending: list jobs; submit: answer one"),
    job: s.optional(s.text("JOB", "pending: this job alone; submit: the job that is answered")),
    answer: s.optional(s.text("TEXT", "submit: the summary, Markdown as the prompt asks for it")),
    ...s.pick(submitInput(), "by"),
    ...s.pick(pendingInput(), "kind"),
    limit: s.optional(s.whole(1, 1000, "pending: at most N jobs (default: 1)")),
  }),
  output: {
    type: "object",
    properties: {
      jobs: listOf(
        objectOf({
          job_id: text,
          kind: text,
          period: orNull(text),
          prompt: text,
          sources: listOf(objectOf({ name: text, text })),
          budget_tokens: whole,
        }),
      ),
      more: whole,
      state: { ...text, enum: ["accepted", "refused", "known"] },
      findings: listOf(objectOf({ code: text, severity: text, message: text })),
      next: text,
      warnings,
    },
    required: ["next"],
  },
  effect: "writes",
  run: async (memory, input, call) =>
    input.action === "submit"
      ? submitted(await operation("summaries.submit").run(memory, submission(input), call))
      : pending(await operation("summaries.pending").run(memory, question(input), call)),
});

function question({ job, kind, limit = 1 }: PendingInput): PendingInput {
  return { limit, ...(job === undefined ? {} : { job }), ...(kind === undefined ? {} : { kind }) };
}

function submission({ job, answer, by }: Partial<Record<"job" | "answer" | "by", string>>): SubmitInput {
  if (job === undefined || answer === undefined) {
    const name = job === undefined ? "job" : "answer";
    throw new MemoryError("usage", `${name} is not given; action submit needs job and answer.`, { field: name });
  }
  const bytes = new TextEncoder().encode(answer);
  const file: InputFile = { name: "the answer", chunks: () => inOnePiece(bytes) };
  return { job, file, ...(by === undefined ? {} : { by }) };
}

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

function pending({ jobs, hidden, next, warnings: told }: PendingResult): ToolAnswer {
  const listed = jobs.map(({ job_id, kind, period, prompt, sources, budget_tokens, must_keep }) => {
    return { job_id, kind, period, prompt, sources, budget_tokens, must_keep };
  });
  return { structured: { jobs: listed, more: hidden.over_limit, next, warnings: told } };
}

function submitted({ job_id, state, findings, next }: SubmitResult): ToolAnswer {
  const told = findings.map(({ code, severity, message }) => ({ code, severity, message }));
  return { structured: { job_id, state, findings: told, next } };
}

export const upkeepTools: readonly Tool[] = [compact, summaries];
