import type { Actor } from "../model/job-frames.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { countParts, itemOf, printAnthropic, printOpenai } from "../model/context-renderings.ts";
import type { Bundle, BundleItem } from "../model/context-renderings.ts";
import { printContext, type Context, type Part } from "../model/context.ts";
import { messageOf } from "../model/frame.ts";
import {
  COVERING_COMPILER,
  REFERENCE_COMPILER,
  MOST_MESSAGES,
  MOST_SUMMARIES,
  compileReference,
} from "./reference-strategies.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { findAnchor, readChain, type Anchor, type Segment } from "./context-chain.ts";
import { CoveringStrategy, type Compiled } from "./covering-strategy.ts";
import type * as I from "../run/inputs.ts";
import { buildLadder } from "../compact/ladder-job.ts";
import type * as R from "../run/results.ts";
import { checkLine, checkProvenance, threadHead, frameAt, draftOf } from "../run/threads.ts";

const DEFAULT_BUDGET = 8_000;

/**
 * Compiles the context of a thread at a message or at its head. Reads the existing summaries; with `build`, makes missing rungs first; with
 * `record`, stores the bundle and appends its frames. Errors: `thread_not_found`, `message_not_found`, `not_a_message`, `usage`.
 */
export async function compileContext(
  memory: ThreadMemory,
  input: I.CompileInput,
  call: Call = {},
): Promise<R.CompileResult> {
  const { thread_id, at, actor_id, origin } = input;
  const by = givenProvenance(input);
  let head = await threadHead(memory, thread_id);
  if (input.build === true && by !== undefined) {
    await buildLadder(memory, { thread_id, by, call });
    head = await threadHead(memory, thread_id);
  }
  const compiled = await compileBundle(memory, {
    anchor: await findAnchor(memory, head, at),
    strategy: input.strategy ?? "covering_summaries_v1",
    budget: input.budget ?? DEFAULT_BUDGET,
    run_session_id: input.run_session_id ?? "run_1",
    actor_id,
    origin,
  });
  if (input.record === true && by !== undefined) await recordContext(memory, compiled, by);
  const { messages, raw, summarized, uncovered } = compiled.context.counts;
  return {
    ...compiled.bundle,
    bundle_artifact_id: compiled.artifact_id,
    tokens: compiled.tokens,
    budget: compiled.budget,
    message_count: messages,
    raw_messages: raw,
    summarized_messages: summarized,
    uncovered_messages: uncovered,
    compaction_checkpoints: namedCheckpoints(compiled),
    rendered:
      input.render === "parts"
        ? countParts(compiled.context, memory.tokens)
        : renderingOf(compiled.context, input.render ?? "text"),
    warnings: compiled.warnings,
  };
}

export interface BundleRequest {
  readonly anchor: Anchor;
  readonly strategy: I.Strategy;
  readonly budget: number;
  readonly run_session_id: string;
  /** Default: the actor of the last message up to the anchor. */
  readonly actor_id?: string | undefined;
  readonly origin?: string | undefined;
}

interface CompiledBundle extends Compiled {
  readonly bundle: Bundle;
  readonly bytes: Uint8Array;
  readonly artifact_id: string;
  readonly budget: number;
}

/** The bundle of a thread at an anchor. It depends only on the frames up to the anchor, the artifacts they name, and the request. */
export async function compileBundle(memory: ThreadMemory, request: BundleRequest): Promise<CompiledBundle> {
  const { anchor, strategy, budget } = request;
  const chain = await readChain(memory, anchor);
  const segment = chain.segments.at(-1) as Segment;
  const { thread_id } = segment;
  const last = segment.last && messageOf(await frameAt(memory, thread_id, segment.last.seq));
  const { title } = anchor.head;
  const facts = {
    thread_id,
    title: title === null ? null : redact(title).text,
    until_seq: last?.seq ?? null,
    until_ms: last?.timestamp_ms ?? null,
  };
  const isCovering = strategy === "covering_summaries_v1";
  const compiled = isCovering
    ? await new CoveringStrategy(memory, { chain, facts, budget }).compile()
    : await compileReference(memory, { segment, strategy, facts });
  const { parts } = compiled.context;
  const bundle: Bundle = {
    schema: "rip.context_bundle.v1",
    compiler: { id: isCovering ? COVERING_COMPILER : REFERENCE_COMPILER, strategy },
    source: { thread_id, from_seq: anchor.seq, from_message_id: last?.id ?? null },
    provenance: {
      run_session_id: request.run_session_id,
      actor_id: request.actor_id ?? last?.actor_id ?? "user",
      origin: request.origin ?? last?.origin ?? "heartwood",
    },
    items: isCovering ? parts.map((part) => itemOf(part, thread_id)) : parts.flatMap(referenceItem),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(bundle));
  return { ...compiled, bundle, bytes, artifact_id: sha256(bytes), budget };
}

