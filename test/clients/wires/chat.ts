import { asList, asObject, asText, blocksOf, inputTokens, lineOf, OUTPUT_TOKENS, stringsIn } from "./wire.ts";
import type { Answer, Frame, JsonObject, Wire } from "./wire.ts";

/** OpenAI chat completions: OpenCode, Copilot. */
export const chat: Wire = {
  name: "chat",
  asks: (path) => path.endsWith("/chat/completions"),
  tools: (body) => asList(body["tools"]).map((tool) => asText(asObject(asObject(tool)["function"])["name"])),
  results: (body) =>
    asList(body["messages"])
      .map(asObject)
      .filter((message) => message["role"] === "tool")
      .map((message) => stringsIn(message["content"])),
  parts: (body) => [
    ...asList(body["tools"]).map((tool) => lineOf(tool)),
    ...asList(body["messages"])
      .map(asObject)
      .flatMap(({ content, ...more }) => [...blocksOf(content).map((block) => lineOf(block)), lineOf(more)]),
  ],
  stream,
  whole: (answer, body, id) => ({
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created: 1,
    model: body["model"] ?? "stub",
    choices: [{ index: 0, message: message(answer, id), finish_reason: finish(answer) }],
    usage: usage(answer),
  }),
};

function stream(answer: Answer, body: JsonObject, id: string): readonly Frame[] {
  const head = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: 1, model: body["model"] ?? "stub" };
  return [
    { data: { ...head, choices: [{ index: 0, delta: message(answer, id), finish_reason: null }] } },
    { data: { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish(answer) }] } },
    { data: { ...head, choices: [], usage: usage(answer) } },
    { data: "[DONE]" },
  ];
}

function message(answer: Answer, id: string): JsonObject {
  if ("text" in answer) return { role: "assistant", content: answer.text };
  const call = { name: answer.call.tool, arguments: JSON.stringify(answer.call.input) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }],
  };
}

function finish(answer: Answer): string {
  return "text" in answer ? "stop" : "tool_calls";
}

function usage(answer: Answer): JsonObject {
  const input = inputTokens(answer);
  return { prompt_tokens: input, completion_tokens: OUTPUT_TOKENS, total_tokens: input + OUTPUT_TOKENS };
}
