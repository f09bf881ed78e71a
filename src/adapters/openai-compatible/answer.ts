import type { SummarizerAnswer } from "../../ports/summarizer.ts";
import type { Failures, Spent } from "./failures.ts";
import { isObject } from "./json.ts";
import { mostReplyBytes } from "./send.ts";
import { isCount } from "../../base/is-count.ts";

interface Reading {
  readonly failures: Failures;
  readonly spent: Spent;
}

/** Reads the body of an answer. Errors: `model_answer` when it is none, or has no text; `model_refused` when the model says that it will not. */
export function readReply(body: string | "too_large", { failures, spent }: Reading): SummarizerAnswer {
  if (body === "too_large")
    throw failures.noAnswer(
      `answered more than ${mostReplyBytes / 1024 / 1024} MiB; look what runs at that address`,
      spent,
    );
  const reply = parse(body);
  if (!isObject(reply))
    throw failures.noAnswer(`answered what is no JSON object; look what runs at that address`, spent);
  addTokens(spent, reply["usage"]);
  const choice: unknown = Array.isArray(reply["choices"]) ? reply["choices"][0] : undefined;
  const message = isObject(choice) ? choice["message"] : undefined;
  if (!isObject(choice) || !isObject(message))
    throw failures.noAnswer("answered without choices; look whether the address is one of chat completions", spent);
  const { refusal } = message;
  if (typeof refusal === "string" && refusal !== "")
    throw failures.refused({ why: "will not answer", said: refusal }, spent);
  const finish = choice["finish_reason"];
  const text = withoutThoughts(textOf(message["content"]));
  if (text.trim() === "") throw emptiness(finish, { failures, spent });
  const end = finish === "length" || finish === "content_filter" ? "cut_off" : "complete";
  return { text, end, tokens: spent.tokens, requests: spent.requests };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/u, ""));
  } catch {
    return undefined;
  }
}

function addTokens(spent: Spent, usage: unknown): void {
  if (!isObject(usage)) return;
  const { prompt_tokens: prompt, completion_tokens: answer } = usage;
  if (!isCount(prompt) || !isCount(answer)) return;
  const before = spent.tokens ?? { prompt: 0, answer: 0 };
  spent.tokens = { prompt: before.prompt + prompt, answer: before.answer + answer };
}

/** A text, or the texts of parts; parts of other kinds are thoughts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly unknown[] = content;
  return parts.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

/**
 * Takes away what a model thinks before it answers: a block `<think>…</think>` at the beginning, also one whose first mark stood in the prompt of the
 * server. A mark within the answer stays: the answer may speak of it.
 */
function withoutThoughts(text: string): string {
  const begins = /^\s*<think(?:ing)?>/u.test(text);
  const close = /<\/think(?:ing)?>/u.exec(text);
  if (close === null) return begins ? "" : text;
  const isOurs =
    begins ||
    (!/<think(?:ing)?>/u.test(text.slice(0, close.index)) &&
      /^[^\S\n]*(?:\n|$)/u.test(text.slice(close.index + close[0].length)));
  return isOurs ? withoutThoughts(text.slice(close.index + close[0].length)) : text;
}

function emptiness(finish: unknown, { failures, spent }: Reading): Error {
  if (finish === "content_filter")
    return failures.refused({ why: "will not answer (content_filter)", said: "" }, spent);
  const why =
    finish === "length"
      ? "used up the tokens of the answer before it began; a model that thinks first needs that switched off"
      : "gave an empty answer";
  return failures.noAnswer(why, spent);
}
