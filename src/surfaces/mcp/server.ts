import {
  CLIENT_INFO_META_KEY,
  McpServer,
  type CallToolResult,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { visible, visibleIn } from "../../text/visible.ts";
import { acceptedInput } from "../../operations/checked.ts";
import type { ProgressEvent } from "../../base/operation.ts";
import { jsonSchemaOf, type JsonSchema } from "./json-schema.ts";
import { failureOf } from "./failure.ts";
import { instructions } from "./instructions.ts";
import { addResources } from "./resources.ts";
import type { Tool, ToolInput } from "./tool.ts";
import { withMemory, type Memories } from "./memories.ts";

/** What a server is made of. */
export interface Served extends Memories {
  readonly version: string;
  readonly tools: readonly Tool[];
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
    inputSchema: shownAs<ToolInput>(jsonSchemaOf(tool.input)),
    outputSchema: shownAs<unknown>(tool.output),
    annotations,
    ...(tool.presence === "always" ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
  server.registerTool(name, config, async (input: ToolInput, context: ServerContext) => {
    const result = await answer(tool, input, context, served);
    const isTwice = result.structuredContent !== undefined && clientName(server, context) === showsBoth;
    return isTwice ? { ...result, content: [] } : result;
  });
}

/** Copilot CLI gives its model the text and the structured content, so the same result twice; other clients take one of them. */
const showsBoth = "copilot-cli";

/** From the request in the newer era, from `initialize` in the older one. */
function clientName(server: McpServer, { mcpReq }: ServerContext): unknown {
  const envelope: { readonly [CLIENT_INFO_META_KEY]?: { readonly name: unknown } } = mcpReq.envelope ?? {};
  return (envelope[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion())?.name;
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
    const given = await acceptedInput(tool, input ?? {});
    const { structured, text } = await served.inTurn(async () => {
      mcpReq.signal.throwIfAborted();
      const call = { signal: mcpReq.signal, progress: progressTo(mcpReq) };
      return withMemory(served, tool.folder?.(given), (memory) => tool.run(memory, given, call));
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
