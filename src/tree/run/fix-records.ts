import { rawSourcesOf, type NodeFacts, type RawDay, type TreeState } from "../model/tree-state.ts";
import { listing, type FixedRecord } from "../model/fixed-records.ts";
import { noLateRecords } from "../model/late-records.ts";
import { nodePath } from "../model/period.ts";
import { dayParts, isForeign, parentParts } from "../plan/late-parts.ts";
import { readSections } from "../logs/raw-logs.ts";
import { addFixedRecords } from "../logs/records.ts";
import type { TreeMemory } from "../memory.ts";

/** More sections than this in a day are not listed, to keep the records small. */
const mostListed = 20_000;

/**
 * Records what each node that became fixed was made from, unless another clone recorded it already. A node whose sources
 * a person edited or removed is recorded once that was accepted. Call it with the `tree` lock held, after a run.
 */
export async function recordFixed(memory: TreeMemory, state: TreeState): Promise<void> {
  const records: FixedRecord[] = [];
  for (const node of state.nodes.all()) {
    const path = nodePath(node.name);
    const known = (state.late ?? noLateRecords).fixed(path);
    if (node.name.late > 0 || node.status !== "fixed" || known?.listed !== undefined || !isOurs(node)) continue;
    const of = await listingOf(memory, state, node);
    if (of !== undefined) records.push({ kind: "fixed", node: path, version: known?.version ?? 1, of });
  }
  await addFixedRecords(memory.files, records);
}

function isOurs(node: NodeFacts): boolean {
  return node.reading === "ours" && !isForeign(node);
}

/** `undefined` if what the node was made from is not there any more. */
async function listingOf(memory: TreeMemory, state: TreeState, node: NodeFacts): Promise<FixedRecord["of"]> {
  const { name } = node;
  if (name.level !== "daily") {
    const { sources, base } = parentParts(state, name);
    return sources === "lost" || base.from.kind === "logs" ? undefined : base.from.children.map(nodePath);
  }
  const raw = state.days.get(name.period);
  if (raw === undefined) return undefined;
  const { sources, pieces } = dayParts(state, await withSections(memory, raw));
  if (sources === "lost" || pieces.length > mostListed) return undefined;
  const byLog = Map.groupBy(pieces, ({ path }) => path);
  return Array.from(byLog, ([path, own]) => {
    const { lines = 0, part = [] } = rawSourcesOf(node).find((source) => source.path === path) ?? {};
    const last = own.at(-1);
    const tail = part.length > 0 || last === undefined ? undefined : lines - last.line + 1;
    return `${path} ${listing(
      own.map(({ piece }) => piece),
      tail,
    )}`;
  });
}

async function withSections({ files }: TreeMemory, raw: RawDay): Promise<RawDay> {
  const logs: RawDay["logs"][number][] = [];
  for (const log of raw.logs) {
    const wanted = { counts: new Set<number>(), lines: new Set<number>() };
    logs.push({ ...log, sections: log.sections ?? (await readSections(files, log.path, wanted)) });
  }
  return { ...raw, logs };
}
