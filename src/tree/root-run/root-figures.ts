import { rootLimits } from "../root/root-compose.ts";
import { parseRootLine, type RootDocument } from "../root/root-format.ts";
import type { Topic } from "../../base/memory-type.ts";
import { NodeShelf } from "../run/compose-node.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { LoadedTree } from "../run/load.ts";
import type { TreeMemory } from "../memory.ts";
import type { RootSummary } from "../run/idle.ts";
import { renderRoot } from "./render-root.ts";
import { rootDue } from "./root-run.ts";

/** The figures of the ROOT.md that stands there, also when it is due; `null` when there is none of ours. `known`: what looking for due nodes told. */
export async function readRootFigures(
  memory: TreeMemory,
  loaded: LoadedTree,
  facts: { readonly configuration: Configuration; readonly known: RootSummary | null },
): Promise<(RootSummary & { readonly last_updated: string }) | null> {
  const { root } = loaded;
  if (root?.document === undefined) return null;
  const { configuration, known } = facts;
  const day = root.document.lastUpdated;
  if (known !== null) return { ...known, last_updated: day };
  // As of its own day it is not due for its age, so that the figures kept of it are still its own.
  const then = { ...loaded, state: { ...loaded.state, today: day } };
  const { summary } = await rootDue(memory, then, { configuration, steps: [] });
  return { ...(summary ?? (await countAgain(memory, then, configuration))), last_updated: day };
}

/** Without the cache: the text is counted, and what a rendering leaves out is found by rendering it for its day. */
async function countAgain(memory: TreeMemory, loaded: LoadedTree, configuration: Configuration): Promise<RootSummary> {
  const limits = rootLimits(configuration.rootMaxTokens);
  const foreign = loaded.root?.document?.foreign ?? [];
  const answer = loaded.root?.document?.answer;
  const made = { shelf: new NodeShelf(memory.files), day: loaded.state.today, limits, foreign, answer };
  const rendered = await renderRoot(memory, loaded.state, made);
  const tokens = memory.tokens.count(loaded.root?.text ?? "");
  return { tokens, cap: configuration.rootMaxTokens, topics: rendered.topics, dropped: rendered.dropped.length };
}

/** The topics that the Topics Index names. */
export function topicsInRoot(document: RootDocument): readonly Topic[] {
  const start = document.body.indexOf("## Topics Index");
  const lines = start < 0 ? [] : document.body.slice(start + 1);
  return lines
    .filter((line) => line.startsWith("- "))
    .map((line) => parseRootLine(line))
    .map(({ topic, type }) => ({ name: topic, type }));
}
