import { getRequestListener } from "@hono/node-server";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { systemCodeOf, MemoryError } from "../../base/errors.ts";
import { createApp, failureDocument, routesOf, type Served } from "./app.ts";
import { createGuard, type Refusal } from "./guard.ts";

export interface ServerOptions extends Served {
  readonly token: string;
  /** The address to listen on. */
  readonly host: string;
  /** The ports to try, in order; 0 for any. */
  readonly ports: readonly number[];
  /** Monotonic milliseconds. */
  elapsedMs(): number;
}

export interface RunningServer {
  readonly port: number;
  /** The server's own origin, as a browser on this machine writes it. */
  readonly origin: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

const securityHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
};

/** How long a client may take, in milliseconds. */
const limits = { headers: 10_000, request: 60_000, idle: 5_000, reading: 120_000 } as const;
const mostConnections = 256;
const mostHeaderBytes = 16 * 1024;

/** Starts the server on the first free port. Errors: `io` if there is none. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, ports, page, token, elapsedMs } = options;
  const app = createApp(options);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false, hostname: "localhost" });
  let guard: ReturnType<typeof createGuard> | undefined;
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse, before?: () => void): void => {
    answering.add(incoming.socket);
    outgoing.once("close", () => answering.delete(incoming.socket));
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    const { method = "", url: target = "", rawHeaders } = incoming;
    const refusal = guard?.({ method, target, rawHeaders });
    if (refusal !== undefined) return refuse(incoming, outgoing, refusal);
    before?.();
    void answer(incoming, outgoing);
  };
  const server = createServer(
    {
      // The guard checks it, and answers as for any other wrong host.
      requireHostHeader: false,
      headersTimeout: limits.headers,
      requestTimeout: limits.request,
      keepAliveTimeout: limits.idle,
      maxHeaderSize: mostHeaderBytes,
    },
    (incoming, outgoing) => listener(incoming, outgoing),
  );
  server.maxConnections = mostConnections;
  // The body is asked for only if the head is accepted.
  server.on("checkContinue", (incoming, outgoing) => listener(incoming, outgoing, () => outgoing.writeContinue()));
  // Otherwise Node answers other expectations with 417 before the guard sees the request.
  server.on("checkExpectation", (incoming, outgoing) => listener(incoming, outgoing));
  server.on("clientError", (_, socket) => endMalformed(socket as Socket));
  server.setTimeout(limits.reading, endUnread);
  const port = await listenOn(server, host, ports);
  const hosts = [...new Set(["127.0.0.1", "localhost", "[::1]", urlHostOf(host).toLowerCase()])];
  const named = hosts.flatMap((one) => (port === 80 ? [one, `${one}:80`] : [`${one}:${port}`]));
  guard = createGuard({ hosts: named, routes: routesOf(page), token, elapsedMs });
  return {
    port,
    origin: `http://${isUnspecified(host) ? "127.0.0.1" : urlHostOf(host)}:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenOn(server: Server, host: string, ports: readonly number[]): Promise<number> {
  for (const [at, port] of ports.entries()) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host: host.replace(/^\[(.*)\]$/u, "$1"), port }, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const code = systemCodeOf(error) ?? "unknown error";
      if (code === "EADDRINUSE" && at < ports.length - 1) continue;
      const tried = ports.length === 1 ? `port ${port}` : `ports ${ports[0]} to ${ports.at(-1)}`;
      const what = code === "EADDRINUSE" ? "another program uses it" : `the system reports ${code}`;
      const message = `Could not listen on ${tried} of ${host}: ${what}; pass another one with --port, or 0 for any.`;
      throw new MemoryError("io", message, { host, port }, error);
    }
  }
  throw new MemoryError("io", "There is no port to listen on; pass one with --port.");
}

/** `::1` → `[::1]` */
function urlHostOf(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function isUnspecified(host: string): boolean {
  return ["0.0.0.0", "::", "[::]"].includes(host);
}

/** Answers without reading a body, and closes the connection if there is one. */
function refuse(incoming: IncomingMessage, outgoing: ServerResponse, { error, headers }: Refusal): void {
  const { status, document } = failureDocument(error);
  const hasBody = ["transfer-encoding", "content-length"].some((name) => incoming.headers[name] !== undefined);
  const text = JSON.stringify(document);
  outgoing.writeHead(status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...(hasBody ? { Connection: "close" } : {}),
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
  incoming.resume();
}

/** Connections with a request that has no whole answer yet. */
const answering = new WeakSet<Socket>();

/** Bytes that are not HTTP, or too many of them. */
function endMalformed(socket: Socket): void {
  if (!socket.writable || answering.has(socket)) return void socket.destroy();
  const lines = Object.entries({ ...securityHeaders, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("\r\n")}\r\nContent-Length: 0\r\n\r\n`);
}

/** A client that does not read its answer is dropped; one that waits for a long operation is not. */
function endUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
  else socket.setTimeout(limits.reading);
}
