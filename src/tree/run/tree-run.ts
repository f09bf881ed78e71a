import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import type { CommitOutcome, FileChange, FileStamp } from "../../platform/files.ts";
import type { Worker } from "../../platform/program.ts";
import { dayOfLog } from "../compose/compose-day.ts";
import type { NodeAnswer } from "../compose/compose-summary.ts";
import { cleared } from "../compose/secrets.ts";
import { archiveBytes, recordArtifact } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import { noLateRecords } from "../model/late-records.ts";
import { builtInRule, foreignRule, type Node } from "../model/node-format.ts";
import { ancestorsOf, nodeLevels, nodePath, periodKey, type NodeLevel, type NodeName } from "../model/period.ts";
import { type NodeFacts, type RawLog, type SkippedSource, type TreeState, unreadPeriods } from "../model/tree-state.ts";
import { isOurs } from "../plan/late-parts.ts";
import { LevelPlan, type Step } from "../plan/plan.ts";
import { acceptedFor, withoutUnusable } from "../plan/status.ts";
import {
  adoptedNode,
  NodeShelf,
  composeStep,
  readSecrets,
  readyNode,
  readyStep,
  type ComposeStep,
  type ReadLog,
  type ReadyNode,
} from "./compose-node.ts";
import { listDay, type DayListing } from "./apply-records.ts";
import { ComposeThreads, isPlain } from "./compose-threads.ts";
import type { WrittenNode } from "./idle.ts";
import type { LoadedTree } from "./load.ts";
import { readNodeFile } from "./tree-files.ts";

const batchSize = 256;
/** A batch of large nodes ends earlier to bound the bytes waiting to be written. */
const batchBytes = 2 * 1024 * 1024;

type ReadyStep = ReadyNode & { readonly step: Step };

