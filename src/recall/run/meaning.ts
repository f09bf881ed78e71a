import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { bestCosines, type SectionMeaning } from "../rank/scores.ts";
import { ranking } from "../rank/weights.ts";
import { centredCosines, cosines, isBlank, placeOf } from "../vectors/int8.ts";
import { embedderFailed, embedTexts } from "../index/embedding.ts";
import type { PreparedIndex, NamedEmbedder } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { recallSources } from "../index/search-index.ts";

/** How close indexed text is to a message in meaning. */
export interface Meaning {
  /** By the centred cosine of each section's closest statement; `undefined` if recall uses words alone. */
  readonly ofSections: SectionMeaning | undefined;
  /** 0: as close as all statements on average, or less; 1: five standard deviations closer. Models differ in their cosines, but not in this. */
  readonly nearness: (id: number) => number | undefined;
  readonly warnings: readonly Warning[];
}

/** Characters of a message that are embedded: half from its beginning and half from its end. */
const mostRead = 8000;
/** If no section matches the message's words, at least one cosine must reach this: even made-up words have some neighbor. */
const leastCosine = 0.2;
/** So many standard deviations above the mean are a nearness of 1. */
const deviations = 5;
/** How long a message waits for its vector, in milliseconds. */
const mostWait = 5000;

/**
 * Compares a message with every vector. Falls back to words alone if there are no vectors, if the embedder returns zeros for the message, or (with a warning)
 * if it fails. `said`: whether any section contains enough of the message's words. Errors: `aborted`.
 */
export async function meaningOf(
  { index, embedder }: PreparedIndex,
  text: string,
  said: "somewhere" | "nowhere",
  call: Call,
): Promise<Meaning> {
  if (embedder === undefined) return unknown([]);
  const table = await index.vectors(embedder.id, recallSources);
  if (table.ids.length === 0) return unknown([]);
  try {
    const { text: whole } = redact(text);
    const read = whole.length <= mostRead ? whole : `${whole.slice(0, mostRead / 2)}\n${whole.slice(-mostRead / 2)}`;
    const vector = await vectorOf(embedder, read, call);
    if (vector === undefined || isBlank(vector)) return unknown([]);
    if (vector.length !== table.dimensions) {
      const message = `${embedder.id} returns vectors of length ${vector.length}, but those in the index have length ${table.dimensions}; run heartwood index --rebuild --embed.`;
      throw new MemoryError("model_answer", message);
    }
    const rows = { dimensions: table.dimensions, bytes: table.vectors };
    if (said === "nowhere" && !cosines(vector, rows).some((cosine) => cosine >= leastCosine)) return unknown([]);
    const found = centredCosines(vector, rows);
    const share = embedder.pace === "instant" ? ranking.sectionMeaningOfWords : ranking.sectionMeaning;
    const ofSections = { cosines: bestCosines(table.sections, found), share };
    return { ofSections, nearness: nearnessIn(table.ids, found), warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError) || call.signal?.aborted === true) throw error;
    return unknown([embedderFailed(error, "recalled by words only")]);
  }
}

function nearnessIn(ids: Int32Array, cosines: Float32Array): Meaning["nearness"] {
  let [sum, squares] = [0, 0];
  for (let row = 0; row < cosines.length; row++) {
    const cosine = cosines[row] ?? 0;
    sum += cosine;
    squares += cosine * cosine;
  }
  const mean = sum / cosines.length;
  const one = deviations * Math.sqrt(Math.max(0, squares / cosines.length - mean * mean));
  return (id) => {
    const cosine = cosines[placeOf(ids, id)];
    return cosine === undefined ? undefined : one > 0 ? Math.max(0, (cosine - mean) / one) : 0;
  };
}

function unknown(warnings: readonly Warning[]): Meaning {
  return { ofSections: undefined, nearness: () => undefined, warnings };
}

/** Waits at most `mostWait`, even if the embedder ignores its signal. */
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
