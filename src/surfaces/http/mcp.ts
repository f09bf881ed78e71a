import { createMcpHandler } from "@modelcontextprotocol/server";
import { MemoryError } from "../../base/errors.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { errorToldOf } from "../../operations/mcp/errors.ts";
import { createServer } from "../../operations/mcp/server.ts";
import { failedResponse } from "./app.ts";
import { readJson } from "./body.ts";
import { safeToSend } from "./operations.ts";

/** MCP over Streamable HTTP. Each request is served on its own, so there are no sessions. */
export function createMcp(served: Parameters<typeof createServer>[0]) {
  // Problems are in the answers.
  const handler = createMcpHandler(() => createServer(served), { onerror: () => undefined });
  return {
    answer: async (request: Request): Promise<Response> => {
      if (request.method !== "POST") return handler.fetch(request);
      try {
        const parsedBody = await readJson(request);
        if (parsedBody === undefined)
          throw new MemoryError("invalid_body", "The body is empty; send a message of the protocol.");
        return await told(await handler.fetch(request, { parsedBody }));
      } catch (error) {
        return failedResponse(error);
      }
    },
    close: () => handler.close(),
  };
}

/** The library's own errors quote the request; these are made visible and short, without secrets. */
async function told(response: Response): Promise<Response> {
  const { status, headers, body } = response;
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return Response.json(toldIn(await response.json()), { status });
  if (!type.startsWith("text/event-stream") || body === null) return response;
  let rest = "";
  const events = new TransformStream<string, string>({
    transform: (piece, controller) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(`${toldLine(line)}\n`);
    },
    flush: (controller) => controller.enqueue(toldLine(rest)),
  });
  const stream = body.pipeThrough(new TextDecoderStream()).pipeThrough(events).pipeThrough(new TextEncoderStream());
  return new Response(stream, { status, headers });
}

const data = "data: ";

function toldLine(line: string): string {
  const message = line.startsWith(data) ? parseJson(line.slice(data.length)) : undefined;
  return isObject(message) && "error" in message ? `${data}${JSON.stringify(toldIn(message))}` : line;
}

function toldIn(message: unknown): unknown {
  if (!isObject(message) || !("error" in message)) return message;
  return { ...message, error: safeToSend(errorToldOf(message["error"] as Parameters<typeof errorToldOf>[0])) };
}
