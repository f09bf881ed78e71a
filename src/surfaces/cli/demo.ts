import type { Memory } from "../../engine/memory.ts";
import { operations } from "../../engine/operations.ts";
import type { Operation } from "../../engine/operation.ts";
import type { CompactResult, RootLine, RootResult, TraceResult, TreeResult } from "../../engine/results.ts";
import type { LocalCall } from "./local.ts";
import { jsonText } from "./print.ts";
import { renderResult } from "./render/index.ts";
import { screenOf } from "./render/screen.ts";
import type { Samples } from "./run.ts";
import { visibleIn } from "../../base/visible.ts";

/** The day after the last week of the samples has become fixed, so that the tree shows both statuses. */
const TODAY = "2026-03-23";

/** `heartwood demo`: builds a tree from the shipped samples in a temporary folder and shows what came out. */
export async function runDemo(call: LocalCall): Promise<void> {
  const { input, common, terminal, host } = call;
  const samples = await host.openSamples({ today: common.today ?? TODAY, timeZone: common.timeZone ?? "UTC" });
  const folder = input["keep"] === true ? "kept" : "removed";
  const shown = await buildIn(samples, folder, terminal.signal);
  const document = { dir: samples.memory.dir, folder, ...shown } as const;
  terminal.stdout.write(common.output === "json" ? jsonText(document, terminal.stdout.look()) : textOf(document, call));
}

/** The folder is gone before anything is printed: a reader who leaves early (`| head`) ends the program at once. */
async function buildIn(samples: Samples, folder: "kept" | "removed", signal: AbortSignal): Promise<Shown> {
  try {
    // A person's own settings (qmd) have no business in a folder that is gone in a second.
    return await build({ ...samples.memory, user: { qmd: "off" } }, signal);
  } finally {
    if (folder === "removed") await samples.remove();
  }
}

interface Shown {
  readonly compact: CompactResult;
  readonly tree: TreeResult;
  readonly root: RootResult;
  readonly trace: TraceResult;
}

async function build(memory: Memory, signal: AbortSignal): Promise<Shown> {
  const run = <Result>(name: string, input: Readonly<Record<string, unknown>>): Promise<Result> => {
    const operation = operations.find((candidate) => candidate.name === name) as Operation<unknown, Result>;
    return operation.run(memory, input, { signal });
  };
  await run("memory.init", { platform: "plain" });
  const compact = await run<CompactResult>("tree.compact", {});
  const tree = await run<TreeResult>("tree.list", {});
  const root = await run<RootResult>("tree.root", {});
  const trace = await run<TraceResult>("tree.trace", { text: `ROOT:${mostTelling(root.lines)}` });
  return { compact, tree, root, trace };
}

/** The line that rests on the most logs: its trace shows the most of the tree. */
function mostTelling(lines: readonly RootLine[]): number {
  const best = lines.reduce<RootLine | undefined>(
    (found, line) => (logsOf(found) >= logsOf(line) ? found : line),
    undefined,
  );
  return best?.line ?? 1;
}

function logsOf(line: RootLine | undefined): number {
  return line === undefined ? -1 : new Set(line.sources.map(({ path }) => path)).size;
}

function textOf(
  document: Shown & { readonly dir: string; readonly folder: "kept" | "removed" },
  call: LocalCall,
): string {
  const look = call.terminal.stdout.look();
  const { paint } = screenOf(look);
  const shown = visibleIn(document);
  const part = (heading: string, name: string, result: unknown): string =>
    `${paint.title(`=== ${heading} ===`)}\n\n${renderResult(name, result, look).trimEnd()}\n`;
  const parts = [
    part("heartwood compact: daily logs become a tree", "tree.compact", shown.compact),
    part("heartwood tree", "tree.list", shown.tree),
    part("heartwood root: what an agent reads first", "tree.root", shown.root),
    part(`heartwood trace ROOT:${shown.trace.line.line}: where a line comes from`, "tree.trace", shown.trace),
    shown.folder === "kept"
      ? `The folder was kept: ${shown.dir}\nLook around: heartwood status --dir ${shown.dir} --today ${TODAY}\n`
      : `This ran in ${shown.dir}, which is removed now; \`heartwood demo --keep\` keeps it.\n`,
  ];
  return parts.join("\n");
}
