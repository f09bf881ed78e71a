import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { decodeText, textLines } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import type { ReportInput } from "../inputs.ts";
import type { TreeMemory } from "../memory.ts";
import { parseNodePath } from "../model/period.ts";
import { linesOfFile, openTree, rangesOf, type FileLine, type LineRange } from "../root-run/root.ts";
import { readRootFigures } from "../root-run/root-run.ts";
import { loadTree } from "../run/load.ts";
import { readNodeFile } from "../run/tree-files.ts";
import {
  anchorOf,
  escaped,
  linesHtml,
  printReport,
  reportStart,
  type ReportLine,
  type ReportNode,
} from "./report-html.ts";
import { readTree, type TreeNodeView } from "./tree-view.ts";

export interface ReportResult {
  /** Where it was written; `null` if no file was given. */
  readonly file: string | null;
  /** The page; `null` if it was written to a file. */
  readonly text: string | null;
  readonly bytes: number;
  readonly nodes: number;
  /** Nodes whose text did not fit, oldest first. */
  readonly left_out: readonly string[];
}

/** The page is not larger than this; older texts are left out. */
export const mostReportBytes = 20_000_000;
/** What the outline of a node takes at most. */
const outlineBytes = 800;

/**
 * Makes one HTML file of ROOT.md and the tree, with the log lines that ROOT.md comes from. Secrets are replaced. Errors: `not_found`, `usage` (the file
 * exists and is no report), `disk_full`, `io`.
 */
export async function runReport(
  memory: TreeMemory,
  { html }: ReportInput,
  call: Call = {},
  most: number = mostReportBytes,
): Promise<ReportResult> {
  if (html !== undefined) {
    const there = await html.read();
    if (there !== undefined && there !== "" && !there.startsWith(reportStart)) {
      const name = shown(html.name, 120);
      const message = `${name} exists and is not a report, so it is not replaced: choose another file, or move that one away.`;
      throw new MemoryError("usage", message, { path: name });
    }
  }
  const { text, nodes, left_out } = await composeReport(memory, call, most);
  await html?.write(text);
  const bytes = Buffer.byteLength(text);
  return { file: html?.name ?? null, text: html === undefined ? text : null, bytes, nodes, left_out };
}

async function composeReport(memory: TreeMemory, { signal }: Call, most: number) {
  const opened = await openTree(memory);
  const lines = await linesOfFile(opened);
  const { months } = await readTree(memory);
  const loaded = await loadTree(opened.memory, { cache: "used", configuration: opened.configuration });
  const { summary } = await readRootFigures(opened.memory, loaded, opened.configuration);
  const sources = sourcesOf(lines);
  const all = nodesOf(months);
  const root = linesHtml("memory/ROOT.md", rootLines(opened.root.text, opened.root.bodyLine, lines));
  let left = most - Buffer.byteLength(root) - outlineBytes * all.length - 8_000;
  const texts = new Map<string, string>();
  const left_out: string[] = [];
  // Months and weeks first, which are short and cover all of the time; then days, newest first.
  for (const node of all) {
    signal?.throwIfAborted();
    const text = await nodeText(opened.memory, node, sources);
    const size = Buffer.byteLength(text);
    if (size > left) left_out.push(node.path);
    else {
      left -= size;
      texts.set(node.path, text);
    }
  }
  const view = (node: TreeNodeView): ReportNode => ({
    path: node.path,
    title: node.late === 0 ? node.period : `${node.period}, addendum ${node.late}`,
    facts: [node.status, `${node.lines} lines`, ...(node.topics.length === 0 ? [] : [topicsText(node.topics)])].join(
      " · ",
    ),
    text: texts.get(node.path),
    children: node.children.map(view),
  });
  const text = printReport({
    title: `Memory of ${memory.dir.split(/[\\/]/u).at(-1) ?? ""}`,
    today: opened.root.document.lastUpdated,
    budget: summary ?? { tokens: 0, cap: opened.configuration.rootMaxTokens, topics: 0, dropped: 0 },
    root,
    months: months.map(view),
    leftOut: left_out.length,
  });
  return { text, nodes: all.length, left_out: left_out.toReversed() };
}

function topicsText(topics: readonly string[]): string {
  const more = topics.length - 3;
  return shown(topics.slice(0, 3).join(", "), 120) + (more > 0 ? ` and ${more} more` : "");
}

