import type { Memory } from "../../operations/operation.ts";
import { operation } from "../../operations/table.ts";
import type { TraceResult } from "../../tree/inspect/trace-places.ts";
import type { RootLine, RootResult } from "../../tree/root-run/root.ts";
import type { LocalCall, Samples } from "./terminal.ts";
import { jsonText } from "./print.ts";
import { renderCompact, renderTrace, renderTree } from "./render/tree.ts";
import { cutTo, screenOf } from "./render/layout.ts";
import { visibleIn } from "../../text/visible.ts";

/** The day after the last sample week became fixed, so the tree shows both statuses. */
const TODAY = "2026-03-23";

/** `heartwood demo`: builds a tree from the shipped samples in a temporary folder and shows the result. */
export async function runDemo(call: LocalCall): Promise<void> {
  const { input, common, terminal, host } = call;
  const samples = await host.openSamples({ today: common.today ?? TODAY, timeZone: common.timeZone ?? "UTC" });
  const folder = input["keep"] === true ? "kept" : "removed";
  const shown = await buildIn(samples, folder, terminal.signal);
  const document = { dir: samples.memory.dir, folder, ...shown } as const;
  terminal.stdout.write(common.output === "json" ? jsonText(document, terminal.stdout.look()) : textOf(document, call));
}

/** Removes the folder before printing anything, because a reader that stops early (`| head`) ends the program immediately. */
async function buildIn(samples: Samples, folder: "kept" | "removed", signal: AbortSignal): Promise<Shown> {
  try {
    // The user's settings (qmd) must not affect a temporary folder.
    return await build({ ...samples.memory, user: { qmd: "off" } }, signal);
  } finally {
    if (folder === "removed") await samples.remove();
  }
}

type Shown = Awaited<ReturnType<typeof build>>;

async function build(memory: Memory, signal: AbortSignal) {
  const call = { signal };
  await operation("memory.init").run(memory, { platform: "plain" }, call);
  const compact = await operation("tree.compact").run(memory, {}, call);
  const tree = await operation("tree.list").run(memory, {}, call);
  const root = (await operation("tree.root").run(memory, {}, call)) as RootResult;
  const line = { text: `ROOT:${shortestTrace(root.lines)}` };
  const trace = (await operation("tree.trace").run(memory, line, call)) as TraceResult;
  return { compact, tree, root, trace };
}

/** Of the lines with at least two sources, the one with the fewest raw lines, so that its whole trace fits on a screen. */
function shortestTrace(lines: readonly RootLine[]): number {
  const traced = lines.filter(({ sources }) => sources.length > 1);
  return traced.toSorted((a, b) => linesBehind(a) - linesBehind(b))[0]?.line ?? lines[0]?.line ?? 1;
}

function linesBehind({ sources }: RootLine): number {
  return sources.reduce((sum, { lines: [from, to] }) => sum + to - from + 1, 0);
}

function textOf(
  document: Shown & { readonly dir: string; readonly folder: "kept" | "removed" },
  call: LocalCall,
): string {
  const look = call.terminal.stdout.look();
  const { paint, columns } = screenOf(look);
  const shown = visibleIn(document);
  const part = (heading: string, lines: readonly string[]): string =>
    `${paint.title(`=== ${heading} ===`)}\n\n${lines.map((line) => cutTo(line, Math.min(columns, mostColumns))).join("\n")}\n`;
  const plain = screenOf({ kind: "pipe", columns: look.columns, colours: "off" });
  const trace = `heartwood trace ROOT:${shown.trace.line.line}`;
  const parts = [
    part(
      "heartwood compact: daily logs become a tree",
      beginningOf(renderCompact(shown.compact, plain), 7, "heartwood compact"),
    ),
    part("heartwood tree", beginningOf(renderTree(shown.tree, plain), 8, "heartwood tree")),
    part("heartwood root: what an agent reads first", sectionsOf(shown.root.text)),
    part(`${trace}: where a line comes from`, beginningOf(renderTrace(shown.trace, plain), 20, trace)),
    shown.folder === "kept"
      ? `The folder was kept: ${shown.dir}\nExplore it: heartwood status --dir ${shown.dir} --today ${TODAY}\n`
      : `This ran in ${shown.dir}, which is now removed; \`heartwood demo --keep\` keeps it.\n`,
  ];
  return parts.join("\n");
}

/** A demo should fit on a screen or two. */
const mostColumns = 120;

function beginningOf(text: string, most: number, command: string): readonly string[] {
  const said = text.split("\n").filter((line) => line.trim() !== "");
  if (said.length <= most) return said;
  return [...said.slice(0, most - 1), `… ${said.length - most + 1} more lines: ${command}`];
}

/** The headings of ROOT.md, each with its first lines. */
function sectionsOf(text: string): readonly string[] {
  const sections = text.split(/^(?=## )/mu).slice(1);
  return sections.flatMap((section) => {
    const [heading = "", ...items] = section.trimEnd().split("\n");
    const more = items.length > itemsShown ? ` (${itemsShown} of ${items.length} lines)` : "";
    return [`${heading}${more}`, ...items.slice(0, itemsShown)];
  });
}

const itemsShown = 2;
