import { MemoryError, type Warning } from "../../base/errors.ts";
import { foreignLines, readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { joinLines, textLines } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import { scanLines } from "../../base/markdown.ts";
import { isPreserved } from "../../base/memory-type.ts";
import type { Call } from "../../base/operation.ts";
import type { CommitOutcome, FileChange, FileStamp } from "../../platform/files.ts";
import type { SecretValues } from "../../text/redact/known-secrets.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { dayOfLog } from "../compose/compose-day.ts";
import { cleared } from "../compose/secrets.ts";
import { archiveBytes, recordArtifact } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import { noLateRecords } from "../model/late-records.ts";
import { builtInRule, foreignRule, ownKeys, type Node } from "../model/node-format.ts";
import { parseTopics } from "../model/node-sections.ts";
import { ancestorsOf, nodeLevels, nodePath, periodKey, type NodeLevel, type NodeName } from "../model/period.ts";
import { type NodeFacts, type RawLog, type SkippedSource, type TreeState, unreadPeriods } from "../model/tree-state.ts";
import { LevelPlan, type Step } from "../plan/plan.ts";
import { withoutUnusable } from "../plan/status.ts";
import {
  NodeShelf,
  composeStep,
  readSecrets,
  readyNode,
  type ComposeStep,
  type ReadLog,
  type ReadyNode,
} from "./compose-node.ts";
import type { WrittenNode } from "./idle.ts";
import type { LoadedTree } from "./load.ts";
import { readNodeFile } from "./tree-files.ts";
import { setImmediate } from "node:timers/promises";

const batchSize = 256;
/** A batch of large nodes ends earlier to bound the bytes waiting to be written. */
const batchBytes = 2 * 1024 * 1024;

type ReadyStep = ReadyNode & { readonly step: Step };

/** A run over the three levels below ROOT: executes plans in batches and updates the state. */
export class TreeRun {
  readonly written: WrittenNode[] = [];
  readonly warnings: Warning[] = [];
  readonly skipped: SkippedSource[] = [];
  readonly shelf: NodeShelf;
  /** Current stamps of the files the tree depends on. */
  readonly stamps: Map<string, FileStamp>;
  /** Raw logs read in this run. */
  readonly logs = new Map<string, ReadLog>();
  state: TreeState;
  readonly #memory: TreeMemory;
  readonly #call: Call;
  /** Paths this run cannot write, because the existing file was unreadable or an attempt failed. */
  readonly #blocked: Set<string>;
  readonly #unread: ReadonlySet<string>;
  readonly #plans = new Map(nodeLevels.map((level) => [level, new LevelPlan(level)]));
  #secrets: ReturnType<typeof readSecrets> | undefined;

  constructor(memory: TreeMemory, loaded: LoadedTree, call: Call) {
    this.#memory = memory;
    this.state = loaded.state;
    this.stamps = new Map(loaded.listing);
    this.shelf = new NodeShelf(memory.files);
    this.#call = call;
    this.#blocked = new Set(loaded.skipped.map(({ path }) => path));
    this.#unread = unreadPeriods(loaded.skipped);
  }

  /** Secrets of the whole memory at the start of the run. */
  secrets(): ReturnType<typeof readSecrets> {
    return (this.#secrets ??= readSecrets(this.#memory.files, this.state));
  }

  /** Runs one cycle: at every level all marks and at most `most` composed nodes, children before parents. Returns the highest number composed at any level. */
  async cycle(most: number): Promise<number> {
    let composed = 0;
    for (const level of nodeLevels) {
      const due = this.#due(level);
      const marks = due.filter((step) => step.act === "mark");
      const works = due.filter((step) => step.act === "compose");
      let [from, count] = [0, 0];
      // Replace failed steps with the next ones.
      do {
        const batch = works.slice(from, from + most - count);
        await this.#carryOut(level, from === 0 ? [...marks, ...batch] : batch);
        count += batch.filter((step) => !this.#blocked.has(nodePath(step.name))).length;
        from += batch.length;
      } while (from < works.length && count < most);
      composed = Math.max(composed, count);
      // Marks that became due because of the nodes just composed.
      const more = this.#due(level).filter((step) => step.act === "mark");
      await this.#carryOut(level, more);
    }
    return composed;
  }

  /** Steps still due at a level that have not failed in this run, newest first. */
  #due(level: NodeLevel): readonly Step[] {
    return this.planned(level).filter(
      (step) => !this.#blocked.has(nodePath(step.name)) && !this.#unread.has(periodKey(step.name)),
    );
  }

  /** As `planLevel` for the state now. */
  planned(level: NodeLevel): readonly Step[] {
    return this.#plans.get(level)?.steps(this.state) ?? [];
  }

  #touch({ level, period }: NodeName): void {
    for (const place of [{ level, period }, ...ancestorsOf(level, period)])
      this.#plans.get(place.level)?.touch(place.period);
  }

  /** Composes the next batch while the previous one is written and synced. */
  async #carryOut(level: NodeLevel, steps: readonly Step[]): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    try {
      for (let done = 0; done < steps.length;) {
        const ready: ReadyStep[] = [];
        const end = done + batchSize;
        for (let bytes = 0; done < Math.min(end, steps.length) && bytes < batchBytes; done++) {
          const step = steps[done] as Step;
          this.#call.signal?.throwIfAborted();
          const node = await this.#attempt(step);
          if (node !== undefined) ready.push({ ...node, step });
          bytes += node?.bytes.length ?? 0;
          // Let signals and pending writes proceed.
          await setImmediate();
        }
        await writing;
        writing = this.#commit(ready);
        // Awaited below; this prevents an unhandled rejection until then.
        writing.catch(() => undefined);
        this.#call.progress?.({ phase: level, done, total: steps.length });
      }
    } finally {
      await writing;
    }
  }

  async #attempt(step: Step): Promise<ReadyNode | undefined> {
    try {
      return step.act === "mark" ? await this.#mark(step) : await this.#compose(step);
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "disk_full") throw error;
      this.#blocked.add(nodePath(step.name));
      const path = typeof error.details["path"] === "string" ? error.details["path"] : nodePath(step.name);
      this.skipped.push({ path, code: error.code, message: error.message });
      return undefined;
    }
  }

  /** Archives the existing file if it is foreign or was edited. */
  async #compose(step: ComposeStep): Promise<ReadyNode> {
    const { files } = this.#memory;
    const path = nodePath(step.name);
    const known = this.state.nodes.get(path);
    const file = known === undefined ? undefined : await readNodeFile(files, step.name);
    const isOurs = known?.reading === "ours" && known.recorded === known.content && known.madeBy !== foreignRule;
    if (file !== undefined && !isOurs) await archiveBytes(files, path, file.bytes);
    if (known?.problem !== undefined) {
      const { line, message: why } = known.problem;
      const message = `invalid front matter in ${path} at line ${line} (${why}): the node was rebuilt and its old bytes are in memory/archive/`;
      this.warnings.push({ code: "front_matter", path, line, message });
    }
    const secrets = await this.secrets();
    const foreign = file?.node?.foreign ?? [];
    const ready = await composeStep(this.#memory, step, { shelf: this.shelf, state: this.state, secrets, foreign });
    const adopted = step.reason === "adopt" ? adoptedNode(ready, step, file?.text ?? "", secrets.values) : undefined;
    if (adopted !== undefined) {
      await recordArtifact(files, adopted.facts.content, adopted.bytes);
      return adopted;
    }
    pushAll(this.warnings, ready.warnings);
    const { answers } = this.state;
    // The record of the expected answer is damaged; without this the node would stay due.
    if (answers !== undefined && ready.facts.madeBy === builtInRule) {
      this.state = { ...this.state, answers: withoutUnusable(answers, ready.facts, undefined) };
      this.#touch(step.name);
    }
    return ready;
  }

  /** Rewrites a node with a new status and the same body, except for secrets that became known since. A body that others edited is recorded as foreign. */
  async #mark(step: Extract<Step, { readonly act: "mark" }>): Promise<ReadyNode> {
    const known = await this.shelf.get(step.name);
    const node = { ...cleared(known, (await this.secrets()).values), status: step.status };
    if (step.reason === "status") return readyNode(node);
    const path = nodePath(step.name);
    const ready = readyNode({ ...node, madeBy: foreignRule, spans: [] });
    await recordArtifact(this.#memory.files, ready.facts.content, ready.bytes);
    const message = `the body of ${path} was not written by heartwood: it is recorded and kept until its sources change`;
    this.warnings.push({ code: "foreign_summary", path, message });
    return ready;
  }

  async #commit(ready: readonly ReadyStep[]): Promise<void> {
    const changes = ready.map(({ node, bytes }): FileChange => {
      const path = nodePath(node.name);
      const stamp = this.stamps.get(path);
      return { path, bytes, expect: stamp === undefined ? "absent" : { stamp } };
    });
    await this.#recordLate(ready);
    const folded = await this.#foldedAddenda(ready);
    // In a separate commit, first: after a crash, an addendum left next to the node that includes it would put its
    // content in the parent twice.
    if (folded.length > 0)
      await this.#memory.files.commit(folded.map((path) => ({ path, bytes: undefined, expect: "anything" })));
    const outcomes = new Map((await this.#memory.files.commit(changes)).map((outcome) => [outcome.path, outcome]));
    const done = ready.filter(({ node }) => this.#accept(node, outcomes.get(nodePath(node.name))));
    for (const { step, node } of done)
      this.written.push(writtenNode(step, node, this.state.nodes.get(nodePath(node.name))));
    const nodes = this.state.nodes.without(folded).with(done.map(({ facts }) => facts));
    this.state = { ...this.state, nodes, days: this.#daysWith(done.flatMap(({ logs }) => logs)) };
    for (const { node, bytes } of done) this.shelf.put(node, bytes.length);
    for (const { step } of ready) this.#touch(step.name);
  }

  /** Late data is recorded before the nodes that leave it out or have it. */
  async #recordLate(ready: readonly ReadyStep[]): Promise<void> {
    const added = new Set(ready.flatMap(({ step }) => (step.act === "compose" ? (step.late ?? []) : [])));
    if (added.size === 0) return;
    const { recordLate } = await import("./reopen.ts");
    const records = await recordLate(this.#memory, [...added]);
    this.state = { ...this.state, late: (this.state.late ?? noLateRecords).with(records) };
  }

  /** A rebuilt node includes the content of its addenda, so they are archived and deleted. */
  async #foldedAddenda(ready: readonly ReadyStep[]): Promise<readonly string[]> {
    const folded: string[] = [];
    for (const { step } of ready) {
      for (const path of step.act === "compose" ? (step.folds ?? []) : []) {
        const read = await this.#memory.files.read(path);
        if (read !== undefined) await archiveBytes(this.#memory.files, path, read.bytes);
        folded.push(path);
        this.stamps.delete(path);
      }
    }
    return folded;
  }

  #daysWith(read: readonly ReadLog[]): TreeState["days"] {
    const days = new Map(this.state.days);
    for (const one of read) {
      const source = { ...one.source, part: [] };
      const { path, bytes, sha256, lines } = source;
      const raw = days.get(dayOfLog(path));
      const change = (next: (log: RawLog) => RawLog): void => {
        if (raw === undefined) return;
        days.set(raw.day, { ...raw, logs: raw.logs.map((log) => (log.path === path ? next(log) : log)) });
      };
      if (one.extent === "beginning") {
        const mark = { bytes, sha256, line: lines + 1, ending: "closed" } as const;
        change((log) => ({ ...log, marks: [...log.marks, mark] }));
        continue;
      }
      this.logs.set(path, { ...one, source });
      this.stamps.set(path, one.stamp);
      const { corrects } = one.faults;
      change((log) => {
        const isSame = log.source?.sha256 === sha256;
        const kept = { ...log, source, corrects };
        return isSame ? kept : { ...kept, marks: [], sections: undefined, secrets: undefined };
      });
    }
    return days;
  }

  #accept({ name }: Node, outcome: CommitOutcome | undefined): boolean {
    const path = nodePath(name);
    if (outcome?.outcome === "written") {
      this.stamps.set(path, outcome.stamp ?? "");
      return true;
    }
    this.#blocked.add(path);
    const message = `${path} was changed by another program while it was being composed, so it was left unchanged`;
    this.warnings.push({ code: "changed_by_other", path, message });
    return false;
  }
}

