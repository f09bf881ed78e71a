import { Hono, type Context } from "hono";
import { errorStatuses } from "../../base/error-statuses.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Call } from "../../base/operation.ts";
import { failureOf } from "../../operations/failure.ts";
import type { Memory, Operation } from "../../operations/operation.ts";
import { visibleIn } from "../../text/visible.ts";
import { readInput } from "./body.ts";
import type { Changes } from "./changes.ts";
import { eventStream, type ServerEvent } from "./events.ts";
import type { Route } from "./guard.ts";
import { describeApi } from "./openapi.ts";
import {
  isLongRead,
  runOperation,
  safeLine,
  safeToSend,
  servedOperations,
  withoutOtherFolders,
  type Answer,
  type Turns,
} from "./operations.ts";
import type { PageFile } from "./page.ts";
import type { Jobs } from "./turns.ts";

/** Open answers without an end. Each has a socket. */
const mostStreams = 64;

export interface Served {
  readonly memory: Memory;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly changes: Changes;
  readonly turns: Turns;
  readonly jobs: Jobs;
  /** Runs a read beside the others, in another thread. `undefined` if it must be run here. */
  longRead?(name: string, given: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Answer | undefined>;
  /** Called when an answer reported that the index is out of date. */
  catchUp(): void;
  /** MCP over HTTP. */
  mcp(request: Request): Promise<Response>;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The part of a Node response that the routes use; missing in tests. */
interface Bindings {
  readonly outgoing?: { destroy(): void };
}

type Sent = Context<{ Bindings: Bindings }>;

/** Every path with its methods, for the guard. */
export function routesOf(page: Served["page"]): ReadonlyMap<string, Route> {
  const open = { methods: ["GET", "HEAD"], access: "open" } as const;
  const reads = { methods: ["GET", "HEAD"], access: "token" } as const;
  return new Map<string, Route>([
    ...[...page.keys()].map((path) => [path, open] as const),
    ...servedOperations.map(({ name }) => [`/v1/${name}`, { methods: ["POST"], access: "token" }] as const),
    ["/v1/thread.events", { methods: ["GET", "HEAD", "POST"], access: "token" }],
    ["/v1/changes", reads],
    ["/v1/openapi.json", reads],
    ["/mcp", { methods: ["GET", "POST", "DELETE"], access: "token" }],
  ]);
}

/** The routes of the server, for requests that have passed the guard. */
export function createApp(served: Served): Hono<{ Bindings: Bindings }> {
  const { page, changes, turns, jobs, signal } = served;
  const memory = withoutOtherFolders(served.memory);
  const app = new Hono<{ Bindings: Bindings }>();
  let streams = 0;

  const events = (context: Sent, source: (signal: AbortSignal) => AsyncIterable<ServerEvent>): Response => {
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    // Hono answers HEAD as GET and drops the body, but this one has no end.
    if (context.req.method === "HEAD") return new Response(null, { headers });
    if (streams >= mostStreams) throw tooManyStreams();
    streams += 1;
    const stop = new AbortController();
    const all = AbortSignal.any([signal, stop.signal]);
    const ended = (): void => {
      streams -= 1;
      stop.abort();
    };
    const stalled = (): void => context.env?.outgoing?.destroy();
    return new Response(eventStream(source(all), { signal: all, ended, stalled }), { headers });
  };

  for (const operation of servedOperations)
    app.post(`/v1/${operation.name}`, async ({ req }) => {
      const given = await readInput(req.raw);
      const call = { signal: AbortSignal.any([req.raw.signal, signal]), spawn: jobs.spawn } satisfies Call;
      const elsewhere = isLongRead(operation, given)
        ? await served.longRead?.(operation.name, given, call.signal)
        : undefined;
      const answer = elsewhere ?? (await runOperation(operation, given, { memory, turns, call }));
      if (answer.kind === "lines") return linesResponse(answer.lines);
      if (answer.notIndexed > 0) served.catchUp();
      return Response.json(answer.document);
    });

  app.get("/v1/thread.events", async (context) => {
    const { req } = context;
    const { thread_id, from_seq } = req.query();
    const last = req.header("last-event-id");
    const from =
      last === undefined || last === "" ? seqOf("from_seq", from_seq ?? "0") : seqOf("Last-Event-ID", last) + 1;
    const operation = servedOperations.find(({ name }) => name === "thread.events") as Operation;
    // Checks the thread before the answer begins.
    await operation.run(memory, { thread_id });
    return events(context, async function* (stopped) {
      const lines = await operation.run(memory, { thread_id, from_seq: from, follow: true }, { signal: stopped });
      for await (const line of lines as AsyncIterable<string>) {
        const { seq } = JSON.parse(line) as { readonly seq: number };
        yield { id: String(seq), data: safeLine(line) };
      }
    });
  });
  app.get("/v1/changes", (context) =>
    events(context, (stopped) => changes.events(context.req.header("last-event-id"), stopped)),
  );
  app.get("/v1/openapi.json", () => Response.json(describeApi(served.memory.program.version)));
  app.all("/mcp", ({ req }) => served.mcp(req.raw));

  app.get("*", ({ req }) => {
    const file = page.get(req.path);
    if (file === undefined) throw new MemoryError("not_found", "There is no such page.");
    const lasting = file.identified === "by name" ? { "cache-control": "public, max-age=31536000, immutable" } : {};
    return new Response(file.bytes, { headers: { "content-type": file.type, ...lasting } });
  });
  app.onError((error) => failedResponse(error));
  app.notFound(() => failedResponse(new MemoryError("not_found", "There is no such route.")));
  return app;

  function linesResponse(lines: AsyncIterable<string>): Response {
    if (streams >= mostStreams) throw tooManyStreams();
    streams += 1;
    const encoder = new TextEncoder();
    const all = (async function* () {
      try {
        for await (const line of lines) yield encoder.encode(`${safeLine(line)}\n`);
      } finally {
        streams -= 1;
      }
    })();
    return new Response(ReadableStream.from(all), { headers: { "content-type": "application/x-ndjson" } });
  }
}

function tooManyStreams(): MemoryError {
  const message = `${mostStreams} answers are open, which is the limit; close one first.`;
  return new MemoryError("busy", message, { most: mostStreams });
}

/** A failure as a document, and its status. */
export function failureDocument(thrown: unknown): { readonly status: number; readonly document: object } {
  const { code, message, details } = visibleIn(failureOf(thrown));
  // Details first, so a detail named `code` or `message` cannot override ours.
  return { status: errorStatuses[code].http, document: { error: { ...details, code, message } } };
}

export function failedResponse(thrown: unknown): Response {
  const { status, document } = failureDocument(thrown);
  return Response.json(document, { status });
}

function seqOf(name: string, given: string): number {
  const seq = /^\d{1,15}$/u.test(given) ? Number(given) : Number.NaN;
  if (!Number.isNaN(seq)) return seq;
  const message = `${name} is ${JSON.stringify(safeToSend(given.slice(0, 40)))}; it must be a whole number.`;
  throw new MemoryError("invalid_number", message, { field: name });
}
