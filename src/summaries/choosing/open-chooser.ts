import { stopIfAborted, MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import type { Call } from "../../base/operation.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import type { SearchIndex, WeightedTerm } from "../../recall/index/search-index.ts";
import type { Choice, Chooser, Pointed } from "../../recall/memory.ts";
import { followRows } from "../../recall/run/follow-nodes.ts";
import type { RecallQuery } from "../../recall/run/query.ts";
import { ChoiceAsking, type ChoiceRequest, answerTokens } from "./ask-choice.ts";
import { type ChoiceRecord, choiceDigest, printChoicePrompt, readChoiceRecord } from "./choice.ts";
import { type ManifestNode, type ManifestTopic, fitManifest, readManifest } from "./manifest.ts";
import type { NamedSummarizer, SummaryMemory } from "../memory.ts";
import { choiceBudgets, defaultRecall, isChoosingOff } from "../run/settings.ts";
import { wordKeys, wordKeysInOrder } from "../../text/word-keys.ts";
import { daysCovered, parseNodeLabel } from "../../tree/model/period.ts";
import { type Configuration, readConfiguration } from "../../tree/setup/configuration.ts";

/** o200k tokens of the list of topics, and how many may stand in it. */
const manifestSpace = { tokens: 3000, topics: 300 };
/** What a model puts around two texts. */
const spare = 128;

/** The chooser of the person's settings, for one recall; `undefined` where the project switches it off. Opens no model. Errors: `invalid_config`. */
export async function openChooser(memory: SummaryMemory, model: NamedSummarizer): Promise<Chooser | undefined> {
  const { configuration } = await readConfiguration(memory);
  return isChoosingOff(configuration) ? undefined : new ModelChooser(memory, model, configuration);
}

class ModelChooser implements Chooser {
  readonly #memory: SummaryMemory;
  readonly #model: NamedSummarizer;
  readonly #asking: ChoiceAsking;
  readonly #ms: number;

  constructor(memory: SummaryMemory, model: NamedSummarizer, configuration: Configuration) {
    this.#memory = memory;
    this.#model = model;
    this.#asking = new ChoiceAsking(memory, model, choiceBudgets(memory, configuration));
    this.#ms = (memory.user.recall ?? defaultRecall).timeoutSeconds * 1000;
  }

  async choose(message: string, call: Call): Promise<Choice> {
    try {
      const request = await this.#request(message);
      if (request === undefined) return nothing([]);
      const before = await readChoiceRecord(this.#memory, request.digest);
      if (before !== undefined) return this.#choiceOf(request, { record: before, how: "chosen before by" });
      const { record, warnings, how } = await this.#asking.ask(request, { call, ms: this.#ms });
      return this.#choiceOf(request, { record, how, warnings });
    } catch (error) {
      stopIfAborted(call.signal, {});
      if (!(error instanceof MemoryError)) throw error;
      return nothing([failed(error)]);
    }
  }

  async close(): Promise<void> {
    await this.#asking.close();
  }

  async #request(message: string): Promise<ChoiceRequest | undefined> {
    const count = (text: string): number => this.#memory.tokens.count(text);
    const empty = printChoicePrompt(message, []);
    const room = this.#model.contextTokens - count(`${empty.instructions}\n${empty.prompt}`) - answerTokens - spare;
    const space = { topics: manifestSpace.topics, tokens: Math.min(manifestSpace.tokens, room) };
    const topics = fitManifest(await readManifest(this.#memory), { ...space, count });
    if (topics.length === 0) return undefined;
    const prompt = printChoicePrompt(message, topics);
    return { topics, prompt, digest: choiceDigest(prompt, this.#model.id) };
  }

  #choiceOf(
    { topics }: ChoiceRequest,
    made: { readonly record: ChoiceRecord; readonly how: string; readonly warnings?: readonly Warning[] },
  ): Choice {
    const { record, how, warnings = [] } = made;
    const { id } = this.#model;
    if (record.state === "refused") {
      const says = `the answer of ${id} is refused (${record.code ?? "not_numbers"})`;
      return nothing([...warnings, failed(new MemoryError("model_answer", says))]);
    }
    const chosen = topics.filter(({ number }) => record.numbers.includes(number));
    const names = chosen.map(({ node, name }) => `${node.label} ${name}`).join(", ");
    const said = how === "asked" ? `asked ${id}: chose ${names || "nothing"}` : `${how} ${id}: ${names || "nothing"}`;
    return { notes: [said], warnings, follow: (index, query) => followTopics(index, query, chosen) };
  }
}

function nothing(warnings: readonly Warning[]): Choice {
  return { notes: [], warnings, follow: async () => [] };
}

function failed(error: MemoryError): Warning {
  const code = error.details["spent"] === "budget" ? "budget_spent" : "chooser_failed";
  return { code, message: `nodes are chosen by match alone: ${error.message}` };
}

/** Lines of one part of a node that are followed, and places to which one topic leads. */
const mostOfRow = 2;
const mostPlaces = 3;
/** The part of what a line bears that is the topic; the rest is the message. */
const shareOfTopic = 0.75;
/** Raw lines of the days, where the node names none. */
const mostRaw = 2;
const mostWords = 12;
/** No node has so many lines. */
const lastLine = 1_000_000_000;

/** Where topics lead that somebody chose: to the raw lines that the lines of their nodes name, else to those of the days that hold their words. */
async function followTopics(
  index: SearchIndex,
  query: RecallQuery,
  topics: readonly ManifestTopic[],
): Promise<readonly Pointed[]> {
  const pointed: Pointed[] = [];
  for (const topic of topics) {
    const led = await throughNode(index, query, topic);
    pushAll(pointed, led.length > 0 ? led : await throughDays(index, topic));
  }
  return pointed;
}

async function throughNode(
  index: SearchIndex,
  query: RecallQuery,
  { node, name }: ManifestTopic,
): Promise<readonly Pointed[]> {
  const found = await index.rowsAt("chunk", [{ source: node.path, lines: [1, lastLine] }]);
  const near = daysOf(node)?.first ?? "";
  // Of a line with several topics only the chosen one says where it leads.
  const rows = found.map((row) => ({ ...row, text: topicsApart(row.text, near) }));
  const weights = withTopic(query.weights(), name);
  const led = followRows({ step: "chosen", rows, weights: () => weights, most: mostOfRow });
  const least = shareOfTopic / 4;
  return led
    .filter(({ strength }) => strength >= least)
    .toSorted((a, b) => b.strength - a.strength)
    .slice(0, mostPlaces);
}

/** A line for each part that says where it leads: `a: b (03-15:1); d: e (03-16:2-4)` are two. The last one may have been cut off. */
function topicsApart(text: string, near: string): string {
  const lines = text.split("\n").map((line) => {
    const parts = line.split(/(?<=\)); /u);
    return parts.slice(0, -1).every((part) => parseRefSuffix(part, near).refs.length > 0) ? parts.join("\n") : line;
  });
  return lines.join("\n");
}

/** The words of a topic with those of the message, so that of several lines about it the ones that bear on the message come first. */
function withTopic(weights: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  const keys = [...wordKeys(name)];
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const own = keys.map((key): readonly [string, number] => [key, shareOfTopic / keys.length]);
  const rest = [...weights].map(([key, weight]): readonly [string, number] => {
    return [key, (weight / Math.max(sum, Number.MIN_VALUE)) * (1 - shareOfTopic)];
  });
  return new Map([...rest, ...own]);
}

async function throughDays(index: SearchIndex, { node, name }: ManifestTopic): Promise<readonly Pointed[]> {
  const words = [...new Set(wordKeysInOrder(name))].slice(0, mostWords);
  const any = words.map((text): WeightedTerm => ({ kind: "word", text, weight: 1 }));
  const days = daysOf(node);
  if (any.length === 0 || days === undefined) return [];
  const found = await index.find({ kinds: ["raw"], since: days.first, until: days.last, any, limit: mostRaw });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows.map(({ source, lines }) => ({ step: "chosen", source, lines, strength: shareOfTopic }));
}

function daysOf({ level, label }: ManifestNode): { readonly first: string; readonly last: string } | undefined {
  const name = parseNodeLabel(level, label);
  return name === undefined ? undefined : daysCovered(level, name.period);
}
