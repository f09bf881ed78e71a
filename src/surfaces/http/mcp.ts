import { createMcpHandler } from "@modelcontextprotocol/server";
import { MemoryError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { errorToldOf } from "../../operations/mcp/errors.ts";
import { createServer } from "../../operations/mcp/server.ts";
import { failedResponse } from "./app.ts";
import { readJson } from "./body.ts";

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

/** The library's own errors quote the request; these are made visible and short. */
async function told(response: Response): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("application/json") !== true) return response;
  const message: unknown = await response.json();
  const { status } = response;
  if (!isObject(message) || !("error" in message)) return Response.json(message, { status });
  const error = errorToldOf(message["error"] as Parameters<typeof errorToldOf>[0]);
  return Response.json({ ...message, error }, { status });
}
