import { ResourceTemplate, type McpServer, type ReadResourceResult } from "@modelcontextprotocol/server";
import { visible } from "../../text/visible.ts";
import { operation } from "../../operations/table.ts";
import { requestErrorOf } from "./failure.ts";
import type { Served } from "./server.ts";

const mimeType = "text/markdown";

/** `heartwood://root`, `heartwood://node/{period}` and `heartwood://log/{date}`. What is not there is an error of the request, with our code in its data. */
export function addResources(server: McpServer, served: Served): void {
  server.registerResource(
    "root",
    "heartwood://root",
    { title: "ROOT.md", description: "What the memory knows, on one page", mimeType },
    (uri) => answered(uri, () => node(served, "ROOT")),
  );
  server.registerResource(
    "node",
    new ResourceTemplate("heartwood://node/{period}", { list: undefined }),
    { title: "A node", description: "A day (2026-03-15), a week (2026-W11) or a month (2026-03), compacted", mimeType },
    (uri, { period }) => answered(uri, () => node(served, String(period))),
  );
  server.registerResource(
    "log",
    new ResourceTemplate("heartwood://log/{date}", { list: undefined }),
    { title: "The log of a day", description: "What was logged on a day, with secrets replaced", mimeType },
    (uri, { date }) => answered(uri, () => log(served, String(date))),
  );
}

async function node(served: Served, period: string): Promise<string> {
  const show = operation("tree.show");
  const { text } = await served.inTurn(async () => show.run(await served.memory(), { period }));
  return text;
}

async function log(served: Served, date: string): Promise<string> {
  const read = operation("memory.read");
  const place = `memory/${date}.md`;
  const { text, next } = await served.inTurn(async () => read.run(await served.memory(), { place }));
  return next === null ? text : `${text}\n… goes on: memory_read with place ${next}`;
}

async function answered(uri: URL, read: () => Promise<string>): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: uri.href, mimeType, text: visible(await read()) }] };
  } catch (error) {
    throw requestErrorOf(error, uri.href);
  }
}
