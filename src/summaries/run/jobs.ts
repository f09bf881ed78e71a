import { shortDigest } from "../../base/digest.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { type Call, readInputText } from "../../base/operation.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { type ListedRecord, parseJobId, type SummaryKind, summaryKinds } from "../../tree/answers/record.ts";
import { appendLedger, commitRecord, firstUsable, listAllRecords, readRecord } from "../../tree/run/answer-store.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import { printedSources } from "../request/build-request.ts";
import type {
  DropInput,
  PendingInput,
  SubmitInput,
  DropResult,
  PendingResult,
  SubmitResult,
  SummaryJob,
} from "./inputs-and-results.ts";
import { effectiveSettings, pullContextTokens } from "./budget.ts";
import {
  codesOf,
  errorsIn,
  judgeAnswer,
  type Prepared,
  prepareRequest,
  unanswered,
  unreadable,
  type Subject,
  type SubjectSource,
} from "./subject.ts";
import { appendBuiltIn, takeRecordedThreads, mostThreadSubjects, threadSubjects } from "./thread-subject.ts";
import { withLogicalLogs } from "../../tree/memory.ts";
import { nodePath, parseNodeLabel } from "../../tree/model/period.ts";
import { askableNodes, basisOf, isSummary, statusOf } from "../../tree/plan/status.ts";
import { loadTree } from "../../tree/run/load.ts";
import { nodeSubject } from "./node-subject.ts";
import { type RootLook, rootSubjects } from "./root-subject.ts";

const defaultLimit = 10;

/** Lists jobs with everything an agent needs to answer them. Writes and sends nothing. Errors: `job_not_found`, `job_stale`, `invalid_config`. */
export async function readPending(memory: SummaryMemory, input: PendingInput, call: Call = {}): Promise<PendingResult> {
  const jobs: SummaryJob[] = [];
  const warnings: Warning[] = [];
  const hidden = { open: 0, over_limit: 0 };
  const { kind, open, limit = defaultLimit } = input;
  if (input.job !== undefined) jobs.push(await jobOf(memory, await findJob(memory, input.job, call)));
  else {
    const source = openSubjects(memory);
    const to = await jobAsking(memory, call);
    for (const each of kind === undefined ? summaryKinds : [kind]) {
      for (const subject of await unanswered(memory, source, each)) {
        if (subject.state !== "due" && open !== true) hidden.open += 1;
        else if (jobs.length >= limit) hidden.over_limit += 1;
        else {
          call.signal?.throwIfAborted();
          try {
            jobs.push(await jobOf(memory, await prepareRequest(memory, subject, to)));
          } catch (error) {
            pushAll(warnings, unreadable(subject, error));
          }
        }
      }
    }
  }
  const [first] = jobs;
  return { jobs, hidden, warnings, next: first === undefined ? "heartwood status" : submitCommand(first.job_id) };
}

function submitCommand(jobId: string): string {
  return `heartwood summaries submit ${jobId} --file FILE`;
}

async function jobOf(memory: SummaryMemory, prepared: Prepared): Promise<SummaryJob> {
  const { subject, request, event } = prepared;
  return {
    job_id: prepared.jobId,
    kind: subject.kind,
    period: subject.kind === "thread" ? null : subject.label,
    cut: subject.cut ?? null,
    prompt: prepared.printed.instructions,
    sources: printedSources(request),
    budget_tokens: request.budgetTokens,
    must_keep: request.mustKeep.map(({ topic, type, lines }) => ({ topic, type, text: lines.join("\n") })),
    digest: event.digest,
    state: subject.state,
    tokens: prepared.promptTokens,
    left_out_lines: request.leftOut,
    refused: await refusedCodes(memory, event),
  };
}

async function refusedCodes(
  memory: SummaryMemory,
  { kind, label, digest }: Prepared["event"],
): Promise<readonly string[]> {
  const refused = (await listAllRecords(memory, kind)).filter(
    (record) => record.state === "refused" && record.label === label && record.digest === shortDigest(digest),
  );
  const records = await Promise.all(refused.map(({ path }) => readRecord(memory, path)));
  const [last] = records
    .filter((record) => typeof record === "object")
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return codesOf(errorsIn(last?.findings ?? []));
}

const pullModel = "pull";

const notesPath = "memory/agents/compaction/AGENT.md";
/** Bytes read from the notes: more than are kept, so that no secret is cut in two before it is detected. */
const readNotes = 64 * 1024;

