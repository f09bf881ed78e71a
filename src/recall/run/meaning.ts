import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { bestCosines } from "../rank/scores.ts";
import { placeOf } from "../vectors/ascending.ts";
import { isBlank, cosines } from "../vectors/int8.ts";
import { embedderFailed, embedTexts } from "../index/embedding.ts";
import type { PreparedIndex, NamedEmbedder } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { recallSources } from "./query.ts";

/** How near what is remembered comes to what a message means. */
export interface Meaning {
  /** Of each section the nearest of its statements; `undefined` where nothing is known. */
  readonly ofSections: ReadonlyMap<number, number> | undefined;
  readonly ofStatement: (id: number) => number | undefined;
  readonly warnings: readonly Warning[];
}

/** Characters of a message that are looked at, half of them at its end. */
const mostRead = 8000;
/** Where nothing was said in words of the message something must come so near to be brought: made-up words have a meaning, too. */
const leastAlone = 0.3;
/** How long a message waits for its vector, in milliseconds. */
const mostWait = 5000;

/**
 * Words alone where there are no vectors, where the embedder knows too little of the message, and, with a warning, where it fails. `said`: whether what the message is about was
 * ever said in its words. Errors: `aborted`.
 */
export async function meaningOf(
  { index, embedder }: PreparedIndex,
  text: string,
  said: "somewhere" | "nowhere",
  call: Call,
): Promise<Meaning> {
  if (embedder === undefined) return unknown([]);
  const table = await index.vectors(recallSources);
  if (table.ids.length === 0) return unknown([]);
  try {
    const { text: whole } = redact(text);
    const read = whole.length <= mostRead ? whole : `${whole.slice(0, mostRead / 2)}\n${whole.slice(-mostRead / 2)}`;
    const vector = await vectorOf(embedder, read, call);
    if (vector === undefined || isBlank(vector)) return unknown([]);
    if (vector.length !== table.dimensions) {
      const message = `${embedder.id} gives vectors of ${vector.length} numbers, where the index has ${table.dimensions}; run heartwood index --rebuild.`;
      throw new MemoryError("model_answer", message);
    }
    const found = cosines(vector, { dimensions: table.dimensions, bytes: table.vectors });
    if (said === "nowhere" && !found.some((cosine) => cosine >= leastAlone)) return unknown([]);
    const ofStatement = (id: number): number | undefined => found[placeOf(table.ids, id)];
    return { ofSections: bestCosines(table.sections, found), ofStatement, warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError) || call.signal?.aborted === true) throw error;
    return unknown([embedderFailed(error, "recalled by words alone")]);
  }
}

function unknown(warnings: readonly Warning[]): Meaning {
  return { ofSections: undefined, ofStatement: () => undefined, warnings };
}

/** Does not wait longer than `mostWait`, whether or not the embedder heeds its signal. */
async function vectorOf(embedder: NamedEmbedder, text: string, call: Call): Promise<Int8Array | undefined> {
  const tooLate = new AbortController();
  const signal = call.signal === undefined ? tooLate.signal : AbortSignal.any([call.signal, tooLate.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new MemoryError("model_unavailable", `${embedder.id} took longer than ${mostWait / 1000} seconds.`);
      reject(error);
      tooLate.abort(error);
    }, mostWait);
  });
  try {
    const vectors = await Promise.race([
      embedTexts(embedder, [text.toWellFormed()], { purpose: "query", signal }),
      late,
    ]);
    return vectors[0];
  } finally {
    clearTimeout(timer);
  }
}
