import { printRecall } from "../../recall/context/print.ts";
import type { Known } from "../../recall/context/remembered.ts";
import { chooseEmbedder } from "../../recall/index/embedding.ts";
import { prepareIndex } from "../../recall/index/prepare.ts";
import { noVectors, type Embedder, type SearchIndex } from "../../recall/index/search-index.ts";
import type { NamedEmbedder, PreparedIndex, RecallMemory } from "../../recall/memory.ts";
import { recallLayers } from "../../recall/run/recall.ts";
import type { RecallResult } from "../../recall/search/inputs-and-results.ts";
import { withoutInjected } from "../capture/injected.ts";
import type { AgentMemory } from "../memory.ts";

/** Limits of the printed text. Every client accepts this many characters. */
const most = { prompt: 600, brief: 500, characters: 9500 };
/** Tokens for the passages; their places and marks take the rest. */
const budget = { prompt: 480, brief: 400 };

/**
 * Memories relevant to a prompt, fenced; empty for a prompt that no user wrote. Calls no model that writes, uses no network, and compares by meaning only with an embedder in this
 * process, while there is time. Uses the index as it is; another process adds what it lacks, since a prompt does not wait. Errors: any from recall; `aborted` if the signal is aborted.
 */
export async function promptText(
  memory: AgentMemory,
  prompt: string,
  { signal, known, limit = "prompt", floor, isLate = () => false }: PromptOptions,
): Promise<PromptText> {
  const asked = askedOf(prompt);
  if (asked === "") return { text: "", lines: [], incomplete: [], generation: "" };
  const call = { signal };
  const incomplete: string[] = [];
  const told = new Set<PromptMeaning>();
  // Its code is read while the index is opened.
  const own = memory.embedder && (await chooseEmbedder(memory)).embedder;
  const opening = own === undefined || own.pace !== undefined ? undefined : own.open().catch(() => undefined);
  const prepare = async (one: RecallMemory): Promise<PreparedIndex> => {
    const { embedder, ...prepared } = await prepareIndex(one, { ms: 0, index: "as_it_is" }, call);
    if (prepared.not_indexed > 0) incomplete.push(one.dir);
    if (embedder === undefined || embedder.pace !== undefined) return prepared;
    await opening;
    return { ...prepared, ...inTime(prepared.index, embedder, { isLate, tell: (how) => told.add(how) }) };
  };
  const recall = {
    memory,
    text: asked,
    budget: budget[limit],
    explain: false,
    way: "quick",
    floor,
    known,
    call,
  } as const;
  const found = fitted(memory, await recallLayers(recall, prepare), most[limit]);
  const meaning = meanings.find((how) => told.has(how));
  return { ...found, incomplete, generation: await memory.searchIndex.generation(), ...(meaning && { meaning }) };
}

/** Characters of a prompt that are embedded: a longer one takes as much longer. */
const mostEmbedded = 320;

/** Half from the beginning and half from the end. */
function shortened(text: string): string {
  const half = mostEmbedded / 2;
  return text.length <= mostEmbedded ? text : `${text.slice(0, half)}\n${text.slice(-half)}`.toWellFormed();
}

/** What kept a prompt from being compared by meaning: there was no time left, the embedder failed, or there are no vectors yet. `used`: nothing did. */
const meanings = ["late", "failed", "no_vectors", "used"] as const;
export type PromptMeaning = (typeof meanings)[number];

/** The index and the embedder as recall uses them, as long as there is time; afterwards as if there were no vectors, so that it matches by words. */
function inTime(
  index: SearchIndex,
  { id, open }: NamedEmbedder,
  { isLate, tell }: { readonly isLate: () => boolean; readonly tell: (how: PromptMeaning) => void },
): Pick<PreparedIndex, "index" | "embedder"> {
  const vectors: SearchIndex["vectors"] = async (embedder, filter) => {
    const found = isLate() ? undefined : await index.vectors(embedder, filter);
    if (found === undefined || found.ids.length === 0) tell(found === undefined ? "late" : "no_vectors");
    return found ?? noVectors;
  };
  const opened = async (): Promise<Embedder> => {
    const embedder = await open();
    const embed: Embedder["embed"] = async (texts, options) => {
      if (isLate()) {
        tell("late");
        return texts.map(() => new Int8Array(embedder.dimensions));
      }
      try {
        const made = await embedder.embed(texts.map(shortened), options);
        tell("used");
        return made;
      } catch (error) {
        tell("failed");
        throw error;
      }
    };
    return { id, dimensions: embedder.dimensions, embed };
  };
  return { index: { ...index, vectors }, embedder: { id, open: opened } };
}

interface PromptOptions {
  readonly signal: AbortSignal;
  readonly known: Known;
  /** `brief`: the task of a subagent. Default: a prompt of the user. */
  readonly limit?: "prompt" | "brief";
  /** See `OneRecall`. */
  readonly floor?: "none";
  /** Whether no time is left to compare by meaning. Default: never. */
  readonly isLate?: (() => boolean) | undefined;
}

export interface PromptText {
  readonly text: string;
  /** The places of its passages. */
  readonly lines: readonly string[];
  /** The folders of memories whose index lacks entries. */
  readonly incomplete: readonly string[];
  /** The state of the index that answered. */
  readonly generation: string;
  /** Absent without an embedder that answers at once. */
  readonly meaning?: PromptMeaning;
}

function fitted(
  memory: AgentMemory,
  { context: all, mark, tokens_printed: counted }: RecallResult,
  tokensAllowed: number,
): Pick<PromptText, "text" | "lines"> {
  for (let context = all; context.length > 0; context = context.slice(0, -1)) {
    const text = printRecall({ context, mark, not_indexed: 0 });
    const tokens = context === all ? counted : memory.tokens.count(text);
    if (text.length <= most.characters && tokens <= tokensAllowed)
      return { text, lines: context.map(({ source }) => source) };
  }
  return { text: "", lines: [] };
}

/** How texts start that a client sends in place of the user's words. */
const internal = /^<(?:task-notification>|command-name>|command-message>|local-command-|bash-input>|bash-stdout>)/u;

/** The user's words in a prompt, without text that hooks added; empty if no user wrote the prompt. */
export function askedOf(prompt: string): string {
  const text = withoutInjected(prompt).trim();
  return internal.test(text) ? "" : text;
}
