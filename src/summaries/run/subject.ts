import { localTimestamp } from "../../base/calendar.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { NumberedLine } from "../../base/lines.ts";
import type { Call } from "../../base/operation.ts";
import { type AnswerFinding, type AnswerRecord, printJobId, type SummaryKind } from "../../tree/answers/record.ts";
import { commitRecord, firstUsable, listAllRecords } from "../../tree/run/answer-store.ts";
import type { SummaryMemory } from "../memory.ts";
import type { SummarizerAnswer } from "../models/summarizer.ts";
import { printPrompt, requestDigest } from "../request/build-request.ts";
import { isRefused, readAnswer } from "../request/read-answer.ts";
import type { PrintedPrompt, SummaryRequest } from "../request/request.ts";

/** Something that a summary can be asked for: a node, ROOT.md, a cut of a thread. */
export interface Subject {
  readonly kind: SummaryKind;
  readonly label: string;
  /** Digest of what the summary is of, 64 digits. */
  readonly basis: string;
  readonly state: "open" | "due" | "fixed";
  readonly cut?: { readonly thread_id: string; readonly to_seq: number; readonly to_message_id: string | null };
  /** Reads the sources and makes the request. Errors: those of reading; `changed_by_other` when they are not what the basis says. */
  request(space: RequestSpace, call: Call): Promise<SummaryRequest>;
  read(request: SummaryRequest, answer: GivenAnswer): Promise<ReadAnswer>;
  /** Puts an accepted answer to use, where a later run does not do that by itself. */
  accept?(record: AnswerRecord, call: Call): Promise<void>;
  /** The command after which an accepted answer shows. */
  readonly next: string;
}

export interface RequestSpace {
  /** Tokens of request and answer together. */
  readonly contextTokens: number;
  /** The notes of agents, of a job; redacted. */
  readonly notes?: string | undefined;
}

type GivenAnswer = Pick<SummarizerAnswer, "text" | "end">;

interface ReadAnswer extends Summarized {
  /** The answer with secrets replaced. */
  readonly text: string;
  readonly tokens: number;
}

interface Summarized {
  readonly findings: readonly AnswerFinding[];
  /** The lines of a summary, with refs; empty when a finding refuses the answer. */
  readonly summary: readonly string[];
}

/** Where subjects come from. The tree is loaded once, when a node or ROOT.md is first asked about. */
export interface SubjectSource {
  /** What can be asked for, `due` and `open`, the newest first; some may have an accepted answer. */
  list(kind: SummaryKind): Promise<readonly Subject[]>;
  /** One of them, or one that is fixed or answered. */
  find(kind: SummaryKind, label: string): Promise<Subject | undefined>;
  /** Time has passed, or an answer was accepted: the tree may have changed. */
  forget(): void;
}

/** The subjects of a kind for which no answer is accepted. */
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

/** Reads an answer: the checks that are common to all subjects, then, if they accept it, `summarize`, which makes the lines of the summary and may refuse it too. */
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

/** A request as it would go out. */
export interface Prepared {
  readonly subject: Subject;
  readonly request: SummaryRequest;
  readonly printed: PrintedPrompt;
  /** What the ledger says of it, with its digest of 64 digits. */
  readonly event: Pick<AnswerRecord, "kind" | "label" | "digest" | "model">;
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

/** A warning about a subject whose sources cannot be read now; none where its sources have nothing that may go out, which no user can change. Throws what is no error of a memory. */
export function unreadable({ kind, label }: Subject, error: unknown): readonly Warning[] {
  if (!(error instanceof MemoryError) || error.code === "aborted") throw error;
  return error.code === "not_found" ? [] : [{ code: error.code, message: `${kind} ${label}: ${error.message}` }];
}

/**
 * Checks an answer, records it, and puts an accepted one to use. `known`: this answer, or an accepted one to the same request, was there before, and nothing was
 * written. Errors: those of reading and writing.
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