/** Builds the report of a written node. `known`: the previous node. */
function writtenNode(step: Step, { name, status, madeBy, sources }: Node, known: NodeFacts | undefined): WrittenNode {
  const { level, period, late } = name;
  const isAdopted = step.act === "mark" || (step.reason === "adopt" && madeBy === foreignRule);
  const made = known === undefined ? "created" : "updated";
  const action = step.reason === "status" ? "status" : isAdopted ? "adopted" : made;
  const paths = sources.map(({ path }) => path);
  return { path: nodePath(name), level, period, status, action, summarizer: madeBy, sources: paths, late };
}

/** Returns the existing node written by another tool if it can be kept and adds something to `made`, which was composed from the same sources. */
export function adoptedNode(
  made: ReadyNode,
  { name, status }: ComposeStep,
  text: string,
  secrets: SecretValues,
): ReadyNode | undefined {
  const foreign = parseForeignNode(name, text);
  if (foreign === undefined) return undefined;
  const { madeFrom, ...own } = foreign;
  const missing = made.node.sources.some(({ path }) => !madeFrom.has(path.match(periodNamed)?.[0] ?? ""));
  const kept = { ...made.node, ...own, madeBy: foreignRule, spans: [], answer: undefined, status };
  const node = cleared<Node>(kept, secrets);
  if ((madeFrom.size > 0 && missing) || !addsTo(made.node, node)) return undefined;
  return { ...readyNode(node), logs: made.logs };
}

