import { listIfFolder, writeCacheFile, type RootSummary, type WrittenNode } from "../run/idle.ts";
import { parseObject } from "../../base/json.ts";
import {
  encode,
  isSettled,
  keepMonths,
  type KeptMonths,
  readMonths,
  readRootAt,
  rootCopyPath,
  type RootFile,
} from "../run/tree-files.ts";
import { sha256 } from "../../base/digest.ts";
import { isCount } from "../../base/lists.ts";
import { ifInTheWay, ifMemoryError, type Warning } from "../../base/errors.ts";
import { rootDigest, type RootDocument } from "../root/root-format.ts";
import {
  rootInputsKey,
  rootLimits,
  type ComposedRoot,
  type PlacedLine,
  type RootInputs,
  type RootMonth,
  type CorrectedLines,
  composeRoot,
  isOldMonth,
  monthOf,
} from "../root/root-compose.ts";
import { type RootLimits } from "../root/root-lines.ts";
import { answersFolder, nodePath, rootPath } from "../model/period.ts";
import type { Step } from "../plan/plan.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { logPath, readLines } from "../logs/raw-logs.ts";
import { sentencesSaid } from "../../text/corrected.ts";
import { logName } from "../compose/compose-day.ts";
import { archiveBytes } from "../logs/archive.ts";
import { NodeShelf, readSecrets } from "../run/compose-node.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { LoadedTree } from "../run/load.ts";
import type { TreeMemory } from "../memory.ts";
import type { FileStamp } from "../../platform/files.ts";
import type { RenderedRoot } from "./root-answered.ts";
import type { TreeRun } from "../run/tree-run.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { type AnswerMark, rootRule } from "../model/node-format.ts";

export type RootReason = "new" | "changed" | "ages" | "adopt" | "damaged" | "answer";

export async function rootDue(
  memory: TreeMemory,
  loaded: LoadedTree,
  plan: { readonly configuration: Configuration; readonly steps: readonly Step[] },
): Promise<RootReason | undefined> {
  const willChange = plan.steps.some((step) => step.name.level === "monthly" && step.act === "compose");
  if (willChange) return loaded.root === undefined ? "new" : "changed";
  return reasonFor(memory, loaded, plan.configuration);
}

/**
 * Like `reasonOf`, plus the reason `answer`: another answer was accepted for the same content, or the one used no
 * longer is.
 */
async function reasonFor(
  memory: TreeMemory,
  { state, root }: RootNow,
  configuration: Configuration,
): Promise<RootReason | undefined> {
  const reason = reasonOf(state, root, configuration);
  const document = root?.document;
  if (reason !== undefined || document === undefined) return reason;
  if (document.answer === undefined && !(await hasRootRecords(memory))) return undefined;
  const { isRootAnswerDue } = await import("./root-answered.ts");
  const { made_from, day, basis } = await readFigures(memory);
  const isKnown = made_from === document.madeFrom && day === document.lastUpdated && typeof basis === "string";
  const cap = configuration.rootMaxTokens;
  const made = { shelf: new NodeShelf(memory.files), day: document.lastUpdated, limits: rootLimits(cap), foreign: [] };
  const inputs = (): Promise<RootInputs> => rootInputs(memory, state, made);
  const known = isKnown ? basis : undefined;
  // If the records cannot be listed, keep a ROOT.md made from one.
  const isDue = await isRootAnswerDue(memory, { document, cap, basis: known, inputs }).catch(ifInTheWay(() => false));
  return isDue ? "answer" : undefined;
}

type RootNow = Pick<LoadedTree, "state" | "root">;

/** ROOT.md is due if it is missing or not ours, if its content or sources differ from the recorded digests, and on a new day. */
function reasonOf(state: TreeState, root: RootFile | undefined, configuration: Configuration): RootReason | undefined {
  const months = monthlyFacts(state);
  if (months.length === 0 || root?.reading === "unreadable") return undefined;
  if (root === undefined) return "new";
  if (root.reading !== "ours" || root.document === undefined) return root.reading === "broken" ? "damaged" : "adopt";
  const limits = rootLimits(configuration.rootMaxTokens);
  const key = keyOf(months, { limits, answer: root.document.answer, corrected: correctedIn(state) });
  if (rootDigest(key, root.document.body) !== root.document.madeFrom) return "changed";
  return root.document.lastUpdated < state.today ? "ages" : undefined;
}

function keyOf(months: readonly NodeFacts[], made: Parameters<typeof rootInputsKey>[1]): string {
  const sources = months.map((node) => ({ path: nodePath(node.name), content: node.content }));
  return rootInputsKey(sources, made);
}

/** The lines of logs that later entries correct. */
function correctedIn(state: TreeState): readonly Omit<CorrectedLines, "said">[] {
  return [...state.days.values()].flatMap(({ logs }) =>
    logs.flatMap(({ path, corrects = [] }) =>
      corrects
        .filter(({ source }) => !source.startsWith("thread:"))
        .map(({ source, lines: [from, to], line }) => {
          return { log: logName(source), from, to, by: { log: logName(path), from: line } };
        }),
    ),
  );
}

