import { createAdaptorServer } from "@hono/node-server";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { openMemory } from "../../open.ts";
import { parseLine } from "../../operations/command-line.ts";
import { usageError } from "../../operations/failure.ts";
import { serveCommand } from "../../operations/local-commands.ts";
import { personalFolder, shippedFile, boundHeap } from "../../platform/program.ts";
import { createApp } from "./app.ts";
import { readPage } from "./page.ts";

const usualPort = 4319;
const nextPorts = 20;

/** The process of `heartwood serve`: answers HTTP until a signal ends it. */
export async function main(): Promise<void> {
  try {
    await serve(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    process.stderr.write(`heartwood: ${error.message}\n`);
    process.exitCode = 2;
  }
}

async function serve(words: readonly string[]): Promise<void> {
  const line = parseLine(words, [serveCommand]);
  if (line.kind === "slip") throw usageError(line, [serveCommand]);
  if (line.kind !== "invocation") throw new MemoryError("usage", "heartwood serve prints no document.");
  const { given, common } = line.invocation;
  const { personal, output: _output, chatter: _chatter, ...where } = common;
  const dir = personal === undefined ? where : { ...where, dir: personalFolder() };
  const memory = await openMemory({ ...dir, settings: "reported", onWork: boundHeap });
  const token = process.env["HEARTWOOD_TOKEN"] ?? randomBytes(32).toString("base64url");
  const app = createApp({ memory, token, page: readPage(shippedFile(join("dist", "page"))) });
  const server = createAdaptorServer({ fetch: app.fetch });
  const port = given["port"] === undefined ? undefined : Number(given["port"]);
  const listen = (at: number, last: number): void => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && at < last) return listen(at + 1, last);
      process.stderr.write(`heartwood: Could not listen on port ${at}: ${error.code}\n`);
      process.exit(3);
    });
    server.listen(at, "127.0.0.1");
  };
  server.once("listening", () => {
    const { port: bound } = server.address() as AddressInfo;
    process.stdout.write(`http://127.0.0.1:${bound}/#token=${token}\nPress Ctrl-C to stop.\n`);
  });
  listen(port ?? usualPort, port ?? usualPort + nextPorts);
  for (const [signal, status] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const])
    process.once(signal, () => process.exit(status));
}
