import { asList, asObject, asText, blocksOf, inputTokens, lineOf, OUTPUT_TOKENS, stringsIn } from "./wire.ts";
import type { Answer, Frame, Json, JsonObject, Wire } from "./wire.ts";

/** Anthropic Messages: Claude Code. */
export const messages: Wire = {
  name: "messages",
  asks: (path) => path === "/v1/messages",
  tools: (body) => asList(body["tools"]).map((tool) => asText(asObject(tool)["name"])),
  results: (body) =>
    asList(body["messages"])
      .flatMap((message) => asList(asObject(message)["content"]))
      .map(asObject)
      .filter((block) => block["type"] === "tool_result")
      .map((block) => stringsIn(block["content"])),
  parts: (body) => [
    ...[...asList(body["tools"]), ...blocksOf(body["system"])].map(uncached),
    ...asList(body["messages"])
      .map(asObject)
      .flatMap(({ role, content }) => blocksOf(content).map((block) => `${asText(role)} ${uncached(block)}`)),
  ],
  stream,
  whole: (answer, body, id) => ({
    ...envelope(body, id, inputTokens(answer)),
    content: [block(answer, id)],
    stop_reason: stopReason(answer),
    usage: { input_tokens: inputTokens(answer), output_tokens: OUTPUT_TOKENS },
  }),
};

/** Where the client asks for caching moves with each request. */
function uncached(value: Json): string {
  return lineOf(value, ["cache_control"]);
}

function stream(answer: Answer, body: JsonObject, id: string): readonly Frame[] {
  const delta: JsonObject =
    "text" in answer
      ? { type: "text_delta", text: answer.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(answer.call.input) };
  const start = "text" in answer ? { type: "text", text: "" } : { ...block(answer, id), input: {} };
  return [
    { type: "message_start", message: envelope(body, id, inputTokens(answer)) },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { input_tokens: inputTokens(answer), output_tokens: OUTPUT_TOKENS },
    },
    { type: "message_stop" },
  ].map((data) => ({ event: data.type, data }));
}

function envelope(body: JsonObject, id: string, tokens: number): JsonObject {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: body["model"] ?? "stub",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: tokens,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

function block(answer: Answer, id: string): JsonObject {
  return "text" in answer
    ? { type: "text", text: answer.text }
    : { type: "tool_use", id: `toolu_${id}`, name: answer.call.tool, input: answer.call.input as Json };
}

function stopReason(answer: Answer): string {
  return "text" in answer ? "end_turn" : "tool_use";
}
