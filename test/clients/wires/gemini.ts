import { asList, asObject, asText, inputTokens, lineOf, OUTPUT_TOKENS, stringsIn } from "./wire.ts";
import type { Answer, Json, JsonObject, Wire } from "./wire.ts";

/** Gemini generateContent and streamGenerateContent: Gemini CLI. */
export const gemini: Wire = {
  name: "gemini",
  asks: (path) => /:(?:stream)?[gG]enerateContent$/.test(path),
  tools: (body) =>
    asList(body["tools"])
      .flatMap((tool) => asList(asObject(tool)["functionDeclarations"]))
      .map((one) => asText(asObject(one)["name"])),
  results: (body) =>
    asList(body["contents"])
      .flatMap((content) => asList(asObject(content)["parts"]))
      .map((part) => asObject(part)["functionResponse"])
      .filter((found) => found !== undefined)
      .map((found) => stringsIn(asObject(found)["response"])),
  parts: (body) => [
    ...asList(body["tools"]).map((tool) => lineOf(tool)),
    inOrder(lineOf(body["systemInstruction"])),
    ...asList(body["contents"])
      .map(asObject)
      .flatMap(({ role, parts }) => asList(parts).map((one) => `${asText(role)} ${steady(one)}`)),
  ],
  stream: (answer, body, id) => [{ data: whole(answer, body, id) }],
  whole,
};

/** Each process lists the skills in the order in which it happened to find their files. */
function inOrder(text: string): string {
  const skills = text.match(oneSkill)?.toSorted() ?? [];
  return text.replaceAll(oneSkill, () => skills.shift() ?? "");
}

const oneSkill = /<skill>.*?<\/skill>/gu;

/** When it resumes, it drops the signatures and lists the files of the folder anew, all in its first message. */
function steady(part: Json): string {
  return lineOf(part, ["thoughtSignature"]).replaceAll(/(?:\\n[│ ]*[├└]───[^\\"]*)+/gu, "");
}

function whole(answer: Answer, _body: JsonObject, id: string): JsonObject {
  const input = inputTokens(answer);
  const part: JsonObject =
    "text" in answer
      ? { text: answer.text }
      : { functionCall: { id: `call_${id}`, name: answer.call.tool, args: answer.call.input as Json } };
  return {
    responseId: id,
    modelVersion: "stub",
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: OUTPUT_TOKENS,
      totalTokenCount: input + OUTPUT_TOKENS,
    },
  };
}
