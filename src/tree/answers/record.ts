import { sha256, shortDigest } from "../../base/digest.ts";
import { type Check, fields, isDigest, isText, listOf, oneOf, optionally, parseObject } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import { answersFolder } from "../model/period.ts";

/** A recorded answer: `heartwood.answer.v1`, see docs/formats/summaries.md. */
export interface AnswerRecord {
  readonly state: AnswerState;
  readonly kind: SummaryKind;
  readonly label: string;
  readonly basis: string;
  /** The request digest. */
  readonly digest: string;
  readonly prompt_rule: string;
  readonly model: string;
  /** The author, as given by the caller of `submit`. */
  readonly by?: string;
  /** Local time with offset. */
  readonly at: string;
  readonly tokens: { readonly prompt: number; readonly answer: number };
  readonly findings: readonly AnswerFinding[];
  /** The text as received, with secrets redacted. */
  readonly answer: string;
  /** The parsed lines in the summary, with refs; empty if refused. */
  readonly summary: readonly string[];
}

type AnswerState = "accepted" | "refused" | "dropped";

const schema = "heartwood.answer.v1";

export function printRecord(record: AnswerRecord): string {
  const value = valueOf(record);
  return `${JSON.stringify({ schema, ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

/**
 * The parsed record, or `damaged` if the text is not JSON, does not fit the format or fails its checksum. Linear time.
 */
export function parseRecord(text: string): AnswerRecord | "damaged" {
  const value = parseObject(text);
  if (value === undefined || value["schema"] !== schema || !isRecord(value)) return "damaged";
  const record = valueOf(value as unknown as AnswerRecord);
  return value["sha256"] === checksumOf(record) ? record : "damaged";
}

/** Puts the keys in the order of the format; drops unknown keys. */
function valueOf(record: AnswerRecord): AnswerRecord {
  return {
    state: record.state,
    kind: record.kind,
    label: record.label,
    basis: record.basis,
    digest: record.digest,
    prompt_rule: record.prompt_rule,
    model: record.model,
    ...(record.by === undefined ? {} : { by: record.by }),
    at: record.at,
    tokens: { prompt: record.tokens.prompt, answer: record.tokens.answer },
    findings: record.findings.map(({ code, severity, message, line }) => ({ code, severity, message, line })),
    answer: record.answer,
    summary: record.summary,
  };
}

function checksumOf(record: AnswerRecord): string {
  return sha256(JSON.stringify({ schema, ...record }));
}

export interface RecordName {
  readonly label: string;
  /** The first 16 hex digits of the basis; `digest`: the first 16 of the request digest. */
  readonly basis: string;
  readonly digest: string;
  readonly state: AnswerState;
  /** For a refused answer: the first 8 hex digits of its text's digest; otherwise empty. */
  readonly text: string;
}

/** A record as listed, with its path. */
export interface ListedRecord extends RecordName {
  readonly path: string;
}

export function recordFolder(kind: SummaryKind): string {
  return `${answersFolder}/${kind}`;
}

export function recordPath({ kind, label, basis, digest, state, answer }: AnswerRecord): string {
  const text = state === "refused" ? sha256(answer).slice(0, 8) : "";
  const name = { label, basis: shortDigest(basis), digest: shortDigest(digest), state, text };
  return `${recordFolder(kind)}/${printRecordName(name)}`;
}

/** `2026-03-15.<16>.<16>.refused-<8>.json` */
export function printRecordName(name: RecordName): string {
  const state = name.state === "accepted" ? "" : name.state === "dropped" ? ".dropped" : `.refused-${name.text}`;
  return `${name.label}.${name.basis}.${name.digest}${state}.json`;
}

const namePattern = /^(.+)\.([0-9a-f]{16})\.([0-9a-f]{16})(?:\.(dropped|refused)(?:-([0-9a-f]{8}))?)?\.json$/su;

export function parseRecordName(file: string): RecordName | undefined {
  const [, label = "", basis = "", digest = "", state = "accepted", text = ""] = namePattern.exec(file) ?? [];
  if (label === "" || (state === "refused") === (text === "")) return undefined;
  return { label, basis, digest, state: state as AnswerState, text };
}

/**
 * Keeps only one accepted answer per basis, because two machines may each have recorded one. The choice is the same on
 * every machine.
 */
export function countingAnswers<Name extends RecordName>(names: readonly Name[]): readonly Name[] {
  const first = new Map<string, string>();
  for (const { label, basis, digest, state } of names) {
    const key = `${label} ${basis}`;
    if (state === "accepted" && digest < (first.get(key) ?? "g")) first.set(key, digest);
  }
  return names.filter(
    ({ label, basis, digest, state }) => state !== "accepted" || first.get(`${label} ${basis}`) === digest,
  );
}

/** `daily-2026-03-15-9f2c1f3a` */
export function printJobId(job: {
  readonly kind: SummaryKind;
  readonly label: string;
  readonly digest: string;
}): string {
  return `${job.kind}-${job.label}-${job.digest.slice(0, 8)}`;
}

const jobPattern = /^([a-z]+)-(.+)-([0-9a-f]{8})$/su;

/** Parses a job id; `digest` is the first 8 digits of the request digest. `undefined` if invalid. */
export function parseJobId(
  text: string,
): { readonly kind: SummaryKind; readonly label: string; readonly digest: string } | undefined {
  const [, word, label = "", digest = ""] = jobPattern.exec(text) ?? [];
  const kind = summaryKinds.find((candidate) => candidate === word);
  return kind === undefined ? undefined : { kind, label, digest };
}

export const summaryKinds = ["daily", "weekly", "monthly", "root", "thread"] as const;

export type SummaryKind = (typeof summaryKinds)[number];

export type AnswerCode =
  | "too_short"
  | "too_long"
  | "cut_off"
  | "missing_section"
  | "entry_missing"
  | "secret"
  | "front_matter"
  | "heading"
  | "markup"
  | "ungrounded"
  | "unrelated"
  | "repetitive"
  | "too_thin";

/** A finding about an answer. */
export interface AnswerFinding {
  readonly code: AnswerCode;
  /** `error`: the answer is refused. */
  readonly severity: "warning" | "error";
  /** What is wrong, what was found and what is allowed; without secrets. */
  readonly message: string;
  /** 1-based line of the answer; `null` if the finding is about the whole answer. */
  readonly line: number | null;
}

/** A finding that causes an answer to be refused. */
export function refusal(code: AnswerCode, message: string, line: number | null = null): AnswerFinding {
  return { code, severity: "error", message, line };
}

const isRecord: Check = fields({
  state: oneOf(["accepted", "refused", "dropped"]),
  kind: oneOf(summaryKinds),
  label: isText,
  basis: isDigest,
  digest: isDigest,
  prompt_rule: isText,
  model: isText,
  by: optionally(isText),
  at: isText,
  tokens: fields({ prompt: isCount, answer: isCount }),
  findings: listOf(
    fields({
      code: isText,
      severity: oneOf(["warning", "error"]),
      message: isText,
      line: (value) => value === null || isCount(value),
    }),
  ),
  answer: isText,
  summary: listOf(isText),
});

/** A request to a model, sent or planned. */
export interface AskedRequest {
  readonly job_id: string;
  readonly kind: SummaryKind;
  readonly label: string;
  readonly model: string;
  /** `would_ask`: in a dry run. `no_budget`: not sent. */
  readonly outcome: "accepted" | "refused" | "failed" | "would_ask" | "no_budget";
  /** The actual cost, or the maximum cost if the request was not sent. */
  readonly tokens: number;
  /** HTTP requests, including retries. */
  readonly requests: number;
  readonly findings: readonly AnswerFinding[];
  /** Set for a failure. */
  readonly error: { readonly code: string; readonly message: string } | null;
}
