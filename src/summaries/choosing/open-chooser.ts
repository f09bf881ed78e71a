import { MemoryError, stopIfAborted, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { findChunks } from "../../recall/index/prepare.ts";
import type { SearchIndex, WeightedTerm } from "../../recall/index/search-index.ts";
import type { Choice, Chooser, Pointed } from "../../recall/memory.ts";
import { followRows } from "../../recall/run/follow-nodes.ts";
import type { RecallQuery } from "../../recall/run/query.ts";
import { wordKeys, wordKeysInOrder } from "../../text/word-keys.ts";
import { daysCovered, parseNodeLabel } from "../../tree/model/period.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { NamedSummarizer, SummaryMemory } from "../memory.ts";
import { isChoosingOff, narrowed } from "../run/budget.ts";
import { answerTokens, createChoiceAsking, type ChoiceRequest, type MadeChoice } from "./ask-choice.ts";
import { choiceDigest, printChoicePrompt, readChoiceRecord } from "./choice.ts";
import { fitManifest, type ManifestTopic, readManifest } from "./manifest.ts";

/** Limits of the topic list: o200k tokens and number of topics. */
const manifestSpace = { tokens: 3000, topics: 300 };
/** Tokens that a model may add around the two texts. */
const spare = 128;

/** The chooser from the user's settings, for one recall; `undefined` if the project switches it off. Does not open the model. Errors: `invalid_config`. */
export async function openChooser(memory: SummaryMemory, model: NamedSummarizer): Promise<Chooser | undefined> {
  const { configuration } = await readConfiguration(memory);
  const { recall } = memory.user;
  if (recall === undefined || isChoosingOff(configuration)) return undefined;
  const asking = createChoiceAsking(memory, model, narrowed(recall, configuration));
  const ms = recall.timeoutSeconds * 1000;
  return {
    choose: async (message, call) => {
      try {
        const request = await requestFor(memory, model, message);
        if (request === undefined) return nothing([]);
        const before = await readChoiceRecord(memory, request.digest);
        if (before !== undefined)
          return choiceOf(request, `chosen before by ${model.id}:`, { record: before, warnings: [] });
        return choiceOf(request, `asked ${model.id}: chose`, await asking.ask(request, { call, ms }));
      } catch (error) {
        stopIfAborted(call.signal, {});
        if (!(error instanceof MemoryError)) throw error;
        return nothing([failed(error)]);
      }
    },
    close: () => asking.close(),
  };
}

/** `undefined` if there are no topics to choose from. */
async function requestFor(
  memory: SummaryMemory,
  model: NamedSummarizer,
  message: string,
): Promise<ChoiceRequest | undefined> {
  const count = (text: string): number => memory.tokens.count(text);
  const empty = printChoicePrompt(message, []);
  const room = model.contextTokens - count(`${empty.instructions}\n${empty.prompt}`) - answerTokens - spare;
  const tokens = Math.min(manifestSpace.tokens, room);
  const topics = fitManifest(await readManifest(memory), { topics: manifestSpace.topics, tokens, count });
  if (topics.length === 0) return undefined;
  const prompt = printChoicePrompt(message, topics);
  return { topics, prompt, digest: choiceDigest(prompt, model.id) };
}

function choiceOf({ topics }: ChoiceRequest, says: string, { record, warnings }: MadeChoice): Choice {
  if (record.state === "refused") {
    const message = `the answer from ${record.model} was refused (${record.code ?? "not_numbers"})`;
    return nothing([...warnings, failed(new MemoryError("model_answer", message))]);
  }
  const chosen = topics.filter(({ number }) => record.numbers.includes(number));
  const names = chosen.map(({ node, name }) => `${node.label} ${name}`).join(", ") || "nothing";
  const { words } = record;
  const notes = [`${says} ${names}`, ...words.map((word) => `+${word}`)];
  return { notes, warnings, words, follow: (index, query) => followTopics(index, query, chosen) };
}

function nothing(warnings: readonly Warning[]): Choice {
  return { notes: [], warnings, words: [], follow: async () => [] };
}

function failed(error: MemoryError): Warning {
  const code = error.details["spent"] === "budget" ? "budget_spent" : "chooser_failed";
  return { code, message: `nodes are chosen without the model: ${error.message}` };
}

/** Maximum places returned for a topic. */
const mostPlaces = 3;
/** The topic's share of the weights for matching lines; the rest goes to the message. */
const shareOfTopic = 0.75;
/** Maximum raw lines taken from the days if the node names none. */
const mostRaw = 2;
const mostWords = 12;
/** More lines than any node has. */
const lastLine = 1_000_000_000;

/** Finds raw lines for the chosen topics: the ones that their nodes' lines link to, else lines of those days that contain the topics' words. */
async function followTopics(
  index: SearchIndex,
  query: RecallQuery,
  topics: readonly ManifestTopic[],
): Promise<readonly Pointed[]> {
  const pointed: Pointed[] = [];
  for (const { node, name } of topics) {
    const named = parseNodeLabel(node.level, node.label);
    const days = named === undefined ? undefined : daysCovered(node.level, named.period);
    const found = await index.rowsAt("chunk", [{ source: node.path, lines: [1, lastLine] }]);
    const rows = found.map((row) => ({ ...row, text: topicsApart(row.text, days?.first ?? "") }));
    const weights = withTopic(query.weights(), name);
    const led = followRows("chosen", rows, () => weights)
      .filter(({ strength }) => strength >= shareOfTopic / 4)
      .toSorted((a, b) => b.strength - a.strength)
      .slice(0, mostPlaces);
    pushAll(pointed, led.length > 0 || days === undefined ? led : await throughDays(index, name, days));
  }
  return pointed;
}

/**
 * Puts each part with refs on its own line, so that in a line with several topics only the chosen one matches: `a: b (03-15:1); d: e (03-16:2-4)`
 * becomes two lines. The last part may have been cut off.
 */
function topicsApart(text: string, near: string): string {
  const lines = text.split("\n").map((line) => {
    const parts = line.split(/(?<=\)); /u);
    return parts.slice(0, -1).every((part) => parseRefSuffix(part, near).refs.length > 0) ? parts.join("\n") : line;
  });
  return lines.join("\n");
}

/** Combines the words of a topic with those of the message, so that among lines about the topic, the ones most relevant to the message come first. */
function withTopic(weights: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  const keys = [...wordKeys(name)];
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const total = Math.max(sum, Number.MIN_VALUE);
  const rest = [...weights].map(([key, weight]): [string, number] => [key, (weight / total) * (1 - shareOfTopic)]);
  return new Map([...rest, ...keys.map((key): [string, number] => [key, shareOfTopic / keys.length])]);
}

async function throughDays(
  index: SearchIndex,
  name: string,
  days: { readonly first: string; readonly last: string },
): Promise<readonly Pointed[]> {
  const words = [...new Set(wordKeysInOrder(name))].slice(0, mostWords);
  if (words.length === 0) return [];
  const any = words.map((text): WeightedTerm => ({ kind: "word", text, weight: 1 }));
  const found = await findChunks(index, { kinds: ["raw"], since: days.first, until: days.last, any, limit: mostRaw });
  return found.map(({ row: { source, lines } }) => ({ step: "chosen", source, lines, strength: shareOfTopic }));
}
