import { createHash } from "node:crypto";
import { ifMemoryError, MemoryError } from "../base/errors.ts";
import type { Call } from "../base/operation.ts";
import type { ThreadMemory, ThreadStores } from "../threads/memory.ts";
import type { StoredFrame, ThreadHead } from "../threads/store/thread-store.ts";

export interface StoreCopied {
  readonly to: "postgres" | "embedded";
  /** In the store that was copied from. */
  readonly threads: number;
  /** Copied now; what was already there is not counted. */
  readonly frames: number;
  readonly artifacts: number;
  /** Threads that are not the same on both sides as far as both go. */
  readonly differing: readonly { readonly thread_id: string; readonly message: string }[];
  /** Ids of artifacts whose bytes do not match. */
  readonly damaged: readonly string[];
}

/** Copies between the folder's stores and those of the server. Errors: `invalid_config` if the folder is not on the server; store errors. */
export async function runStoreCopy(
  memory: ThreadMemory,
  { to }: { readonly to: "postgres" | "embedded" },
  call: Call = {},
): Promise<StoreCopied> {
  const embedded = memory.team?.project?.embedded;
  if (embedded === undefined)
    throw new MemoryError(
      "invalid_config",
      "The threads of this folder have no place on a server; add the folder to store.projects in your settings, then run the command again.",
    );
  const server = { threads: memory.threads, artifacts: memory.artifacts };
  const [source, target] = to === "postgres" ? [embedded, server] : [server, embedded];
  return { to, ...(await copyStores(source, target, call)) };
}

/** Copies what the target lacks: first the artifacts that a piece of a thread names, then the piece, so that no frame names what is not there. */
export async function copyStores(
  source: ThreadStores,
  target: ThreadStores,
  call: Call = {},
): Promise<Omit<StoreCopied, "to">> {
  const artifacts = new ArtifactCopy(source, target);
  const { heads } = await source.threads.heads({ limit: Number.MAX_SAFE_INTEGER });
  const differing: { thread_id: string; message: string }[] = [];
  let frames = 0;
  let done = 0;
  for (const head of heads) {
    call.progress?.({ phase: "copy", done, total: heads.length });
    const copied = await copyThread({ source, target, artifacts, call }, head);
    frames += copied.frames;
    if (copied.message !== undefined) differing.push({ thread_id: head.thread_id, message: copied.message });
    done += 1;
  }
  return {
    threads: heads.length,
    frames,
    artifacts: artifacts.copied,
    differing,
    damaged: [...artifacts.damaged].toSorted(),
  };
}

interface Copying {
  readonly source: ThreadStores;
  readonly target: ThreadStores;
  readonly artifacts: ArtifactCopy;
  readonly call: Call;
}

async function copyThread(
  { source, target, artifacts, call }: Copying,
  { thread_id, head_seq }: ThreadHead,
): Promise<{ readonly frames: number; readonly message?: string }> {
  const before = (await target.threads.head(thread_id))?.head_seq ?? -1;
  const common = Math.min(before, head_seq);
  const wanted = createHash("sha256");
  const found = createHash("sha256");
  for await (const { line } of linesOf(target, thread_id, [0, common])) found.update(`${line}\n`);
  for await (const { line } of linesOf(source, thread_id, [0, common])) {
    wanted.update(`${line}\n`);
    // An artifact may be missing or damaged although its frame is there.
    await artifacts.copyNamed(line);
  }
  if (wanted.copy().digest("hex") !== found.copy().digest("hex"))
    return { frames: 0, message: `differs within its first ${common + 1} frames` };
  let piece: string[] = [];
  let frames = 0;
  const send = async (): Promise<string | undefined> => {
    call.signal?.throwIfAborted();
    for (const line of piece) await artifacts.copyNamed(line);
    const [report] = await target.threads.import(piece.map((text, at) => ({ number: at + 1, text })));
    piece = [];
    frames += report?.imported ?? 0;
    return report?.error?.message;
  };
  for await (const { line } of linesOf(source, thread_id, [before + 1, head_seq])) {
    wanted.update(`${line}\n`);
    piece.push(line);
    const message = piece.length < PIECE ? undefined : await send();
    if (message !== undefined) return { frames, message };
  }
  const message = piece.length === 0 ? undefined : await send();
  if (message !== undefined) return { frames, message };
  for await (const { line } of linesOf(target, thread_id, [before + 1, head_seq])) found.update(`${line}\n`);
  return wanted.digest("hex") === found.digest("hex")
    ? { frames }
    : { frames, message: "the digest of what was copied is another" };
}

/** Frames of one transaction. */
const PIECE = 5_000;
const READ = { limit: 1_000, most_bytes: 8 * 1024 * 1024 };

/** The frames of a thread with these seqs, inclusive. */
async function* linesOf(
  { threads }: ThreadStores,
  thread_id: string,
  [from, to_seq]: readonly [from: number, to: number],
): AsyncGenerator<StoredFrame, void, void> {
  let from_seq = from;
  while (from_seq <= to_seq) {
    const frames = await threads.frames({ thread_id, from_seq, to_seq, ...READ });
    if (frames.length === 0) return;
    yield* frames;
    from_seq = (frames.at(-1)?.seq ?? to_seq) + 1;
  }
}

/** Copies artifacts that frames and other artifacts name, each once. */
class ArtifactCopy {
  copied = 0;
  readonly damaged = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #source: ThreadStores["artifacts"];
  readonly #target: ThreadStores["artifacts"];

  constructor(source: ThreadStores, target: ThreadStores) {
    this.#source = source.artifacts;
    this.#target = target.artifacts;
  }

  /** Digests of other things look the same; there are no artifacts with these ids. */
  async copyNamed(text: string): Promise<void> {
    const waiting = idsIn(text);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      const bytes = await this.#source.get(id).catch(
        ifMemoryError((error) => {
          if (error.code !== "artifact_damaged") throw error;
          this.damaged.add(id);
          return undefined;
        }),
      );
      if (bytes === undefined) continue;
      // `get` compares the bytes with the id. Damaged ones are moved aside by it.
      const there = await this.#target.get(id).catch(ifMemoryError(() => undefined));
      if (there === undefined) {
        await this.#target.put(bytes);
        if ((await this.#target.get(id)) === undefined) this.damaged.add(id);
        else this.copied += 1;
      }
      for (const named of idsIn(Buffer.from(bytes).toString("utf8"))) waiting.push(named);
    }
  }
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/(?<=")[0-9a-f]{64}(?=")/gu)].map(([id]) => id);
}
