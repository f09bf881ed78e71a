import { sha256, shortDigest } from "../../base/digest.ts";
import type { AnswerRecord, AnswerState } from "./record.ts";
import { summaryKinds } from "./record-format.ts";
import type { SummaryKind } from "./request.ts";

/** What the name of a record's file tells. */
export interface RecordName {
  readonly label: string;
  /** The first 16 digits of the basis and of the request digest. */
  readonly basis: string;
  readonly digest: string;
  readonly state: AnswerState;
  /** 8 digits of the digest of a refused answer's text; empty otherwise. */
  readonly text: string;
}

const folder = ".heartwood/artifacts/answers";

/** Where the records of a kind stand. */
export function recordFolder(kind: SummaryKind): string {
  return `${folder}/${kind}`;
}

export function recordPath(record: AnswerRecord): string {
  return `${recordFolder(record.kind)}/${printRecordName(recordNameOf(record))}`;
}

function recordNameOf(record: AnswerRecord): RecordName {
  return {
    label: record.label,
    basis: shortDigest(record.basis),
    digest: shortDigest(record.digest),
    state: record.state,
    text: record.state === "refused" ? sha256(record.answer).slice(0, 8) : "",
  };
}

/** `2026-03-15.<16>.<16>.refused-<8>.json` */
export function printRecordName(name: RecordName): string {
  const state = name.state === "accepted" ? "" : name.state === "dropped" ? ".dropped" : `.refused-${name.text}`;
  return `${name.label}.${name.basis}.${name.digest}${state}.json`;
}

const namePattern = /^(.+)\.([0-9a-f]{16})\.([0-9a-f]{16})(?:\.(dropped|refused)(?:-([0-9a-f]{8}))?)?\.json$/su;

/** What a file name says, or `undefined` when it is no record's. */
export function parseRecordName(file: string): RecordName | undefined {
  const [, label = "", basis = "", digest = "", state = "accepted", text = ""] = namePattern.exec(file) ?? [];
  if (label === "" || (state === "refused") === (text === "")) return undefined;
  return { label, basis, digest, state: state as AnswerState, text };
}

/** Of several accepted answers for one basis, as two machines may have recorded them, the one that counts: everywhere the same. */
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

/** The parts of a job id, with the first 8 digits of the request digest; `undefined` when it is none. */
export function parseJobId(
  text: string,
): { readonly kind: SummaryKind; readonly label: string; readonly digest: string } | undefined {
  const [, word, label = "", digest = ""] = jobPattern.exec(text) ?? [];
  const kind = summaryKinds.find((candidate) => candidate === word);
  return kind === undefined ? undefined : { kind, label, digest };
}
