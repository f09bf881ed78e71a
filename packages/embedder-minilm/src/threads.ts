import { parentPort, Worker, workerData } from "node:worker_threads";
import { createEmbedder } from "./index.ts";

/** Texts given to a thread at a time. */
const atOnce = 16;
const role = "heartwood-embedder-minilm";

export interface Pool {
  /** `check` throws when the call should end. */
  embed(texts: readonly string[], check: () => void): Promise<readonly Int8Array[]>;
  close(): Promise<void>;
}

type Answer = { readonly vectors: readonly Int8Array[] } | { readonly error: Error };

/** Starts threads that each run this file. They do not keep the process alive between calls. */
export function openPool(threads: number): Pool {
  const workers = Array.from({ length: threads }, startThread);
  // A thread works for one call at a time.
  let last: Promise<unknown> = Promise.resolve();
  const embed: Pool["embed"] = async (texts, check) => {
    const vectors: Int8Array[] = [];
    let next = 0;
    const work = async ({ worker, ended }: Thread): Promise<void> => {
      worker.ref();
      try {
        while (next < texts.length) {
          check();
          const from = next;
          next += atOnce;
          const made = await Promise.race([ask(worker, texts.slice(from, next)), ended]);
          made.forEach((vector, at) => (vectors[from + at] = vector));
        }
      } finally {
        worker.unref();
      }
    };
    const done = await Promise.allSettled(workers.map(work));
    for (const one of done) if (one.status === "rejected") throw one.reason;
    return vectors;
  };
  return {
    embed: (texts, check) => {
      const own = last.then(() => embed(texts, check));
      last = own.catch(() => undefined);
      return own;
    },
    close: async () => {
      await last;
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}

interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread ends or fails, also while nobody waits for it. */
  readonly ended: Promise<never>;
}

function startThread(): Thread {
  const worker = new Worker(new URL(import.meta.url), { workerData: role });
  worker.unref();
  const ended = new Promise<never>((_resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("A thread of heartwood-embedder-minilm ended.")));
  });
  ended.catch(() => undefined);
  return { worker, ended };
}

function ask(worker: Worker, texts: readonly string[]): Promise<readonly Int8Array[]> {
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: Answer) => ("error" in answer ? reject(answer.error) : resolve(answer.vectors)));
    worker.postMessage(texts);
  });
}

if (workerData === role && parentPort !== null) {
  const port = parentPort;
  const embedder = createEmbedder();
  port.on("message", (texts: readonly string[]) => {
    embedder.embed(texts).then(
      (vectors) => port.postMessage({ vectors } satisfies Answer),
      (error: Error) => port.postMessage({ error } satisfies Answer),
    );
  });
}