/**
 * Parses a node written by another tool: its front matter must match its name, and its body must contain text other
 * than headings and comments, with no conflict markers and no second front matter. Otherwise `undefined`.
 */
function parseForeignNode(name: NodeName, text: string) {
  const reading = readFrontMatter(textLines(text));
  if (reading.state !== "read" || name.late > 0) return undefined;
  const { front, body } = reading;
  const status = valueOf(front, "status") ?? "fixed";
  if (valueOf(front, "type") !== name.level || valueOf(front, "period") !== name.period) return undefined;
  if (status !== "fixed" && status !== "tentative") return undefined;
  const whole = joinLines(body);
  const says = /\S/u.test(whole.replaceAll(/<!--[^]*?-->|^#{1,6} .*$/gmu, ""));
  const isWhole = scanLines(body).conflicts.length === 0 && !/^---\n(?:type|status|period|source-files):/mu.test(whole);
  if (!says || !isWhole) return undefined;
  const named = `${valueOf(front, "source-files") ?? ""} ${valueOf(front, "weeks") ?? ""}`;
  const madeFrom = new Set(Array.from(named.matchAll(periodNamed), ([period]) => period));
  const topics = parseTopics(valueOf(front, "topics") ?? "");
  return { topics, body, foreign: foreignLines(front, ownKeys), madeFrom };
}

/** A day or week in a file name. */
const periodNamed = /\d{4}-(?:\d{2}-\d{2}|W\d{2})(?!\d)/gu;

/** Whether a foreign node has lines that the composed one lacks, and mentions all its user and feedback topics. */
function addsTo(made: Node, { body, topics }: Node): boolean {
  const lines = new Set(made.body.map((line) => line.trim()));
  const words = wordKeys([...topics.map(({ name }) => name), ...body].join("\n"));
  return (
    body.some((line) => !line.startsWith("#") && line.trim() !== "" && !lines.has(line.trim())) &&
    made.topics.every(({ name, type }) => !isPreserved(type) || [...wordKeys(name)].every((key) => words.has(key)))
  );
}
