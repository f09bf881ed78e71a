import { MemoryError } from "../../base/errors.ts";
import { builtInSummarizer } from "../extract/built-in-summarizer.ts";
import { rootPath } from "../model/period.ts";
import { type ComposedRoot, type PlacedLine, rootLimits } from "../root/root-compose.ts";
import type { RootLimits } from "../root/root-lines.ts";
import { NodeShelf } from "./compose-node.ts";
import { type Configuration, readConfiguration } from "../setup/configuration.ts";
import { type LoadedTree, loadTree } from "./load.ts";
import { withLogicalLogs } from "../logs/logical-logs.ts";
import type { TreeMemory } from "../memory.ts";
import type { RootFile } from "../root-run/root-file.ts";
import { renderRoot } from "../root-run/render-root.ts";

/** A tree with its ROOT.md, for the operations that read it. */
export interface OpenedTree {
  /** With the raw logs as the tree reads them. */
  readonly memory: TreeMemory;
  readonly configuration: Configuration;
  readonly loaded: LoadedTree;
  readonly shelf: NodeShelf;
  readonly root: RootFile;
  /** ROOT.md composed again for its own day, which tells where its lines come from. */
  readonly composed: ComposedRoot;
}

/** Opens a tree that has a ROOT.md. Errors: `not_found` when there is none yet. */
export async function openTree(opened: TreeMemory, limits?: Partial<RootLimits>): Promise<OpenedTree> {
  const memory = await withLogicalLogs(opened);
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, builtInSummarizer.id, { cache: "used" });
  const root = loaded.root;
  if (root === undefined || root.reading !== "ours")
    throw new MemoryError(
      "not_found",
      `There is no ${rootPath} made by heartwood in this folder yet: run heartwood compact first.`,
      { path: rootPath },
    );
  const shelf = new NodeShelf(memory.files);
  const cap = rootLimits(limits?.tokens ?? configuration.rootMaxTokens);
  const made = {
    shelf,
    day: root.lastUpdated ?? loaded.state.today,
    limits: { ...cap, ...limits },
    foreign: root.document?.foreign ?? [],
    cap: configuration.rootMaxTokens,
    answer: root.document?.answer,
  };
  return { memory, configuration, loaded, shelf, root, composed: await renderRoot(memory, loaded.state, made) };
}

/** The lines of ROOT.md as it stands that are also in its rendering, at their places in the file. */
export function linesOfFile(opened: OpenedTree): readonly PlacedLine[] {
  const file = opened.root.text.split(/\r?\n/u);
  const byText = new Map(opened.composed.lines.map((line) => [`${line.section}\n${line.text}`, line]));
  let section = "";
  return file.flatMap((text, index): readonly PlacedLine[] => {
    if (text.startsWith("## ")) section = text.slice(3);
    const line = byText.get(`${section}\n${text}`);
    return line === undefined ? [] : [{ ...line, line: index + 1 }];
  });
}
