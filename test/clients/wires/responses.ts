import { asList, asObject, asText, inputTokens, lineOf, OUTPUT_TOKENS, stringsIn } from "./wire.ts";
import type { Answer, Frame, JsonObject, Wire } from "./wire.ts";

/** OpenAI Responses: Codex, OpenClaw. A tool in a namespace is named `<namespace>/<tool>` here. */
export const responses: Wire = {
  name: "responses",
  asks: (path) => path.endsWith("/responses"),
  tools: (body) =>
    asList(body["tools"])
      .map(asObject)
      .flatMap((tool) =>
        tool["type"] === "namespace"
          ? asList(tool["tools"]).map((one) => `${asText(tool["name"])}/${asText(asObject(one)["name"])}`)
          : [asText(tool["name"] ?? tool["type"])],
      ),
  results: (body) =>
    asList(body["input"])
      .map(asObject)
      .filter((item) => item["type"] === "function_call_output")
      .map((item) => stringsIn(item["output"])),
  parts: (body) =>
    [...asList(body["tools"]), body["instructions"] ?? "", ...asList(body["input"])].map((one) => lineOf(one)),
  stream,
  whole: (answer, body, id) => ({ ...completed(answer, id), model: body["model"] ?? "stub", object: "response" }),
};

function stream(answer: Answer, _body: JsonObject, id: string): readonly Frame[] {
  const done = item(answer, id);
  return [
    { type: "response.created", response: { id: `resp_${id}`, object: "response", status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: done },
    { type: "response.output_item.done", output_index: 0, item: done },
    { type: "response.completed", response: completed(answer, id) },
  ].map((data) => ({ event: data.type, data }));
}

function completed(answer: Answer, id: string): JsonObject {
  const input = inputTokens(answer);
  return {
    id: `resp_${id}`,
    status: "completed",
    output: [item(answer, id)],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + OUTPUT_TOKENS,
    },
  };
}

function item(answer: Answer, id: string): JsonObject {
  if ("text" in answer) {
    return {
      type: "message",
      id: `msg_${id}`,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: answer.text, annotations: [] }],
    };
  }
  const [namespace, name] = answer.call.tool.includes("/")
    ? answer.call.tool.split("/", 2)
    : [undefined, answer.call.tool];
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: name ?? "",
    ...(namespace === undefined ? {} : { namespace }),
    arguments: JSON.stringify(answer.call.input),
    status: "completed",
  };
}
