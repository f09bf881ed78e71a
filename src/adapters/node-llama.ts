import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { stopIfAborted } from "../base/aborted.ts";
import { MemoryError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { grammarOf } from "./node-llama/grammar.ts";
import { numberGrammarOf } from "./node-llama/number-grammar.ts";
import { lineGrammarOf } from "./node-llama/line-grammar.ts";
import type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "../ports/summarizer.ts";

/** What is used of the package `node-llama-cpp` 3, by structure: it is an optional peer, and not there when this is compiled. */
export interface NodeLlamaPackage {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaChatSession: new (options: object) => ChatSession;
  /** Adds nothing to a text. */
  readonly EmptyChatWrapper: new () => object;
  readonly TokenBias: new (tokenizer: unknown) => { set(tokens: readonly unknown[], bias: object): object };
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<Model>;
  createGrammar(options: { readonly grammar: string }): Promise<object>;
  dispose(): Promise<void>;
}

interface Model {
  /** Tokens that it was trained to see at once. */
  readonly trainContextSize: number;
  /** Bytes of its weights. */
  readonly size: number;
  /** What stands in front of a GGUF file. */
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: unknown } } };
  readonly tokenizer: unknown;
  tokenize(text: string): readonly unknown[];
  createContext(options: { readonly contextSize: number; readonly sequences: number }): Promise<Context>;
  dispose(): Promise<void>;
}

interface Context {
  getSequence(): { readonly tokenMeter: { getState(): { usedInputTokens: number; usedOutputTokens: number } } };
  dispose(): Promise<void>;
}

interface ChatSession {
  promptWithMeta(
    prompt: string,
    options: object,
  ): Promise<{ readonly responseText: string; readonly stopReason: string }>;
}

export interface NodeLlamaOptions {
  readonly id: string;
  /** The absolute path of a GGUF file. */
  readonly modelFile: string;
  readonly contextTokens: number;
  /** For one request, without the loading. */
  readonly timeoutMs: number;
  /** The command that installs the package, for a message. */
  readonly install: string;
  /** Imports the package, which may not be there. */
  readonly load: () => Promise<NodeLlamaPackage>;
}

/**
 * Asks a model in a GGUF file, in this process: nothing leaves the machine. The model is loaded with the first request and kept until `close`; each
 * request has a context and a conversation of its own. Only binaries that a package brought are used: nothing is built or downloaded.
 */
