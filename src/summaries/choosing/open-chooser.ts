import { MemoryError, stopIfAborted, type Warning } from "../../base/errors.ts";
import { readConfiguration, type Configuration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory, NamedSummarizer } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { choiceBudgets, defaultRecall, isChoosingOff } from "../run/settings.ts";
import { fitManifest } from "./manifest.ts";
import { choiceDigest, printChoicePrompt } from "./prompt.ts";
import type { ChoiceRecord } from "./record.ts";
import type { Choice, Chooser } from "../../recall/run/chooser.ts";
import { answerTokens, ChoiceAsking, type ChoiceRequest } from "./ask-choice.ts";
import { readChoiceRecord } from "./choice-store.ts";
import { followTopics } from "./follow-topics.ts";
import { readManifest } from "./read-manifest.ts";

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
