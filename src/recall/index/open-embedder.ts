import { MemoryError, type Warning } from "../../base/errors.ts";
import { didYouMean, shown } from "../../text/shown.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import { embedderFailed } from "./embed-texts.ts";
import type { RecallMemory, NamedEmbedder } from "../memory.ts";

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