export function createNodeLlama(options: NodeLlamaOptions): Summarizer {
  let loading: Promise<Loaded> | undefined;
  const loaded = (): Promise<Loaded> => {
    loading ??= loadModel(options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async (prompt, { signal }) => {
      stopIfAborted(signal, { requests: 0 });
      const model = await loaded();
      stopIfAborted(signal, { requests: 0 });
      const needs = tokensOf(model.model, prompt);
      if (needs > model.model.trainContextSize) throw tooLong(options, { needs, has: model.model.trainContextSize });
      await prompt.beforeTry?.();
      return ask(model, { options, prompt, contextSize: needs, signal });
    },
    close: async () => {
      const opened = await loading?.catch(() => undefined);
      loading = undefined;
      await opened?.model.dispose();
      await opened?.llama.dispose();
    },
  };
}

interface Loaded {
  readonly pack: NodeLlamaPackage;
  readonly llama: Llama;
  readonly model: Model;
}

async function loadModel({ modelFile, install, load }: NodeLlamaOptions): Promise<Loaded> {
  if (!isFile(modelFile))
    throw unavailable(`There is no file ${modelFile}; let modelFile in your settings name a GGUF file.`, 0);
  const pack = await load().catch((error: unknown) => {
    throw unavailable(`The package node-llama-cpp cannot be loaded (${reasonOf(error)}); install it: ${install}`, 0);
  });
  // Threads wait for each other by spinning: with more of them than free cores an answer takes a hundred times as long.
  const maxThreads = Math.max(1, availableParallelism() - 1);
  const quiet = { logLevel: "error", logger: () => {}, progressLogs: false };
  try {
    const llama = await pack.getLlama({ gpu: "auto", build: "never", skipDownload: true, maxThreads, ...quiet });
    const model = await llama.loadModel({ modelPath: modelFile });
    return { pack, llama, model };
  } catch (error) {
    throw unavailable(
      `The model ${modelFile} cannot be loaded (${reasonOf(error)}); look whether it is a GGUF file.`,
      0,
    );
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The marks that the chat form of a model puts around two messages take some tokens too. */
function tokensOf(model: Model, { instructions, prompt, answerTokens }: SummarizerPrompt): number {
  return model.tokenize(instructions).length + model.tokenize(prompt).length + answerTokens + 256;
}

/** A model that was not trained for conversations, whose file tells no form of them, goes on with one text. */
function chatOf(
  { pack, model }: Pick<Loaded, "pack" | "model">,
  { instructions, prompt }: SummarizerPrompt,
): { readonly text: string; readonly form: object } {
  if (!knowsChat(model))
    return {
      text: `${instructions}\n\n${prompt}\n`,
      form: { chatWrapper: new pack.EmptyChatWrapper(), systemPrompt: "" },
    };
  // Else models whose form has no message of the system, Gemma among them, get no instructions at all.
  return { text: prompt, form: { systemPrompt: instructions, forceAddSystemPrompt: true } };
}

/** The same answer each time. */
const sampling = { temperature: 0, seed: 1 };
/** Without it small models fall into saying one line for ever; names and short phrases may stand as often as they like. */
const penalty = { dryRepeatPenalty: { strength: 0.8, allowedLength: 6, lastTokens: 256, sequenceBreakers: [] } };

interface Asking {
  readonly options: NodeLlamaOptions;
  readonly prompt: SummarizerPrompt;
  readonly contextSize: number;
  readonly signal: AbortSignal | undefined;
}

function knowsChat({ fileInfo }: Model): boolean {
  return fileInfo.metadata.tokenizer?.chat_template !== undefined;
}

/** Bytes of weights. What smaller models write themselves is worth nothing (bench/models.md). */
const leastToWrite = 512 * 1024 * 1024;

/**
 * A model that is too small to write, or was not trained to follow instructions, chooses lines of its sources; where they have none, it gets their words.
 * An answer costs about as many characters a token as what it is about; less a quarter, since names and numbers cost more than words.
 */
function rulesFor(
  { pack, model }: Loaded,
  { form, numbers, prompt, answerTokens }: SummarizerPrompt,
): Rules | undefined {
  if (numbers !== undefined) return { grammar: numberGrammarOf(numbers), sampling };
  if (form === undefined) return undefined;
  const writes = knowsChat(model) && model.size >= leastToWrite;
  const cost = (text: string): number => Math.max(model.tokenize(text).length, Math.ceil(Buffer.byteLength(text) / 4));
  const ofLines = writes ? undefined : lineGrammarOf(form, { tokens: answerTokens, cost });
  if (ofLines !== undefined) {
    // Where it would rather say something else, a model takes a space alone, and behind it letter by letter, for twice the tokens.
    const tokenBias = new pack.TokenBias(model.tokenizer).set(model.tokenize(" "), { logit: -20 });
    return { grammar: ofLines, sampling: { ...sampling, tokenBias } };
  }
  const rate = prompt.length / Math.max(1, model.tokenize(prompt).length);
  const characters = Math.floor(answerTokens * rate * 0.75);
  const grammar = grammarOf(form, { characters, words: knowsChat(model) ? "any" : "of_sources" });
  return { grammar, sampling: { ...sampling, ...penalty } };
}

interface Rules {
  readonly grammar: string;
  readonly sampling: object;
}

async function ask(loaded: Loaded, asking: Asking): Promise<SummarizerAnswer> {
  const { pack, llama, model } = loaded;
  const { options, prompt, signal } = asking;
  const limit = AbortSignal.timeout(options.timeoutMs);
  const both = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  let context: Context | undefined;
  try {
    context = await model.createContext({ contextSize: asking.contextSize, sequences: 1 });
    const contextSequence = context.getSequence();
    const { text, form } = chatOf({ pack, model }, prompt);
    const session = new pack.LlamaChatSession({ contextSequence, ...form });
    const { answerTokens: maxTokens } = prompt;
    const rules = rulesFor(loaded, prompt);
    const held =
      rules === undefined
        ? { ...sampling, ...penalty }
        : { ...rules.sampling, grammar: await llama.createGrammar({ grammar: rules.grammar }) };
    const said = await session.promptWithMeta(text, { maxTokens, ...held, signal: both });
    const { usedInputTokens, usedOutputTokens } = contextSequence.tokenMeter.getState();
    return answerOf(said, { prompt: usedInputTokens, answer: usedOutputTokens }, options);
  } catch (error) {
    stopIfAborted(signal, { requests: 1 });
    if (error instanceof MemoryError) throw error;
    const why = limit.aborted ? `gave no answer within ${options.timeoutMs / 1000} s` : `failed (${reasonOf(error)})`;
    throw unavailable(`The model ${options.modelFile} ${why}; take a smaller one, or more timeoutSeconds.`, 1);
  } finally {
    await context?.dispose();
  }
}

function answerOf(
  { responseText: text, stopReason }: { readonly responseText: string; readonly stopReason: string },
  tokens: { readonly prompt: number; readonly answer: number },
  { modelFile }: NodeLlamaOptions,
): SummarizerAnswer {
  if (text.trim() === "")
    throw new MemoryError("model_answer", `The model ${modelFile} gave an empty answer (${stopReason}).`, {
      requests: 1,
      tokens: tokens.prompt + tokens.answer,
    });
  return { text, end: stopReason === "maxTokens" ? "cut_off" : "complete", tokens, requests: 1 };
}

function tooLong(
  { modelFile }: NodeLlamaOptions,
  { needs, has }: { readonly needs: number; readonly has: number },
): MemoryError {
  const message = `The request needs ${needs} tokens of the model ${modelFile}, which can take ${has}; lower contextTokens in your settings.`;
  return new MemoryError("model_refused", message, { requests: 0 });
}

function unavailable(message: string, requests: number): MemoryError {
  return new MemoryError("model_unavailable", message, { requests });
}

function reasonOf(error: unknown): string {
  return shown(error instanceof Error ? error.message : String(error), 160);
}
