import { MemoryError, type Warning } from "../../base/errors.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { RecallMemory, NamedEmbedder, PreparedIndex } from "../memory.ts";
import { ruleSetId, redact } from "../../text/redact/redact.ts";
import type { EmbedOptions, Vector } from "./search-index.ts";

/**
 * Chooses the embedder for a memory without opening it. Absent if the project disables vectors or the embedder is unavailable. `auto` means the default
 * embedder, if there is one; any other name must be in the user's settings. Errors: `invalid_config`.
 */
export async function chooseEmbedder(memory: RecallMemory): Promise<Pick<PreparedIndex, "embedder" | "warnings">> {
  const { configuration } = await readConfiguration(memory);
  const { file, search } = configuration;
  const name = search.embedModel;
  if (!search.vector) return { warnings: [] };
  const embedder = name === "auto" ? memory.embedder : memory.embedders?.get(name);
  try {
    // Reading the id may fail if the embedder is in a file.
    if (embedder !== undefined) return embedder.id === "" ? { warnings: [] } : { embedder, warnings: [] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { warnings: [embedderFailed(error, "found by words only")] };
  }
  if (name === "auto") return { warnings: [] };
  const near = didYouMean(name, ["auto", ...(memory.embedders?.keys() ?? [])]);
  const message = `search.embedModel in ${file} is ${shown(JSON.stringify(name), 60)}, which is neither auto nor an embedder in your own settings${near}: recall uses only words`;
  return { warnings: [{ code: "embedder_unknown", path: file, message }] };
}

/** Change this whenever sources are cut differently into sections, chunks, statements, words or parts. */
const cutting = "cut-6";

/** Identifies the rules an index is built with. An index built with other rules is rebuilt. */
export function rulesOf(embedder: NamedEmbedder | undefined): string {
  return [cutting, ruleSetId, embedder?.id ?? "none"].join(" ");
}

/** Returns one vector per text, all of the same length. Embedder failures are thrown as `MemoryError`. */
export async function embedTexts(
  embedder: NamedEmbedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Vector[]> {
  const wrong = (why: string): MemoryError =>
    new MemoryError("model_answer", `${embedder.id} ${why}; choose another embedder in search.embedModel.`);
  try {
    const vectors = await (await embedder.open()).embed(texts, options);
    if (vectors.length !== texts.length) throw wrong(`returned ${vectors.length} vectors for ${texts.length} texts`);
    if (vectors.some(({ length }) => length !== vectors[0]?.length))
      throw wrong("returned vectors of different lengths");
    return vectors;
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    const said = shown(redact(error instanceof Error ? error.message : String(error)).text, 160);
    throw new MemoryError("model_unavailable", `${embedder.id} failed (${said}); check that it is running.`, {}, error);
  }
}

export function embedderFailed(error: MemoryError, without: string): Warning {
  return { code: "embedder_failed", message: `${without}: ${error.message}` };
}
