import { readConfiguration } from "../configuration.ts";
import type { Memory, NamedEmbedder } from "../memory.ts";
import type { Call } from "../operation.ts";
import type { IndexedSection } from "../../ports/search-index.ts";

/** What makes the vectors of this memory; `undefined` without one, or when the project wants none. Errors: `invalid_config`. */
export async function embedderOf(memory: Memory): Promise<NamedEmbedder | undefined> {
  if (memory.embedder === undefined) return undefined;
  const { configuration } = await readConfiguration(memory);
  return configuration.search.vector ? memory.embedder : undefined;
}

/** Characters of a section that its vector is made of: a model takes no more, and a table gains nothing by it. */
const mostOfSection = 4000;

/** The sections with a vector each, and one for each statement. Errors: those of the embedder. */
export async function withVectors(
  sections: readonly IndexedSection[],
  embedder: NamedEmbedder | undefined,
  call: Call,
): Promise<readonly IndexedSection[]> {
  if (embedder === undefined || sections.length === 0) return sections;
  const texts = sections.flatMap((section) => [textOf(section), ...section.statements.map(({ text }) => text)]);
  const signal = call.signal === undefined ? {} : { signal: call.signal };
  const vectors = await (await embedder.open()).embed(texts, { purpose: "passage", ...signal });
  let at = 0;
  const next = (): { readonly vector?: Int8Array } => {
    const vector = vectors[at++];
    return vector === undefined ? {} : { vector };
  };
  return sections.map((section) => {
    const own = next();
    return { ...section, ...own, statements: section.statements.map((statement) => ({ ...statement, ...next() })) };
  });
}

function textOf({ heading, chunks }: IndexedSection): string {
  let text = heading;
  for (const chunk of chunks) {
    if (text.length > mostOfSection) break;
    text += `\n${chunk.text}`;
  }
  return text.slice(0, mostOfSection);
}
