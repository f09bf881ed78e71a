import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { NumberedLine } from "../../base/lines.ts";
import { isRefused, readAnswer } from "../request/read-answer.ts";
import { printPrompt, requestDigest } from "../request/build-request.ts";
import { type AnswerRecord, printJobId } from "../../tree/answers/record.ts";
import type { AnswerFinding, SummaryKind } from "../../tree/answers/record.ts";
import type { PrintedPrompt, SummaryRequest } from "../request/request.ts";
import type { SummaryMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { commitRecord } from "../../tree/run/answer-store.ts";

/** Something that a summary can be asked for: a node, ROOT.md, a cut of a thread. */
export interface Subject {
  readonly kind: SummaryKind;
  readonly label: string;
  /** What the summary is of, 64 digits. */
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
  /** Of a thread. */
  readonly cut?: { readonly thread_id: string; readonly to_seq: number; readonly to_message_id: string | null };
  /** Reads the sources and makes the request. Errors: those of reading; `changed_by_other` when they are not what the basis says. */
  request(space: RequestSpace, call: Call): Promise<SummaryRequest>;
  /** Reads and checks an answer to that request. */
  read(request: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer>;
  /** Puts an accepted answer to use, where a later run does not do that by itself. */
  accept?(record: AnswerRecord, call: Call): Promise<void>;
  /** What to run so that an accepted answer shows. */
  readonly next: string;
}

export interface RequestSpace {
  /** Tokens of request and answer together. */
  readonly contextTokens: number;
  /** The notes of agents, of a job; redacted. */
  readonly notes?: string;
}

interface GivenAnswer {
  readonly text: string;
  readonly end: "complete" | "cut_off";
}

interface ReadAnswer {
  readonly findings: readonly AnswerFinding[];
  /** The lines of a summary, with refs; empty when a finding refuses the answer. */
  readonly summary: readonly string[];
  /** The answer with secrets replaced. */
  readonly text: string;
  /** o200k tokens of the answer. */
  readonly tokens: number;
}

/** Where subjects come from. The tree is loaded once, when a node or ROOT.md is first asked about. */
export interface SubjectSource {
  /** What can be asked for and has no accepted answer, `due` and `open`, the newest first. */
  list(kind: SummaryKind): Promise<readonly Subject[]>;
  /** One of them, or one that is fixed or answered. */
  find(kind: SummaryKind, label: string): Promise<Subject | undefined>;
  /** Time has passed, or an answer was accepted: the tree may be another one. */
  forget(): void;
}

/**
 * Reads an answer: the checks that are common to all subjects, then `summarize`, which makes the lines of the summary and may find more. What it makes of
 * a refused answer does not count.
 */
export async function readWith(
  {
    request,
    given,
    memory,
  }: { readonly request: SummaryRequest; readonly given: GivenAnswer; readonly memory: SummaryMemory },
  summarize: (lines: readonly NumberedLine[]) => Summarized | Promise<Summarized>,
): Promise<ReadAnswer> {
  const { findings, lines, text, tokens } = readAnswer(request, given, (one) => memory.tokens.count(one));
  if (isRefused(findings)) return { findings, summary: [], text, tokens };
  const { summary, refusals } = await summarize(lines);
  return { findings: [...findings, ...refusals], summary: refusals.length > 0 ? [] : summary, text, tokens };
}

export interface Summarized {
  readonly summary: readonly string[];
  readonly refusals: readonly AnswerFinding[];
}

/** A request as it would go out, with its digest. */
export interface Prepared {
  readonly subject: Subject;
  readonly request: SummaryRequest;
  readonly printed: PrintedPrompt;
  /** 64 digits. */
  readonly digest: string;
  readonly jobId: string;
  /** o200k tokens of what goes out. */
  readonly promptTokens: number;
  /** The most that one try can cost: what goes out, and the budget of the answer. */
  readonly tokens: number;
}

/** Reads the sources of a subject and makes the request to that model. Errors: those of reading, `changed_by_other`. */
export async function prepareRequest(
  memory: SummaryMemory,
  subject: Subject,
  to: { readonly model: string; readonly space: RequestSpace; readonly call: Call },
): Promise<Prepared> {
  const request = await subject.request(to.space, to.call);
  const printed = printPrompt(request);
  const digest = requestDigest(request, to.model, printed);
  const promptTokens = memory.tokens.count(printed.instructions) + memory.tokens.count(printed.prompt);
  const jobId = printJobId({ kind: subject.kind, label: subject.label, digest });
  return { subject, request, printed, digest, jobId, promptTokens, tokens: promptTokens + request.budgetTokens };
}

/** A warning about a subject whose sources cannot be read now; none where its sources have nothing that may go out, which nobody can change. Throws what is no error of a memory. */
export function unreadable({ kind, label }: Subject, error: unknown): readonly Warning[] {
  if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
  return error.code === "not_found" ? [] : [{ code: error.code, message: `${kind} ${label}: ${error.message}` }];
}

export interface Judged {
  readonly record: AnswerRecord;
  readonly path: string;
  /** `known`: this answer, or an accepted one to the same request, was there before, and nothing was written. */
  readonly outcome: "written" | "known";
}

/** Checks an answer, records it, and puts an accepted one to use. Errors: those of reading and writing. */
export async function judgeAnswer(
  memory: SummaryMemory,
  { subject, request, digest, promptTokens }: Prepared,
  given: GivenAnswer & {
    readonly model: string;
    readonly by?: string | undefined;
    readonly tokens?: AnswerRecord["tokens"] | undefined;
    readonly call: Call;
  },
): Promise<Judged> {
  const { findings, summary, text, tokens } = await subject.read(request, given);
  const state = isRefused(findings) ? "refused" : "accepted";
  const record: AnswerRecord = {
    state,
    kind: subject.kind,
    label: subject.label,
    basis: request.basis,
    digest,
    prompt_rule: request.promptRule,
    model: given.model,
    ...(given.by === undefined ? {} : { by: given.by }),
    at: localTimestamp(memory.clock.now(), memory.clock.zone),
    tokens: given.tokens ?? { prompt: promptTokens, answer: tokens },
    findings,
    answer: text,
    summary: state === "refused" ? [] : summary,
  };
  const { path, outcome } = await commitRecord(memory, record);
  if (state === "accepted" && outcome === "written") await subject.accept?.(record, given.call);
  return { record, path, outcome };
}

/** The codes of what was found, each once. */
export function codesOf(findings: readonly AnswerFinding[]): readonly string[] {
  return [...new Set(findings.map(({ code }) => code))];
}

/** The findings that refuse an answer. */
export function errorsIn(findings: readonly AnswerFinding[]): readonly AnswerFinding[] {
  return findings.filter(({ severity }) => severity === "error");
}