/** Coarse levels first, each newest first. */
function nodesOf(months: readonly TreeNodeView[]): readonly TreeNodeView[] {
  const found: TreeNodeView[] = [];
  for (let level = months; level.length > 0; level = level.flatMap(({ children }) => children)) pushAll(found, level);
  const ranks = ["monthly", "weekly", "daily"];
  return found.toSorted((a, b) => ranks.indexOf(a.level) - ranks.indexOf(b.level));
}

/** The lines of logs that lines of ROOT.md come from, by path. */
function sourcesOf(lines: readonly FileLine[]): ReadonlyMap<string, readonly LineRange[]> {
  const ranges = lines.flatMap(({ refs }) => rangesOf(refs)).filter((range) => range.lines[0] > 0);
  return Map.groupBy(ranges, ({ path }) => path);
}

const mostLinks = 8;

function rootLines(text: string, bodyLine: number, lines: readonly FileLine[]): readonly ReportLine[] {
  const made = new Map(lines.map((line) => [line.line, line]));
  const shownLines = redact(text).text.split(/\r?\n/u);
  return shownLines.slice(bodyLine - 1).map((own, at): ReportLine => {
    const line = made.get(bodyLine + at);
    return { text: own, line: bodyLine + at, ...(line === undefined ? {} : { links: linksOf(line) }) };
  });
}

/** Links to the nodes and to the log lines that a line of ROOT.md comes from. */
function linksOf({ from, refs }: FileLine): string {
  const nodes = [...new Set(from.map(({ path }) => path))];
  const ranges = rangesOf(refs);
  const links = [
    ...nodes.map((path) => [anchorOf(path), parseNodePath(path)?.period ?? path] as const),
    ...ranges.map(({ path, lines: [first, last] }) => {
      const name = path.replace(/^memory\//u, "").replace(/\.md$/u, "");
      const lines = first === last ? `${first}` : `${first}–${last}`;
      return first === 0 ? ([anchorOf(path), name] as const) : ([anchorOf(path, first), `${name}:${lines}`] as const);
    }),
  ];
  const more = links.length - mostLinks;
  const some = links.slice(0, mostLinks).map(([anchor, name]) => `<a href="#${anchor}">${escaped(name)}</a>`);
  return ` <span class="s">${some.join(" ")}${more > 0 ? ` and ${more} more` : ""}</span>`;
}

async function nodeText(
  memory: TreeMemory,
  node: TreeNodeView,
  sources: ReadonlyMap<string, readonly LineRange[]>,
): Promise<string> {
  const name = parseNodePath(node.path);
  const file = name === undefined ? undefined : await readNodeFile(memory.files, name);
  if (file === undefined) return '<p class="note">It could not be read.</p>';
  const all = redact(file.text).text.split(/\r?\n/u);
  const body = all.slice(file.bodyLine - 1).map((text, at) => ({ text, line: file.bodyLine + at }));
  const logs = node.late > 0 ? [] : node.raw;
  const quoted: string[] = [];
  for (const path of logs) quoted.push(await sourceText(memory, path, sources.get(path) ?? []));
  return linesHtml(node.path, body) + quoted.join("");
}

/** The lines of a log that ROOT.md comes from, with anchors. */
async function sourceText(memory: TreeMemory, path: string, ranges: readonly LineRange[]): Promise<string> {
  const named = escaped(path);
  if (ranges.length === 0) return `<p class="note" id="${anchorOf(path)}">${named}</p>`;
  const read = await memory.files.read(path);
  const texts = redact(textLines(decodeText(read?.bytes ?? new Uint8Array(0)) ?? "").join("\n")).text.split("\n");
  const wanted = new Set<number>();
  for (const { lines } of ranges)
    for (let line = lines[0]; line <= Math.min(lines[1], texts.length); line++) wanted.add(line);
  const marked = new Set(ranges.map(({ lines }) => lines[0]));
  const rows = [...wanted].toSorted((a, b) => a - b).map((line) => ({ text: texts[line - 1] ?? "", line }));
  const lines = linesHtml(path, rows, marked);
  return `<details id="${anchorOf(path)}"><summary>${named} <span class="f">lines that ROOT.md comes from</span></summary>${lines}</details>`;
}