/** With the corrected sentences. */
async function readCorrected(memory: TreeMemory, state: TreeState): Promise<readonly CorrectedLines[]> {
  const corrected: CorrectedLines[] = [];
  for (const one of correctedIn(state)) {
    const [read] = await readLines(memory.files, logPath(one.log), [one], "kept").catch(ifMemoryError(() => []));
    corrected.push({ ...one, said: sentencesSaid(read?.text ?? "") });
  }
  return corrected;
}

export interface RootRun {
  /** Set if ROOT.md was written. */
  readonly lines?: readonly PlacedLine[];
  readonly written: WrittenNode | undefined;
  readonly document: RootDocument | undefined;
  readonly stamp: FileStamp | undefined;
  readonly summary: RootSummary | null;
  readonly warnings: readonly Warning[];
}

export async function runRoot(
  memory: TreeMemory,
  work: { readonly loaded: LoadedTree; readonly run: TreeRun; readonly configuration: Configuration },
): Promise<RootRun> {
  const { loaded, run, configuration } = work;
  const { root: old } = loaded;
  const { state } = run;
  const now = { state, root: old };
  const unchanged = async (stamp: FileStamp | undefined, warnings: readonly Warning[] = []): Promise<RootRun> => {
    const figures = await readRootFigures(memory, now, configuration);
    return { ...(await rootAsItIs(memory, old, figures)), stamp, warnings };
  };
  if ((await reasonFor(memory, now, configuration)) === undefined) return unchanged(old?.stamp);
  const kept = await readMonths(memory);
  const made: MadeRoot = {
    shelf: run.shelf,
    day: [old?.document?.lastUpdated ?? state.today, state.today].toSorted()[1] ?? state.today,
    limits: rootLimits(configuration.rootMaxTokens),
    foreign: old?.document?.foreign ?? [],
    answer: "accepted",
    secrets: (await run.secrets()).values,
    kept: typeof kept === "object" ? kept : new Map(),
  };
  const inputs = await rootInputs(memory, state, made);
  const composed = await renderFrom(memory, inputs, made);
  await keepMonths(memory, monthlyFacts(state), { ...inputs, before: kept });
  const warnings = await keepOld(memory, old);
  const expect = old === undefined ? "absent" : { stamp: old.stamp };
  const [outcome] = await memory.files.commit([{ path: rootPath, bytes: encode(composed.text), expect }]);
  if (outcome?.outcome !== "written") {
    const message = `${rootPath} was changed by another program while it was being composed, so it was left unchanged`;
    return unchanged(undefined, [{ code: "changed_by_other", path: rootPath, message }]);
  }
  const summary = summaryOf(composed, configuration);
  await keepCopy(memory, composed, summary);
  const written: WrittenNode = {
    path: rootPath,
    level: "root",
    period: "ROOT",
    status: "tentative",
    action: old === undefined ? "created" : "updated",
    summarizer: rootRule,
    sources: monthlyFacts(state).map((node) => nodePath(node.name)),
    late: 0,
  };
  return { written, lines: composed.lines, document: composed.root, stamp: outcome.stamp, summary, warnings };
}

/** A ROOT.md that is not written. If it had to be rendered for its figures, they and its lines are kept. */
export async function rootAsItIs(
  memory: TreeMemory,
  root: RootFile | undefined,
  { summary, rendered }: Awaited<ReturnType<typeof readRootFigures>>,
): Promise<RootRun> {
  const made = { written: undefined, document: root?.document, stamp: root?.stamp, summary, warnings: [] };
  if (rendered === undefined || rendered.text !== root?.text || summary === null) return made;
  await keepCopy(memory, rendered, summary);
  return { ...made, lines: rendered.lines };
}

function summaryOf(composed: ComposedRoot, configuration: Configuration): RootSummary {
  const { tokens, topics, dropped } = composed;
  return { tokens, cap: configuration.rootMaxTokens, topics, dropped: dropped.length };
}

/** Archives a ROOT.md that is not ours before it is replaced. */
async function keepOld(memory: TreeMemory, old: RootFile | undefined): Promise<readonly Warning[]> {
  if (old === undefined || old.reading === "ours") return [];
  const kept = await archiveBytes(memory.files, rootPath, old.bytes);
  const why = old.reading === "broken" ? `could not be read (${old.message})` : "was not written by heartwood";
  const message = `${rootPath} ${why}: it was rebuilt and the old one is in ${kept}`;
  return [{ code: "root_replaced", path: rootPath, message }];
}

/** Figures of the current ROOT.md, and the digest of the copy that heartwood keeps of it. */
export const rootFiguresPath = ".heartwood/cache/root.json";

async function keepCopy(memory: TreeMemory, composed: RenderedRoot, summary: RootSummary): Promise<void> {
  const { root, basis } = composed;
  // A basis is valid only for its day.
  const day = basis === undefined ? undefined : root.lastUpdated;
  const figures = { made_from: root.madeFrom, copy_sha256: sha256(composed.text), ...summary, basis, day };
  await writeCacheFile(memory.files, rootCopyPath, encode(composed.text));
  await writeCacheFile(memory.files, rootFiguresPath, encode(JSON.stringify(figures)));
}

