import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chat } from "./wires/chat.ts";
import { gemini } from "./wires/gemini.ts";
import { messages } from "./wires/messages.ts";
import { responses } from "./wires/responses.ts";
import { asObject, inputTokens, stringsIn } from "./wires/wire.ts";
import type { Answer, Json, JsonObject, Wire } from "./wires/wire.ts";

const WIRES: readonly Wire[] = [messages, responses, chat, gemini];

/** A request from a client to the model. */
export interface Asked {
  readonly wire: Wire["name"];
  readonly path: string;
  readonly body: JsonObject;
  /** Every string of the body. */
  readonly text: string;
  readonly tools: readonly string[];
  /** What the model reads, in order (`Wire.parts`). */
  readonly parts: readonly string[];
  /** The tool results as sent to the model, oldest first. */
  readonly results: readonly string[];
}

/** The model's answers. If it returns `undefined`, the answer is "Fine.". */
export type Script = (asked: Asked) => Answer | undefined | Promise<Answer | undefined>;

export interface StubModel {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** All requests to the model since the last `play`. */
  readonly asked: () => readonly Asked[];
  /** Method and path of all other requests. */
  readonly beside: () => readonly string[];
  /** Clears the recorded requests and answers by `script` from now on. */
  readonly play: (script: Script) => void;
  readonly close: () => Promise<void>;
}

/** Starts a scripted model on 127.0.0.1 that speaks the API of every client and records all requests. */
export async function startStubModel(): Promise<StubModel> {
  let asked: Asked[] = [];
  let beside: string[] = [];
  let script: Script = () => undefined;
  let count = 0;
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const path = new URL(request.url ?? "/", "http://stub").pathname;
      const wire = request.method === "POST" ? WIRES.find((one) => one.asks(path)) : undefined;
      if (wire === undefined) {
        beside.push(`${request.method} ${request.url}`);
        return answerBeside(path, response);
      }
      const seen = {
        wire: wire.name,
        path,
        body,
        text: stringsIn(body),
        tools: wire.tools(body),
        parts: wire.parts(body),
        results: wire.results(body),
      };
      asked.push(seen);
      count += 1;
      const streams = body["stream"] === true || path.endsWith(":streamGenerateContent");
      const id = `stub${count}`;
      say(response, wire, (await script(seen)) ?? { text: "Fine." }, body, id, streams ? "stream" : "whole");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    beside: () => beside,
    play: (next) => {
      asked = [];
      beside = [];
      script = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Where a request does not begin with all of the one before it, a line each: the model's provider would read it anew from there. */
export function prefixBreaks(asked: readonly Asked[]): readonly string[] {
  return asked.slice(1).flatMap(({ parts }, at) => {
    const before = asked[at]?.parts ?? [];
    const first = before.findIndex((part, place) => part !== parts[place]);
    if (first === -1) return [];
    const whole = `request ${at + 2}, part ${first + 1} of ${before.length}`;
    return [`${whole}: ${difference(before[first] ?? "", parts[first] ?? "")}`];
  });
}

function difference(one: string, other: string): string {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [was, is] = [one, other].map((text) => text.slice(Math.max(0, same - 60), same + 120));
  return `at ${same} "${was}" became "${is}"`;
}

/** A script that gives `answers` in turn to the requests selected by `isTurn`, and "Fine." to all others. */
export function inTurn(isTurn: (asked: Asked) => boolean, answers: readonly Answer[]): Script {
  let next = 0;
  return (asked) => (isTurn(asked) ? answers[next++] : undefined);
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return asObject(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
  } catch {
    return {};
  }
}

function say(
  response: ServerResponse,
  wire: Wire,
  answer: Answer,
  body: JsonObject,
  id: string,
  form: "stream" | "whole",
): void {
  if (form === "whole") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wire.whole(answer, body, id)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data } of wire.stream(answer, body, id)) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${data === "[DONE]" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

/** Small counts, empty lists, and 404 for anything else: a client's other requests must not stop it. */
function answerBeside(path: string, response: ServerResponse): void {
  const tokens = inputTokens({ text: "" });
  const found: Json | undefined = path.endsWith("/count_tokens")
    ? { input_tokens: tokens }
    : path.endsWith(":countTokens")
      ? { totalTokens: tokens }
      : path.endsWith("/models")
        ? { object: "list", data: [], models: [] }
        : undefined;
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { error: { type: "not_found_error", message: "The stub has no such path." } }));
}
