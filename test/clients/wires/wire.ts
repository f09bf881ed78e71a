/** The scripted model's answer to a request: text, or one tool call by the client's name for the tool. */
export type Answer = ({ readonly text: string } | { readonly call: Call }) & {
  /** The request tokens claimed in the answer (default 1,000). Clients compact based on them. */
  readonly inputTokens?: number;
};

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** An event of a stream. `event` is absent if the wire format does not name events. */
export interface Frame {
  readonly event?: string;
  readonly data: Json | "[DONE]";
}

/** A model API, as far as its client needs it. */
export interface Wire {
  readonly name: "messages" | "responses" | "chat" | "gemini";
  /** Whether this is a request to the model. Others (counts, lists) are answered by `beside`. */
  readonly asks: (path: string) => boolean;
  /** Names of the tools offered in the request. */
  readonly tools: (body: JsonObject) => readonly string[];
  /** Tool results in the request, as text, oldest first. */
  readonly results: (body: JsonObject) => readonly string[];
  /**
   * The request in the order in which a model reads it: tools, system, messages, each as one line. What a client may change without changing what the model reads is left out. A provider caches a prompt as far
   * as it begins with an earlier one.
   */
  readonly parts: (body: JsonObject) => readonly string[];
  readonly stream: (answer: Answer, body: JsonObject, id: string) => readonly Frame[];
  /** The same answer to a client that did not ask for a stream. */
  readonly whole: (answer: Answer, body: JsonObject, id: string) => Json;
}

export const OUTPUT_TOKENS = 20;

export function inputTokens(answer: Answer): number {
  return answer.inputTokens ?? 1000;
}

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function asText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** `value` as one line, without the fields `without`, at any depth. */
export function lineOf(value: Json | undefined, without: readonly string[] = []): string {
  return JSON.stringify(value, (key, one: unknown) => (without.includes(key) ? undefined : one)) ?? "";
}

/** The content of a message: a list, or a text, which is the same as a list of one text. */
export function blocksOf(content: Json | undefined): readonly Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
}

/** All strings in `value`, joined: what a reader of the request would see. */
export function stringsIn(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((one: Json) => stringsIn(one)).join("\n");
  return typeof value === "object" && value !== null ? Object.values(value).map(stringsIn).join("\n") : "";
}
