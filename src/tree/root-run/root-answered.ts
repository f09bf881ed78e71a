import { shortDigest } from "../../base/digest.ts";
import type { AnswerRecord, ListedRecord } from "../answers/record.ts";
import { matchLines } from "../answers/match.ts";
import { composeAnsweredRoot, rootBasis, rootSourceLines, type RootAnswer } from "../root/root-answer.ts";
import { composeRoot, type ComposedRoot, type RootInputs } from "../root/root-compose.ts";
import { isModelName, type RootDocument } from "../root/root-format.ts";
import type { AnswerMark } from "../model/node-format.ts";
import { rootPath } from "../model/period.ts";
import type { TreeMemory } from "../memory.ts";
import { firstUsable, listAllRecords, listRecords, recordedAnswer } from "../run/answer-store.ts";

export interface RenderedRoot extends ComposedRoot {
  /** The basis of a model request, if it was determined. */
  readonly basis?: string;
}

/** Renders ROOT.md from a recorded answer: the given one, even if dropped since, or the accepted one for its content. */
export async function renderAnswered(
  memory: TreeMemory,
  inputs: RootInputs,
  how: { readonly answer: AnswerMark | "accepted"; readonly cap: number },
): Promise<RenderedRoot> {
  const named = how.answer === "accepted" ? undefined : await ofDigest(memory, how.answer.digest);
  const records = how.answer === "accepted" ? await acceptedRecords(memory) : [];
  if (typeof named !== "object" && records.length === 0) return composeRoot(inputs);
  const sources = rootSourceLines(inputs, how.cap);
  const basis = rootBasis(sources);
  const answer = typeof named === "object" ? named : await acceptedAnswer(memory, records, basis);
  if (answer === undefined) return { ...composeRoot(inputs), basis };
  return { ...composeAnsweredRoot(inputs, { answer, sources, match: matchLines }), basis };
}

/**
 * Whether another answer was accepted for the content of today's ROOT.md, or the one it uses is no longer accepted.
 * `basis`: the basis of that content, if known; otherwise computed by rendering ROOT.md.
 */
export async function isRootAnswerDue(
  memory: TreeMemory,
  of: {
    readonly document: RootDocument;
    readonly cap: number;
    readonly basis: string | undefined;
    readonly inputs: () => Promise<RootInputs>;
  },
): Promise<boolean> {
  const { document, cap } = of;
  const own = document.answer === undefined ? undefined : shortDigest(document.answer.digest);
  const accepted = await acceptedRecords(memory);
  const isOwn = ({ digest }: ListedRecord): boolean => digest === own;
  if (own !== undefined && !accepted.some(isOwn)) return true;
  const others = accepted.filter((record) => !isOwn(record));
  if (others.length === 0) return false;
  const basis = of.basis ?? rootBasis(rootSourceLines(await of.inputs(), cap));
  if (accepted.some((record) => isOwn(record) && record.basis === shortDigest(basis))) return false;
  return (await acceptedAnswer(memory, others, basis)) !== undefined;
}

/** What is wrong with the answer record that ROOT.md names, if anything. `verify` cannot rebuild ROOT.md without it. */
export async function answerFault(
  memory: TreeMemory,
  { digest }: AnswerMark,
): Promise<{ readonly code: "answer_missing" | "answer_damaged"; readonly message: string } | undefined> {
  const answer = await ofDigest(memory, digest);
  if (typeof answer === "object") return undefined;
  const record = `the answer ${shortDigest(digest)} that ${rootPath} was made from`;
  if (answer === "damaged")
    return { code: "answer_damaged", message: `${record} is damaged: restore its record, or delete it` };
  return {
    code: "answer_missing",
    message: `${record} is no longer recorded: the next run composes ROOT.md without it`,
  };
}

async function acceptedRecords(memory: TreeMemory): Promise<readonly ListedRecord[]> {
  const records = await listRecords(memory, "root");
  return records.filter(({ state, label }) => state === "accepted" && label === "ROOT");
}

async function acceptedAnswer(
  memory: TreeMemory,
  records: readonly ListedRecord[],
  basis: string,
): Promise<RootAnswer | undefined> {
  const record = await firstUsable(memory, records, { label: "ROOT", basis });
  return record !== undefined && isModelName(record.model) ? answerOf(record) : undefined;
}

async function ofDigest(memory: TreeMemory, digest: string): Promise<RootAnswer | "missing" | "damaged"> {
  return recordedAnswer(memory, await listAllRecords(memory, "root"), digest);
}

function answerOf({ digest, model, basis, summary }: AnswerRecord): RootAnswer {
  return { digest, model, basis, summary };
}
