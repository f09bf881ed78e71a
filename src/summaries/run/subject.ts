import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { NumberedLine } from "../../base/lines.ts";
import type { Call } from "../../base/operation.ts";
import { type AnswerFinding, type AnswerRecord, printJobId, type SummaryKind } from "../../tree/answers/record.ts";
import { commitRecord, firstUsable, listAllRecords } from "../../tree/run/answer-store.ts";
import type { SummaryMemory, SummarizerAnswer } from "../memory.ts";
import { printPrompt, requestDigest } from "../request/build-request.ts";
import { isRefused, readAnswer } from "../request/read-answer.ts";
import type { PrintedPrompt, SummaryRequest } from "../request/request.ts";

/** Something to summarize: a node, ROOT.md, or a cut of a thread. */
export interface Subject {
  readonly kind: SummaryKind;
  readonly label: string;
  /** Digest of the content to summarize, 64 digits. */
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
  readonly cut?: { readonly thread_id: string; readonly to_seq: number; readonly to_message_id: string | null };
  /** Reads the sources and builds the request. Errors: read errors; `changed_by_other` if the sources no longer match the basis. */
  request(space: RequestSpace, call: Call): Promise<SummaryRequest>;
  read(request: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer>;
  /** Applies an accepted answer, for subjects where a later run does not do that. */
  accept?(record: AnswerRecord, call: Call): Promise<void>;
  /** The command to run next so that an accepted answer takes effect. */
  readonly next: string;
}

export interface RequestSpace {
  /** Token limit for request and answer together. */
  readonly contextTokens: number;
  /** Agent notes for a job; redacted. */
  readonly notes?: string | undefined;
}

type GivenAnswer = Pick<SummarizerAnswer, "text" | "end">;

interface ReadAnswer extends Summarized {
  /** The answer with secrets redacted. */
  readonly text: string;
  readonly tokens: number;
}

interface Summarized {
  readonly findings: readonly AnswerFinding[];
  /** The lines of the summary, with refs; empty if a finding refuses the answer. */
  readonly summary: readonly string[];
}

/** Where subjects come from. The tree is loaded once, when a node or ROOT.md is first requested. */
export interface SubjectSource {
  /** Subjects that are `due` or `open`, newest first; some may have an accepted answer. */
  list(kind: SummaryKind): Promise<readonly Subject[]>;
  /** Like `list`, but also finds fixed and answered subjects. */
  find(kind: SummaryKind, label: string): Promise<Subject | undefined>;
  /** Drops the loaded tree, which may be outdated because time has passed or an answer was accepted. */
  forget(): void;
}

/** The subjects of a kind without an accepted answer. */
export async function unanswered(
  memory: SummaryMemory,
  source: SubjectSource,
  kind: SummaryKind,
): Promise<readonly Subject[]> {
  const found = await source.list(kind);
  const records = found.length === 0 ? [] : await listAllRecords(memory, kind);
  const answers = await Promise.all(found.map((subject) => firstUsable(memory, records, subject)));
  return found.filter((_, at) => answers[at] === undefined);
}

/** Reads an answer: runs the checks common to all subjects and, if they pass, `summarize`, which builds the lines of the summary and may also refuse the answer. */
export async function readWith(
  memory: SummaryMemory,
  [request, given]: readonly [SummaryRequest, GivenAnswer],
  summarize: (lines: readonly NumberedLine[]) => Summarized | Promise<Summarized>,
): Promise<ReadAnswer> {
  const { findings, lines, text, tokens } = readAnswer(request, given, (one) => memory.tokens.count(one));
  if (isRefused(findings)) return { findings, summary: [], text, tokens };
  const made = await summarize(lines);
  const all = [...findings, ...made.findings];
  return { findings: all, summary: isRefused(all) ? [] : made.summary, text, tokens };
}

/** A request as it would be sent. */
export interface Prepared {
  readonly subject: Subject;
  readonly request: SummaryRequest;
  readonly printed: PrintedPrompt;
  /** How the ledger identifies the request, with its digest of 64 digits. */
  readonly event: Pick<AnswerRecord, "kind" | "label" | "digest" | "model">;
  readonly jobId: string;
  /** o200k tokens in the prompt. */
  readonly promptTokens: number;
  /** The most one try can cost: the prompt plus the answer's budget. */
  readonly tokens: number;
}

/** Reads the sources of a subject and builds the request to this model. Errors: read errors, `changed_by_other`. */
export async function prepareRequest(
  memory: SummaryMemory,
  subject: Subject,
  { model, space, call }: { readonly model: string; readonly space: RequestSpace; readonly call: Call },
): Promise<Prepared> {
  const request = await subject.request(space, call);
  const printed = printPrompt(request);
  const { kind, label } = subject;
  const event = { kind, label, digest: requestDigest(request, model, printed), model };
  const promptTokens = memory.tokens.count(printed.instructions) + memory.tokens.count(printed.prompt);
  const tokens = promptTokens + request.budgetTokens;
  return { subject, request, printed, event, jobId: printJobId(event), promptTokens, tokens };
}

/**
 * A warning about a subject whose sources cannot be read now. Returns none if the sources contain nothing that may be sent, since the user cannot
 * change that. Rethrows `aborted` and anything other than a MemoryError.
 */
export function unreadable({ kind, label }: Subject, error: unknown): readonly Warning[] {
  if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
  return error.code === "not_found" ? [] : [{ code: error.code, message: `${kind} ${label}: ${error.message}` }];
}

/**
 * Checks an answer, records it, and applies it if accepted. `known`: this answer, or an accepted one to the same request, was already recorded, so
 * nothing was written. Errors: read and write errors.
 */
export async function judgeAnswer(
  memory: SummaryMemory,
  { subject, request, event, promptTokens }: Prepared,
  given: GivenAnswer & {
    readonly by?: string | undefined;
    readonly tokens?: AnswerRecord["tokens"] | undefined;
    readonly call: Call;
  },
): Promise<{ readonly record: AnswerRecord; readonly path: string; readonly outcome: "written" | "known" }> {
  const { findings, summary, text, tokens } = await subject.read(request, given);
  const { kind, label, digest, model } = event;
  const record: AnswerRecord = {
    state: isRefused(findings) ? "refused" : "accepted",
    kind,
    label,
    basis: request.basis,
    digest,
    prompt_rule: request.promptRule,
    model,
    ...(given.by === undefined ? {} : { by: given.by }),
    at: localTimestamp(memory.clock.now(), memory.clock.zone),
    tokens: given.tokens ?? { prompt: promptTokens, answer: tokens },
    findings,
    answer: text,
    summary,
  };
  const { path, outcome } = await commitRecord(memory, record);
  if (record.state === "accepted" && outcome === "written") await subject.accept?.(record, given.call);
  return { record, path, outcome };
}

export function codesOf(findings: readonly AnswerFinding[]): readonly string[] {
  return [...new Set(findings.map(({ code }) => code))];
}

export function errorsIn(findings: readonly AnswerFinding[]): readonly AnswerFinding[] {
  return findings.filter(({ severity }) => severity === "error");
}