/** The given actor and origin, which are required if frames are appended. */
function givenProvenance(input: I.CompileInput): Actor | undefined {
  const { actor_id, origin, run_session_id, build, record, at } = input;
  checkLine("run_session_id", run_session_id);
  checkProvenance(input);
  if (build === true && at !== undefined)
    throw new MemoryError(
      "usage",
      "build and at are both given, but summaries built now come after that message and are not used there; omit one of them.",
    );
  if (actor_id !== undefined && origin !== undefined) return { actor_id, origin };
  if (build !== true && record !== true) return undefined;
  throw new MemoryError(
    "usage",
    `${build === true ? "build" : "record"} appends frames, so it needs actor_id and origin (--actor and --origin).`,
  );
}

/** The reference format has no item for skipped messages, and contains only a summary's id and note. */
function referenceItem(part: Part): readonly BundleItem[] {
  if (part.kind === "summary") return [{ type: "summary_ref", artifact_id: part.artifact_id, note: part.note }];
  return part.kind === "message" ? [itemOf(part, part.thread_id)] : [];
}

function renderingOf(context: Context, render: Exclude<I.Rendering, "parts">): unknown {
  if (render === "json") return null;
  if (render === "openai") return printOpenai(context);
  return render === "anthropic" ? printAnthropic(context) : printContext(context);
}

/**
 * Stores a bundle and appends, atomically, the two frames that record the selection and its result. Errors: `message_not_found` for a thread without
 * messages, because those frames name a message.
 */
async function recordContext(memory: ThreadMemory, compiled: CompiledBundle, by: Actor): Promise<void> {
  const { bundle, bytes, artifact_id } = compiled;
  const { thread_id, from_seq, from_message_id } = bundle.source;
  if (from_message_id === null)
    throw new MemoryError(
      "message_not_found",
      `Thread ${thread_id} has no messages yet, so there is no context to record; append a message first.`,
    );
  const named = { compiler_id: bundle.compiler.id, compiler_strategy: bundle.compiler.strategy };
  const { run_session_id } = bundle.provenance;
  const checkpoints = namedCheckpoints(compiled);
  const selection = {
    run_session_id,
    message_id: from_message_id,
    ...named,
    limits: limitsOf(memory, compiled),
    ...(checkpoints.length === 1 ? { compaction_checkpoint: checkpoints[0] } : {}),
    ...(checkpoints.length > 1 ? { compaction_checkpoints: checkpoints } : {}),
    ...by,
  };
  const result = { run_session_id, bundle_artifact_id: artifact_id, ...named, from_seq, from_message_id, ...by };
  // The artifact must be on disk before a frame names it.
  await memory.artifacts.put(bytes);
  await memory.threads.append({
    thread_id,
    frames: [
      draftOf(memory, "continuity_context_selection_decided", selection),
      draftOf(memory, "continuity_context_compiled", result),
    ],
  });
}

/** The limits of the selection, recorded to make it reproducible. */
function limitsOf(memory: ThreadMemory, { bundle, budget }: CompiledBundle): Readonly<Record<string, unknown>> {
  if (bundle.compiler.id === COVERING_COMPILER) return { budget_tokens: budget, tokens: memory.tokens.id };
  const strategy = bundle.compiler.strategy as keyof typeof MOST_SUMMARIES;
  return { recent_messages: MOST_MESSAGES, summary_refs: MOST_SUMMARIES[strategy] };
}

function namedCheckpoints({ checkpoints }: Compiled): R.CompileResult["compaction_checkpoints"] {
  return checkpoints.map(({ checkpoint_id, kind, artifact_id, to_seq }) => ({
    checkpoint_id,
    summary_kind: kind,
    summary_artifact_id: artifact_id,
    to_seq,
  }));
}
