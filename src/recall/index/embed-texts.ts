import { MemoryError, type Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import type { EmbedOptions, Vector } from "./embedder.ts";
import type { NamedEmbedder } from "../memory.ts";

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
