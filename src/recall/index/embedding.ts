import { MemoryError, type Warning } from "../../base/errors.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { RecallMemory, NamedEmbedder } from "../memory.ts";
import { ruleSetId, redact } from "../../text/redact/redact.ts";
import type { EmbedOptions, Vector } from "./search-index.ts";

/** What makes the vectors of a memory; absent without one, when the project wants none, and when the one it wants is not to be had. */
export interface ChosenEmbedder {
  readonly embedder?: NamedEmbedder;
  readonly warnings: readonly Warning[];
}

/** `auto`: the one that the program gave, if any; a project can only choose among those that the person has defined. Opens none. Errors: `invalid_config`. */
export async function chooseEmbedder(memory: RecallMemory): Promise<ChosenEmbedder> {
  const { configuration } = await readConfiguration(memory);
  const { vector, embedModel } = configuration.search;
  if (!vector) return { warnings: [] };
  const embedder = embedModel === "auto" ? memory.embedder : memory.embedders?.get(embedModel);
  if (embedder !== undefined) return isKnown(embedder);
  if (embedModel === "auto") return { warnings: [] };
  return { warnings: [unknown(embedModel, configuration.file, [...(memory.embedders?.keys() ?? [])])] };
}

/** Telling an id may fail, where it stands in a file. */
function isKnown(embedder: NamedEmbedder): ChosenEmbedder {
  try {
    return embedder.id === "" ? { warnings: [] } : { embedder, warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { warnings: [embedderFailed(error, "found by words alone")] };
  }
}

function unknown(name: string, file: string, defined: readonly string[]): Warning {
  const near = didYouMean(name, ["auto", ...defined]);
  const message = `search.embedModel in ${file} is ${shown(JSON.stringify(name), 60)}, which is neither auto nor an embedder in your own settings${near}: recall uses words alone`;
  return { code: "embedder_unknown", path: file, message };
}

/** Changes whenever sources are cut into other sections, chunks, statements, words or parts than before. */
const cutting = "cut-4";

/** What the index is made by: an index of other rules is made anew. */
export function rulesOf(embedder: NamedEmbedder | undefined): string {
  return [cutting, ruleSetId, embedder?.id ?? "none"].join(" ");
}

/** One vector a text, all of one length. Whatever the embedder does else is a `MemoryError`. */
export async function embedTexts(
  embedder: NamedEmbedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Vector[]> {
  const vectors = await vectorsOf(embedder, texts, options);
  if (vectors.length !== texts.length)
    throw wrong(embedder, `gave ${vectors.length} vectors for ${texts.length} texts`);
  const { length } = vectors[0] ?? [];
  if (vectors.some((vector) => vector.length !== length)) throw wrong(embedder, "gave vectors of several lengths");
  return vectors;
}

async function vectorsOf(
  embedder: NamedEmbedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Vector[]> {
  try {
    return await (await embedder.open()).embed(texts, options);
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const said = shown(redact(error instanceof Error ? error.message : String(error)).text, 160);
    throw new MemoryError("model_unavailable", `${embedder.id} failed (${said}); look whether it runs.`, {}, error);
  }
}

function wrong({ id }: NamedEmbedder, why: string): MemoryError {
  return new MemoryError("model_answer", `${id} ${why}; name another embedder in search.embedModel.`);
}

/** What failed is only left out. */
export function embedderFailed(error: MemoryError, without: string): Warning {
  return { code: "embedder_failed", message: `${without}: ${error.message}` };
}
