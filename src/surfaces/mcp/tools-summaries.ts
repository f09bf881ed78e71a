import { MemoryError } from "../../base/errors.ts";
import * as s from "../../base/schema.ts";
import { textFile } from "../../operations/operation.ts";
import { operation } from "../../operations/table.ts";
import { pendingInput, submitInput } from "../../summaries/run/inputs.ts";
import { listOf, objectOf, orNull, text, warningsOf, whole, type Tool } from "./tool.ts";

export const summariesTool: Tool = {
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
      warnings: warningsOf(),
    },
    required: ["next"],
  },
  effect: "writes",
  run: async (memory, { action, job, answer, by, kind, limit = 1 }, call) => {
    if (action === "pending") {
      const result = await operation("summaries.pending").run(memory, { job, kind, limit } as object, call);
      const jobs = result.jobs.map(({ job_id, kind: of, period, prompt, sources, budget_tokens, must_keep }) => {
        return { job_id, kind: of, period, prompt, sources, budget_tokens, must_keep };
      });
      return { structured: { jobs, more: result.hidden.over_limit, next: result.next, warnings: result.warnings } };
    }
    if (job === undefined || answer === undefined) {
      const field = job === undefined ? "job" : "answer";
      throw new MemoryError("usage", `${field} is missing; action submit needs job and answer.`, { field });
    }
    const answered = { job: String(job), file: textFile("the answer", String(answer)), by } as { readonly job: string };
    const result = await operation("summaries.submit").run(memory, answered as never, call);
    const findings = result.findings.map(({ code, severity, message }) => ({ code, severity, message }));
    return { structured: { job_id: result.job_id, state: result.state, findings, next: result.next } };
  },
};
