import {
  McpServer,
  type CallToolResult,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { visible, visibleIn } from "../../base/visible.ts";
import { refuseBadInput } from "../../engine/checked.ts";
import type { Memory } from "../../engine/memory.ts";
import type { ProgressEvent } from "../../engine/operation.ts";
import { failureOf } from "./failure.ts";
import { instructions } from "./instructions.ts";
import { inputSchemaOf, type JsonSchema } from "./json-schema.ts";
import { addResources } from "./resources.ts";
import type { Tool, ToolInput } from "./tool.ts";

/** What a server is made of. */
export interface Served {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** Opens the memory when the first call needs it. Errors: `no_memory` and those of opening. */
  memory(): Promise<Memory>;
  /** Runs one call after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Called when an answer had to say that the index is behind. */
  catchUp(): void;
}

/** A server of the Model Context Protocol over a memory, for one connection of either era. */
export function createServer(served: Served): McpServer {
  const server = new McpServer(
    { name: "heartwood", title: "Heartwood memory", version: served.version },
    { instructions, capabilities: { tools: {}, resources: {} } },
  );
  for (const tool of served.tools) addTool(server, tool, served);
  addResources(server, served);
  return server;
}

function addTool(server: McpServer, tool: Tool, served: Served): void {
  const { name, title, description, effect } = tool;
  const annotations = {
    title,
    readOnlyHint: effect === "reads",
    destructiveHint: false,
    idempotentHint: effect === "reads",
    openWorldHint: false,
  };
  const config = {
    title,
    description,
    inputSchema: shownAs<ToolInput>(inputSchemaOf(tool.fields)),
    outputSchema: shownAs<unknown>(tool.output),
    annotations,
    ...(tool.presence === "always" ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
  server.registerTool(name, config, (input: ToolInput, context: ServerContext) => answer(tool, input, context, served));
}

/** For the library a schema is what it prints; what is given is checked by us, so that a fault has its code and its sentence. */
function shownAs<T>(schema: JsonSchema): StandardSchemaWithJSON<T, T> {
  const printed = (): Record<string, unknown> => ({ ...schema });
  return {
    "~standard": {
      version: 1,
      vendor: "heartwood",
      validate: (value) => ({ value: value as T }),
      jsonSchema: { input: printed, output: printed },
    },
  };
}

async function answer(
  tool: Tool,
  input: ToolInput,
  { mcpReq }: ServerContext,
  served: Served,
): Promise<CallToolResult> {
  try {
    await refuseBadInput(tool, input);
    const { structured, text } = await served.inTurn(async () => {
      mcpReq.signal.throwIfAborted();
      const memory = await served.memory();
      return tool.run(memory, input, { signal: mcpReq.signal, progress: progressTo(mcpReq) });
    });
    if (Number(structured["not_indexed"]) > 0) served.catchUp();
    const structuredContent = visibleIn(structured);
    const said = text === undefined ? JSON.stringify(structuredContent) : visible(text);
    return { content: [{ type: "text", text: said }], structuredContent };
  } catch (error) {
    return failureOf(error);
  }
}

/** Told only to who asked for it, and as it comes. */
function progressTo(mcpReq: ServerContext["mcpReq"]): (event: ProgressEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let told = 0;
  return ({ phase, done, total }) => {
    // A phase begins anew, and progress must rise.
    told += 1;
    const params = { progressToken, progress: told, message: total > 0 ? `${phase} ${done} of ${total}` : phase };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
