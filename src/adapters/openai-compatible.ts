import { stopIfAborted } from "../base/aborted.ts";
import type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "../ports/summarizer.ts";
import { readReply } from "./openai-compatible/answer.ts";
import { bodyOf, type RequestForm, usualForm } from "./openai-compatible/body.ts";
import { detailsOf, openFailures, type Failures, type Spent } from "./openai-compatible/failures.ts";
import { machineOutside, type Outside } from "./openai-compatible/outside.ts";
import { send, type TryOutcome } from "./openai-compatible/send.ts";
import { delayMs, longestDelayMs, retryAfterMs } from "./openai-compatible/wait.ts";

export interface OpenAiCompatibleOptions {
  readonly id: string;
  readonly model: string;
  /** Without a slash at its end; `/chat/completions` is added. */
  readonly baseUrl: string;
  readonly contextTokens: number;
  /** For one try, the whole body included. */
  readonly timeoutMs: number;
  /** Further tries after one that may go better another time. */
  readonly retries: number;
  /** Asked before each request, and kept nowhere. */
  readonly key: () => Promise<string | undefined>;
  /** Network, time and chance. Default: those of the machine. */
  readonly outside?: Partial<Outside>;
}

/**
 * Asks an endpoint that knows `POST /chat/completions`: Ollama, llama.cpp, vLLM, hosted ones. One try has a time limit; 408, 425, 429, 5xx, a lost
 * connection and a time-out are tried again after 1, 2, 4, … seconds (up to 30, with chance in it) or when `Retry-After` says, if that is within a minute.
 */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Summarizer {
  const outside = { ...machineOutside, ...options.outside };
  // What the endpoint was found to want is kept, so that it is not asked wrongly each time.
  let form = usualForm;
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async (prompt, { signal }) => {
      const key = await options.key();
      const run: Run = {
        options,
        outside,
        prompt,
        key,
        signal,
        spent: { tries: 0, requests: 0 },
        failures: openFailures(options, key),
        form: () => form,
        learn: (learned) => {
          form = learned;
        },
      };
      return askUntilAnswered(run);
    },
  };
}

interface Run {
  readonly options: OpenAiCompatibleOptions;
  readonly outside: Outside;
  readonly prompt: SummarizerPrompt;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly failures: Failures;
  readonly spent: Spent;
  readonly form: () => RequestForm;
  readonly learn: (form: RequestForm) => void;
}

async function askUntilAnswered(run: Run): Promise<SummarizerAnswer> {
  for (let tries = 0; ;) {
    const outcome = await tryOnce(run);
    if (outcome.kind === "answer") return readReply(outcome.body, run);
    if (outcome.kind === "other_form") run.learn(outcome.form);
    else if (outcome.kind === "refused") throw run.failures.refused(outcome, run.spent);
    else if (tries >= run.options.retries || outcome.again === "never")
      throw run.failures.unavailable(outcome, run.spent);
    else await waitFor(outcome, tries++, run);
  }
}

async function tryOnce(run: Run): Promise<TryOutcome> {
  const { options, outside, prompt, key, signal, spent } = run;
  stopIfAborted(signal, detailsOf(spent));
  await prompt.beforeTry?.();
  stopIfAborted(signal, detailsOf(spent));
  spent.tries += 1;
  spent.requests += 1;
  const form = run.form();
  const outcome = await send({
    fetch: outside.fetch,
    url: `${options.baseUrl}/chat/completions`,
    body: bodyOf(prompt, { model: options.model, form }),
    form,
    key,
    timeoutMs: options.timeoutMs,
    signal,
  });
  if (outcome.kind === "failed" && outcome.sent === "nothing") {
    spent.requests -= 1;
    prompt.notSent?.();
  }
  stopIfAborted(signal, detailsOf(spent));
  return outcome;
}

async function waitFor(outcome: TryOutcome & { readonly kind: "failed" }, tries: number, run: Run): Promise<void> {
  const { outside, signal, spent } = run;
  const asked = retryAfterMs(outcome.retryAfter, outside.now());
  if (asked !== undefined && asked > longestDelayMs)
    throw run.failures.unavailable(outcome, spent, outside.now() + asked);
  await outside.sleep(delayMs({ asked, tries, random: outside.random() }), signal);
  stopIfAborted(signal, detailsOf(spent));
}