/** The lines of the ROOT.md with this digest, as heartwood wrote them; `undefined` if there is no intact copy of it. */
export async function writtenLines(
  memory: TreeMemory,
  madeFrom: string | undefined,
): Promise<readonly string[] | undefined> {
  const copy = await readRootAt(memory, rootCopyPath);
  if (copy?.document === undefined || copy.document.madeFrom !== madeFrom) return undefined;
  const figures = await readFigures(memory);
  return figures["copy_sha256"] === sha256(copy.bytes) ? copy.document.body : undefined;
}

/**
 * Figures of the current ROOT.md, even if it is due for a rebuild; `null` unless heartwood wrote it. `rendered`: ROOT.md
 * for its day, if it had to be rendered to count what was dropped.
 */
export async function readRootFigures(
  memory: TreeMemory,
  { state, root }: RootNow,
  configuration: Configuration,
): Promise<{ readonly summary: RootSummary | null; readonly rendered?: RenderedRoot }> {
  if (root?.document === undefined) return { summary: null };
  const cap = configuration.rootMaxTokens;
  const { copy_sha256: copy, tokens, topics, dropped } = await readFigures(memory);
  if (copy === sha256(root.bytes) && isCount(tokens) && isCount(topics) && isCount(dropped))
    return { summary: { tokens, cap, topics, dropped } };
  const { lastUpdated: day, foreign, answer } = root.document;
  const made = { shelf: new NodeShelf(memory.files), day, limits: rootLimits(cap), foreign, answer };
  const rendered = await renderRoot(memory, state, made);
  return { summary: { ...summaryOf(rendered, configuration), tokens: memory.tokens.count(root.text) }, rendered };
}

/** The figures saved with the copy; empty if missing or torn. */
async function readFigures(memory: TreeMemory): Promise<Readonly<Record<string, unknown>>> {
  const read = await memory.files.read(rootFiguresPath).catch(ifMemoryError(() => undefined));
  return parseObject(read === undefined ? "" : Buffer.from(read.bytes).toString("utf8")) ?? {};
}

/** With more passages of months than this, rendering takes a lot of memory. */
const muchToRender = 4000;

export interface MadeRoot {
  readonly shelf: NodeShelf;
  readonly day: string;
  readonly limits: RootLimits;
  readonly foreign: readonly string[];
  /** The configured cap, if `limits` are smaller. Default: the one in `limits`. */
  readonly cap?: number;
  /** The recorded answer to use; `accepted`: the accepted one for this content. Default: none. */
  readonly answer?: AnswerMark | "accepted" | undefined;
  /** All secrets in the memory. Default: read them. */
  readonly secrets?: SecretValues;
  /** Default: none. */
  readonly kept?: KeptMonths;
}

/** Composes ROOT.md for a day from the current monthly nodes. An unreadable answer is ignored. */
export async function renderRoot(memory: TreeMemory, state: TreeState, made: MadeRoot): Promise<RenderedRoot> {
  return renderFrom(memory, await rootInputs(memory, state, made), made);
}

async function renderFrom(memory: TreeMemory, inputs: RootInputs, made: MadeRoot): Promise<RenderedRoot> {
  const { answer } = made;
  if (answer === undefined || (answer === "accepted" && !(await hasRootRecords(memory)))) return composeRoot(inputs);
  const { renderAnswered } = await import("./root-answered.ts");
  return renderAnswered(memory, inputs, { answer, cap: made.cap ?? made.limits.tokens });
}

/** The inputs for composing ROOT.md from the current monthly nodes. */
export async function rootInputs(memory: TreeMemory, state: TreeState, made: MadeRoot): Promise<RootInputs> {
  const secrets = made.secrets ?? (await readSecrets(memory.files, state)).values;
  const months: RootMonth[] = [];
  for (const facts of monthlyFacts(state)) {
    // Secrets are looked for in the text of all months.
    const known = secrets.size === 0 && isSettled(facts) ? made.kept?.get(nodePath(facts.name)) : undefined;
    const isKept = known?.content === facts.content && (known.extent === "whole" || isOldMonth(facts.name, made.day));
    months.push(isKept ? { name: facts.name, ...known } : monthOf(await made.shelf.get(facts.name)));
  }
  if (months.reduce((sum, { passages }) => sum + passages.length, 0) > muchToRender) memory.onWork?.();
  return {
    months,
    day: made.day,
    limits: made.limits,
    foreign: made.foreign,
    count: (text) => memory.tokens.count(text),
    corrected: await readCorrected(memory, state),
    secrets,
  };
}

export function monthlyFacts(state: TreeState): readonly NodeFacts[] {
  return state.nodes.all().filter((node) => node.name.level === "monthly" && node.reading !== "broken");
}

/** Whether any answer is recorded for ROOT.md. Does not load the module that reads records. */
async function hasRootRecords({ files }: TreeMemory): Promise<boolean> {
  return (await listIfFolder(files, `${answersFolder}/root`)).length > 0;
}
