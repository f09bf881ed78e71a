import type { Summarizer } from "../summaries/memory.ts";
import { describeCases, endingOf, type Cases, type Suite, type TestFunctions } from "./test-functions.ts";

/** A summarizer, with control over the model it uses. */
export interface SummarizerHarness {
  readonly summarizer: Summarizer;
  /** Makes the model answer with this text from now on. */
  answers(text: string): void;
  /** Makes the model stop in the middle of this text from now on, because its answer reaches the token limit. */
  stopsIn(text: string): void;
  /** Makes the model stop answering from now on; requests wait. */
  hangs(): void;
  /** The requests so far: instructions and prompt of each, in order of arrival. */
  asked(): readonly { readonly instructions: string; readonly prompt: string }[];
  close(): Promise<void>;
}

/** What every `Summarizer` must do, whatever model it uses. */
export function describeSummarizer(suite: Suite<SummarizerHarness>, runner: TestFunctions): void {
  describeCases({ ...suite, cases }, runner);
}

const prompt = { instructions: "Summarise.", prompt: "The day was long.", answerTokens: 200 };

const cases: Cases<SummarizerHarness> = {
  "the id is one word that does not change, and the context is a number of tokens": async ({ summarizer }, expect) => {
    expect(/^\S{1,200}$/u.test(summarizer.id)).toBe(true);
    expect(Number.isInteger(summarizer.contextTokens) && summarizer.contextTokens > 0).toBe(true);
    const before = summarizer.id;
    await summarizer.summarize(prompt, {});
    expect(summarizer.id).toBe(before);
  },
  "an answer is returned exactly as the model gave it, not trimmed": async ({ summarizer, answers }, expect) => {
    answers("\n## Topics\n- 結論 🎉 שלום: one\r\n");
    const { text, end, requests } = await summarizer.summarize(prompt, {});
    expect([text, end, requests]).toEqual(["\n## Topics\n- 結論 🎉 שלום: one\r\n", "complete", 1]);
  },
  "the model receives the full instructions and prompt": async ({ summarizer, asked }, expect) => {
    const long = `${"A line with 絵文字 🧵.\n".repeat(2000)}<think>`;
    await summarizer.summarize({ ...prompt, prompt: long }, {});
    expect(asked()).toEqual([{ instructions: "Summarise.", prompt: long }]);
  },
  "an answer the model did not finish is marked as cut off": async ({ summarizer, stopsIn }, expect) => {
    stopsIn("## Topics\n- a");
    const { text, end } = await summarizer.summarize(prompt, {});
    expect([text, end]).toEqual(["## Topics\n- a", "cut_off"]);
  },
  "an empty answer is `model_answer`, with the number of requests": async ({ summarizer, answers }, expect) => {
    answers(" \n");
    const error: unknown = await summarizer.summarize(prompt, {}).catch((cause: unknown) => cause);
    const { code, details } = Object(error) as { readonly code?: unknown; readonly details?: { requests?: unknown } };
    expect([code, details?.requests]).toEqual(["model_answer", 1]);
  },
  "beforeTry finishes before anything is sent, and its errors are passed on": async ({ summarizer, asked }, expect) => {
    const stop = new Error("the budget is spent");
    const beforeTry = async (): Promise<void> => {
      await Promise.resolve();
      throw stop;
    };
    const ending: unknown = await summarizer.summarize({ ...prompt, beforeTry }, {}).catch((cause: unknown) => cause);
    expect(ending).toBe(stop);
    expect(asked()).toEqual([]);
  },
  "an already aborted signal stops it before anything is sent": async ({ summarizer, asked }, expect) => {
    expect(await endingOf(summarizer.summarize(prompt, { signal: AbortSignal.abort() }))).toBe("aborted");
    expect(asked()).toEqual([]);
  },
  "a signal stops it while it waits for the model": async ({ summarizer, hangs }, expect) => {
    hangs();
    const stop = new AbortController();
    const asking = endingOf(summarizer.summarize(prompt, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 40);
    expect(await asking).toBe("aborted");
  },
  "sequential and concurrent requests and requests after close are answered": async (
    { summarizer, answers, asked },
    expect,
  ) => {
    answers("- One answer for all");
    await summarizer.summarize(prompt, {});
    const both = await Promise.all([summarizer.summarize(prompt, {}), summarizer.summarize(prompt, {})]);
    await summarizer.close?.();
    await summarizer.close?.();
    const last = await summarizer.summarize(prompt, {});
    expect([...both, last].map(({ text }) => text)).toEqual(Array(3).fill("- One answer for all"));
    expect(asked().length).toBe(4);
  },
};
