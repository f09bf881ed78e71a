import { setImmediate } from "node:timers/promises";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import type { Files } from "../../platform/files.ts";
import { createNodeFiles } from "../../platform/node-files/node-files.ts";
import { answerJobs, type Worker, type Workers } from "../../platform/program.ts";
import { joinSecrets, readSecretsOfLog, type KnownSecrets, type LogSecrets } from "../logs/raw-logs.ts";
import { nodePath } from "../model/period.ts";
import type { RawLog, TreeState } from "../model/tree-state.ts";
import { isOurs } from "../plan/late-parts.ts";
import type { Step } from "../plan/plan.ts";
import { composeStep, NodeShelf, type ComposeStep, type PrintedNode } from "./compose-node.ts";

/** What a run asks another thread. */
type Job =
  | { readonly kind: "secrets"; readonly path: string }
  /** Before the first node. */
  | { readonly kind: "know"; readonly kinds: SecretValues["kinds"]; readonly without: KnownSecrets["without"] }
  | { readonly kind: "compose"; readonly step: ComposeStep; readonly foreign: readonly string[] };

/** This thread and, for much work, others: they read logs and compose nodes, and this one writes. The bytes do not depend on their number. */
export class ComposeThreads {
  readonly #files: Files;
  #workers: readonly Worker[] = [];
  /** Whether a worker has the secrets of the memory. */
  readonly #told = new Map<Worker, Promise<boolean>>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Starts the others, unless these steps are too little work. */
  start(workers: Workers | undefined, steps: readonly Step[], state: TreeState): void {
    if (workers?.files !== this.#files || this.#workers.length > 0) return;
    if (bytesToRead(steps, state) < workers.leastBytes) return;
    this.#workers = Array.from({ length: workers.most }, () => workers.start());
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.end()));
    this.#workers = [];
  }

  /** As `readSecretsOfLogs`. */
  async readSecrets(logs: readonly RawLog[]): Promise<KnownSecrets> {
    const unknown = logs.filter(({ secrets }) => secrets !== "none");
    const found: LogSecrets[] = [];
    await this.share(unknown, async ({ path }, index, worker) => {
      const answer = await asked<LogSecrets>(worker, { kind: "secrets", path });
      found[index] = answer ?? (await readSecretsOfLog(this.#files, path));
      return "more";
    });
    return joinSecrets(unknown.map(({ path }, index) => [path, found[index] as LogSecrets] as const));
  }

  /** The node of this step, composed by the worker; `undefined` if it must be composed here. `secrets`: the same in each call. */
  async compose(
    worker: Worker | undefined,
    {
      secrets,
      ...job
    }: { readonly step: ComposeStep; readonly foreign: readonly string[]; readonly secrets: KnownSecrets },
  ): Promise<PrintedNode | undefined> {
    if (worker === undefined) return undefined;
    const told = this.#told.get(worker) ?? tell(worker, secrets);
    this.#told.set(worker, told);
    return (await told) ? asked(worker, { kind: "compose", ...job }) : undefined;
  }

  /**
   * Does the work for the items in order, several at a time. `work`: returns whether to go on; `worker`: the other thread to ask, if
   * any. Stops after an error.
   */
  async share<T>(
    items: readonly T[],
    work: (item: T, index: number, worker: Worker | undefined) => Promise<"more" | "enough">,
  ): Promise<void> {
    let next = 0;
    let failed: { readonly error: unknown } | undefined;
    const run = async (worker: Worker | undefined, least: number): Promise<void> => {
      while (next + least < items.length && failed === undefined) {
        const index = next++;
        const outcome = await work(items[index] as T, index, worker).catch(
          (error: unknown) => void (failed ??= { error }),
        );
        if (outcome !== "more") next = items.length;
        // Let signals, pending writes and answers proceed.
        if (worker === undefined) await setImmediate();
      }
    };
    // Each other thread twice, so that it has its next job when it answers; near the end, this would make the others wait.
    const spare = 2 * this.#workers.length + 1;
    await Promise.all([
      run(undefined, 0),
      ...this.#workers.map((worker) => run(worker, 0)),
      ...this.#workers.map((worker) => run(worker, spare)),
    ]);
    if (failed !== undefined) throw failed.error;
  }
}

/** How much of the logs is read for these steps, and to find secrets. */
function bytesToRead(steps: readonly Step[], { days }: TreeState): number {
  const own = new Set(steps.map(({ name }) => name.period));
  const logs = [...days.values()].flatMap((day) =>
    day.logs.filter(({ secrets }) => secrets !== "none" || (own.has(day.day) && steps.length > 1)),
  );
  return logs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Whether the step needs nothing but logs, nodes and secrets. */
export function isPlain({ act, name }: Step, { answers, nodes }: TreeState): boolean {
  const path = nodePath(name);
  const known = nodes.get(path);
  const isAsked = answers !== undefined && (answers.summarizer !== "none" || answers.known.has(path));
  return act === "compose" && !isAsked && (known === undefined || isOurs(known));
}

/** Gives a worker the secrets of the whole memory, without which it must not compose. */
async function tell(worker: Worker, { values: { kinds }, without }: KnownSecrets): Promise<boolean> {
  return (await worker.ask({ kind: "know", kinds, without } satisfies Job)) !== undefined;
}

async function asked<Answer>(worker: Worker | undefined, job: Job): Promise<Answer | undefined> {
  return (await worker?.ask(job))?.answer as Answer | undefined;
}

/** The other thread. */
export function main(): void {
  answerJobs((dir) => {
    const files = createNodeFiles({ root: dir as string });
    const shelf = new NodeShelf(files);
    const values = new SecretValues();
    let without: KnownSecrets["without"] = new Map();
    const answerTo = async (): Promise<undefined> => undefined;
    return async (given): Promise<LogSecrets | PrintedNode | undefined> => {
      const job = given as Job;
      if (job.kind === "secrets") return readSecretsOfLog(files, job.path);
      if (job.kind === "compose")
        return composeStep(job.step, { files, shelf, secrets: { values, without }, foreign: job.foreign, answerTo });
      values.addAll(job);
      without = job.without;
      return undefined;
    };
  });
}