interface Attempt {
  readonly warnings: Warning[];
  readonly node?: ReadyNode;
  readonly error?: MemoryError;
}

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
  readonly #threads: ComposeThreads;
  /** What the days composed in this run were made from. */
  readonly listings = new Map<string, DayListing>();
  #secrets: ReturnType<typeof readSecrets> | undefined;

  constructor(memory: TreeMemory, loaded: LoadedTree, call: Call) {
    this.#memory = memory;
    this.state = loaded.state;
    this.stamps = new Map(loaded.listing);
    this.shelf = new NodeShelf(memory.files);
    this.#threads = new ComposeThreads(memory.files);
    this.#call = call;
    this.#blocked = new Set(loaded.skipped.map(({ path }) => path));
    this.#unread = unreadPeriods(loaded.skipped);
  }

  /** Secrets of the whole memory at the start of the run. */
  secrets(): ReturnType<typeof readSecrets> {
    return (this.#secrets ??= readSecrets(this.#memory.files, this.state, async (logs) =>
      this.#threads.readSecrets(logs),
    ));
  }

  /** Ends the other threads. Call it after the last cycle. */
  async end(): Promise<void> {
    await this.#threads.end();
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
        const attempts = await this.#composeBatch(steps.slice(done, done + batchSize));
        done += attempts.length;
        const ready = attempts.flatMap((attempt, index) =>
          this.#settle(steps[index + done - attempts.length] as Step, attempt),
        );
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

  /** The first steps: as many as a batch may have bytes. */
  async #composeBatch(steps: readonly Step[]): Promise<readonly Attempt[]> {
    const attempts: Attempt[] = [];
    let bytes = 0;
    const isShared = steps.every((step) => isPlain(step, this.state));
    if (isShared) this.#threads.start(this.#memory.workers, steps, this.state);
    const threads = isShared ? this.#threads : new ComposeThreads(this.#memory.files);
    await threads.share(steps, async (step, index, worker) => {
      this.#call.signal?.throwIfAborted();
      const attempt = await this.#attempt(step, worker);
      attempts[index] = attempt;
      bytes += attempt.node?.bytes.length ?? 0;
      return bytes < batchBytes ? "more" : "enough";
    });
    return attempts;
  }

  async #attempt(step: Step, worker: Worker | undefined): Promise<Attempt> {
    const warnings: Warning[] = [];
    try {
      const node = step.act === "mark" ? await this.#mark(step, warnings) : await this.#compose(step, warnings, worker);
      return { warnings, node };
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code === "disk_full") throw error;
      return { warnings, error };
    }
  }

  #settle(step: Step, { warnings, node, error }: Attempt): readonly ReadyStep[] {
    pushAll(this.warnings, warnings);
    if (error !== undefined) {
      this.#blocked.add(nodePath(step.name));
      const path = typeof error.details["path"] === "string" ? error.details["path"] : nodePath(step.name);
      this.skipped.push({ path, code: error.code, message: error.message });
    }
    if (node === undefined) return [];
    const { answers } = this.state;
    // The record of the expected answer is damaged; without this the node would stay due.
    if (answers !== undefined && step.act === "compose" && node.facts.madeBy === builtInRule) {
      this.state = { ...this.state, answers: withoutUnusable(answers, node.facts, undefined) };
      this.#touch(step.name);
    }
    return [{ ...node, step }];
  }

  /** Archives the existing file if it is foreign or was edited. */
  async #compose(step: ComposeStep, warnings: Warning[], worker: Worker | undefined): Promise<ReadyNode> {
    const { files } = this.#memory;
    const path = nodePath(step.name);
    const known = this.state.nodes.get(path);
    const file = known === undefined ? undefined : await readNodeFile(files, step.name);
    if (file !== undefined && (known === undefined || !isOurs(known))) await archiveBytes(files, path, file.bytes);
    if (known?.problem !== undefined) {
      const { line, message: why } = known.problem;
      const message = `invalid front matter in ${path} at line ${line} (${why}): the node was rebuilt and its old bytes are in memory/archive/`;
      warnings.push({ code: "front_matter", path, line, message });
    }
    const secrets = await this.secrets();
    const foreign = file?.node?.foreign ?? [];
    const printed =
      (await this.#threads.compose(worker, { step, foreign, secrets })) ??
      (await composeStep(step, { files, shelf: this.shelf, secrets, foreign, answerTo: (of) => this.#answerTo(of) }));
    const ready = readyStep(step, printed, this.state);
    const adopted = step.reason === "adopt" ? adoptedNode(ready, step, file?.text ?? "", secrets.values) : undefined;
    if (adopted !== undefined) {
      await recordArtifact(files, adopted.facts.content, adopted.bytes);
      return adopted;
    }
    pushAll(warnings, ready.warnings);
    return ready;
  }

  /** Reads nothing if no answer is recorded. */
  async #answerTo(of: Pick<NodeFacts, "name" | "sources">): Promise<NodeAnswer | undefined> {
    const { answers } = this.state;
    if (acceptedFor(answers, of).length === 0) return undefined;
    return (await import("./answer-store.ts")).findAnswer(this.#memory, answers, of);
  }

  /** Rewrites a node with a new status and the same body, except for secrets that became known since. A body that others edited is recorded as foreign. */
  async #mark(step: Extract<Step, { readonly act: "mark" }>, warnings: Warning[]): Promise<ReadyNode> {
    const known = await this.shelf.get(step.name);
    const node = { ...cleared(known, (await this.secrets()).values), status: step.status };
    if (step.reason === "status") return readyNode(node);
    const path = nodePath(step.name);
    const ready = readyNode({ ...node, madeBy: foreignRule, spans: [] });
    await recordArtifact(this.#memory.files, ready.facts.content, ready.bytes);
    const message = `the body of ${path} was not written by heartwood: it is recorded and kept until its sources change`;
    warnings.push({ code: "foreign_summary", path, message });
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
    for (const { node, bytes, facts, sections } of done) {
      this.shelf.put(node, bytes.length);
      const listing = sections && listDay(this.state, facts, sections);
      if (listing !== undefined) this.listings.set(nodePath(node.name), listing);
    }
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