async function jobAsking(memory: SummaryMemory, call: Call): Promise<Parameters<typeof prepareRequest>[2]> {
  const { configuration } = await readConfiguration(memory);
  const { adapter, contextTokens } = effectiveSettings(memory, configuration);
  const space = {
    contextTokens: adapter === "pull" ? contextTokens : pullContextTokens,
    notes: await readAgentNotes(memory),
  };
  return { model: pullModel, space, call };
}

async function readAgentNotes(memory: SummaryMemory): Promise<string | undefined> {
  const read = await memory.files.read(notesPath, { from: 0, to: readNotes });
  if (read === undefined) return undefined;
  // The last line may be cut, even within a character.
  const end = read.size > readNotes ? Math.max(0, Buffer.from(read.bytes).lastIndexOf(10)) : read.bytes.length;
  const text = decodeText(read.bytes.subarray(0, end));
  return text === undefined ? undefined : redact(text).text.replaceAll("\r\n", "\n").trim() || undefined;
}

function jobParts(job: string): { readonly kind: SummaryKind; readonly label: string; readonly digest: string } {
  const parts = parseJobId(job);
  if (parts === undefined) throw notFound(job, "a job id looks like daily-2026-03-15-9f2c1f3a");
  return parts;
}

/** Finds the request for a job id. Errors: `job_not_found`, `job_stale`, read errors. */
async function findJob(memory: SummaryMemory, job: string, call: Call): Promise<Prepared> {
  const { kind, label, digest } = jobParts(job);
  const subject = await openSubjects(memory).find(kind, label);
  if (subject === undefined) throw notFound(job, "nothing with that id can be summarized now");
  const to = await jobAsking(memory, call);
  const prepared = await prepareRequest(memory, subject, to).catch((error: unknown) => {
    if (!(error instanceof MemoryError) || error.code !== "changed_by_other") throw error;
    // Only the next run can determine the new job.
    const list = "run heartwood compact, then list the jobs with heartwood summaries pending";
    throw stale(job, `its sources have changed; ${list}`);
  });
  if (prepared.event.digest.startsWith(digest)) return prepared;
  const now = prepared.jobId;
  throw stale(job, `its sources, its notes or the prompt have changed; the job is now ${now}`, { now });
}

function stale(job: string, why: string, more: { readonly now?: string } = {}): MemoryError {
  const name = shown(job, 160);
  const message = `Job ${name} is out of date: ${why}. Nothing was recorded.`;
  return new MemoryError("job_stale", message, { job: name, ...more });
}

function notFound(job: string, why: string): MemoryError {
  const name = shown(job, 160);
  const message = `Job ${JSON.stringify(name)} not found: ${why}; list the jobs with heartwood summaries pending.`;
  return new MemoryError("job_not_found", message, { job: name });
}

/**
 * Checks and records an agent's answer. A refused answer is kept separately. Errors: `job_not_found`, `job_stale`, `invalid_body` (not UTF-8, too
 * long), `usage` (`by`), disk errors.
 */
export async function submitAnswer(memory: SummaryMemory, input: SubmitInput, call: Call = {}): Promise<SubmitResult> {
  const by = checkBy(input.by);
  const { kind, label } = jobParts(input.job);
  for (const { path } of await acceptedFor(memory, input.job))
    if ((await readRecord(memory, path)) !== "damaged") {
      // Report the job as known even if its sources have changed since.
      await takeRecordedThreads(memory, call);
      const thread = label.slice(0, label.lastIndexOf("."));
      return known(input.job, kind === "thread" ? `heartwood thread compile ${thread}` : "heartwood compact");
    }
  const prepared = await findJob(memory, input.job, call);
  const { subject, jobId, event } = prepared;
  const records = await listAllRecords(memory, subject.kind);
  if ((await firstUsable(memory, records, subject)) !== undefined) return known(jobId, subject.next);
  const text = await readInputText(input.file, { what: "answer", most: longestFile, signal: call.signal });
  const { record, path, outcome } = await judgeAnswer(memory, prepared, { text, end: "complete", by, call });
  const { findings } = record;
  const state = record.state === "accepted" ? "accepted" : "refused";
  if (outcome === "written")
    await appendLedger(memory, [{ event: "submitted", ...event, outcome: state, codes: codesOf(findings) }]);
  else if (state === "accepted") return known(jobId, subject.next);
  const next = state === "refused" ? submitCommand(jobId) : subject.next;
  return { job_id: jobId, state, findings, path, late: subject.state === "fixed", next };
}

