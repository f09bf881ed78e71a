import type { TreeNodeView, TreeResult } from "../../../tree/inspect/tree-view.ts";
import { counted, cutTo, grouped, padTo, widthOf } from "./layout.ts";
import type { Screen } from "./screen.ts";
import { greatest } from "../../../base/lists.ts";

/** Topics beyond this are cut in a pipe too: a month has dozens, and `--json` lists them. */
const WIDEST = 120;

/** ROOT.md on top, then months, weeks, days and raw logs as branches. */
export function renderTree(result: TreeResult, screen: Screen): string {
  const { root, months } = result;
  const head = root === null ? "ROOT.md is not built yet; run `heartwood compact`" : rootText(root);
  const lines: Line[] = [];
  collect(months, "", lines);
  const width = greatest([0, ...lines.map(({ name }) => widthOf(name))]);
  return [screen.paint.title(head), ...lines.map((line) => lineText(line, width, screen))].join("\n");
}

interface Line {
  /** Branch and name. */
  readonly name: string;
  readonly node: TreeNodeView | undefined;
}

function rootText({ path, tokens, last_updated }: NonNullable<TreeResult["root"]>): string {
  return `${path}: ${grouped(tokens)} tokens, as of ${last_updated}`;
}

function collect(nodes: readonly TreeNodeView[], indent: string, lines: Line[]): void {
  nodes.forEach((node, index) => {
    const last = index === nodes.length - 1;
    lines.push({ name: `${indent}${last ? "└─ " : "├─ "}${nameOf(node)}`, node });
    const below = `${indent}${last ? "   " : "│  "}`;
    collect(node.children, below, lines);
    // One log of the day's own name is what one expects; others are worth a line.
    if (node.raw.length > 1) node.raw.forEach((path) => lines.push({ name: `${below}· ${path}`, node: undefined }));
  });
}

function nameOf({ period, late }: TreeNodeView): string {
  return late === 0 ? period : `${period} late ${late}`;
}

function lineText({ name, node }: Line, width: number, { columns, paint }: Screen): string {
  if (node === undefined) return paint.dim(name);
  const status = node.status === "fixed" ? paint.dim("fixed    ") : paint.warn("tentative");
  const size = counted(node.lines, "line").padStart(11);
  const room = Math.min(columns, WIDEST) - width - 26;
  const topics = room < 12 ? "" : cutTo(node.topics.join(", "), room);
  return `${padTo(name, width)}  ${status}  ${paint.dim(size)}  ${topics}`.trimEnd();
}
