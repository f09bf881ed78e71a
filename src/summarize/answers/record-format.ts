import { sha256 } from "../../base/digest.ts";
import type { AnswerRecord, AnswerState } from "./record.ts";
import type { AnswerFinding, SummaryKind } from "./request.ts";
import { isCount } from "../../base/is-count.ts";

const schema = "heartwood.answer.v1";
const states: readonly string[] = ["accepted", "refused", "dropped"];
export const summaryKinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root", "thread"];

/** The file of a record: JSON with its own checksum at the end. */
export function printRecord(record: AnswerRecord): string {
  const value = valueOf(record);
  return `${JSON.stringify({ ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

/** The record, or `damaged`: no JSON, not of this form, or another checksum than its text gives. Linear. */
export function parseRecord(text: string): AnswerRecord | "damaged" {
  const value = parseObject(text);
  if (value === undefined || value["schema"] !== schema) return "damaged";
  const { sha256: told, schema: _schema, ...record } = value;
  if (!isRecord(record)) return "damaged";
  const read = valueOf(record);
  return told === checksumOf(read) ? withoutSchema(read) : "damaged";
}

/** The keys in the order of the format; what else is there does not count, and is not kept. */
function valueOf(record: AnswerRecord): AnswerRecord & { readonly schema: string } {
  return {
    schema,
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

function withoutSchema({ schema: _schema, ...record }: AnswerRecord & { readonly schema: string }): AnswerRecord {
  return record;
}

function checksumOf(value: object): string {
  return sha256(JSON.stringify(value));
}

function isRecord(value: Readonly<Record<string, unknown>>): value is AnswerRecord & Record<string, unknown> {
  const { state, kind, tokens, findings, summary, by } = value;
  const texts = ["label", "prompt_rule", "model", "at", "answer"];
  return (
    states.includes(state as AnswerState) &&
    summaryKinds.includes(kind as SummaryKind) &&
    texts.every((key) => typeof value[key] === "string") &&
    isDigest(value["basis"]) &&
    isDigest(value["digest"]) &&
    (by === undefined || typeof by === "string") &&
    isObject(tokens) &&
    isCount(tokens["prompt"]) &&
    isCount(tokens["answer"]) &&
    Array.isArray(findings) &&
    findings.every(isFinding) &&
    Array.isArray(summary) &&
    summary.every((line) => typeof line === "string")
  );
}

function isFinding(value: unknown): value is AnswerFinding {
  if (!isObject(value)) return false;
  const { code, severity, message, line } = value;
  return (
    typeof code === "string" &&
    (severity === "warning" || severity === "error") &&
    typeof message === "string" &&
    (line === null || isCount(line))
  );
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/u.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