/** The accepted answers to exactly this job. Errors: `job_not_found`. */
async function acceptedFor(memory: SummaryMemory, job: string): Promise<readonly ListedRecord[]> {
  const { kind, label, digest } = jobParts(job);
  return (await listAllRecords(memory, kind)).filter(
    (record) => record.state === "accepted" && record.label === label && record.digest.startsWith(digest),
  );
}

function known(jobId: string, next: string): SubmitResult {
  return { job_id: jobId, state: "known", findings: [], path: null, late: false, next };
}

const longestBy = 96;

function checkBy(by: string | undefined): string | undefined {
  if (by === undefined) return undefined;
  if (by.trim() !== "" && by.length <= longestBy && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(by)) return redact(by).text;
  const message = `by is ${JSON.stringify(shown(by, longestBy))}; it must be one non-empty line of at most ${longestBy} characters without control characters.`;
  throw new MemoryError("usage", message, { field: "by" });
}

/** Maximum bytes read from a file; any acceptable answer is far shorter. */
const longestFile = 1024 * 1024;

/** Drops an accepted answer. The same request is not sent again automatically. Errors: `job_not_found`, `artifact_damaged`, disk errors. */
export async function dropAnswer(memory: SummaryMemory, input: DropInput, call: Call = {}): Promise<DropResult> {
  const { kind, label } = jobParts(input.job);
  const [listed] = await acceptedFor(memory, input.job);
  if (listed === undefined) throw notFound(input.job, "no accepted answer with that id is recorded");
  const record = await readRecord(memory, listed.path);
  if (record === "missing") throw notFound(input.job, "its record was removed in the meantime");
  if (record === "damaged") {
    const message = `${shown(listed.path, 300)} is damaged and not in use: restore it, or delete it.`;
    throw new MemoryError("artifact_damaged", message, { path: listed.path });
  }
  // Called both before and after the drop: before, so that repeating the command after a crash completes it; after, because a run in between may have
  // used the answer again.
  if (kind === "thread") await appendBuiltIn(memory, record, call);
  // Write the record under its new name first: after a crash in between it is still accepted, and repeating the command completes the drop.
  const { path } = await commitRecord(memory, { ...record, state: "dropped" });
  await memory.files.commit([{ path: listed.path, bytes: undefined, expect: "anything" }]);
  if (kind === "thread") await appendBuiltIn(memory, record, call);
  const { digest, model } = record;
  await appendLedger(memory, [{ event: "dropped", kind, label, digest, model }]);
  const subject = await openSubjects(memory).find(kind, label);
  return { job_id: input.job, path, next: subject?.next ?? "heartwood compact" };
}

/** The subjects of a memory. `list` omits nodes with an accepted or refused answer; `find` includes them. */
export function openSubjects(memory: SummaryMemory, look?: RootLook): SubjectSource {
  let loaded = look === undefined ? undefined : Promise.resolve(look.loaded);
  const tree = (): Promise<RootLook["loaded"]> =>
    (loaded ??= withLogicalLogs(memory).then((logs) => loadTree(logs, { cache: "used" })));
  const list = async (kind: SummaryKind, thread_id?: string): Promise<readonly Subject[]> => {
    if (kind === "thread") return threadSubjects(memory, { limit: mostThreadSubjects, thread_id });
    if (kind === "root") return rootSubjects(memory, { ...(await readConfiguration(memory)), loaded: await tree() });
    return askableNodes((await tree()).state)
      .filter((node) => node.facts.name.level === kind && node.state !== "fixed")
      .map((node) => nodeSubject(memory, node));
  };
  return {
    list,
    find: async (kind, label) => {
      // `notes.120` belongs to the thread `notes`.
      if (kind === "root" || kind === "thread")
        return (await list(kind, label.replace(/\.?[^.]*$/u, ""))).find((subject) => subject.label === label);
      const { state } = await tree();
      const name = parseNodeLabel(kind, label);
      const facts = name === undefined ? undefined : state.nodes.get(nodePath(name));
      if (facts === undefined || !isSummary(facts)) return undefined;
      const isDue = statusOf(state, facts.name, facts) === "fixed";
      const basis = basisOf(facts.name, facts.sources);
      return nodeSubject(memory, { facts, basis, state: facts.status === "fixed" ? "fixed" : isDue ? "due" : "open" });
    },
    forget: () => (loaded = undefined),
  };
}
