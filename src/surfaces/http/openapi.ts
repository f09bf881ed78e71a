import type { Operation } from "../../operations/operation.ts";
import { wholeSchemaOf } from "../../operations/tools/tool.ts";
import { GROUP_SUMMARIES } from "../../operations/command-line.ts";
import { errorStatuses } from "../../base/error-statuses.ts";
import type { OperationName } from "../../operations/table.ts";
import { servedOperations } from "./operations.ts";

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** Operations whose result is a stream of lines. */
const streams: readonly OperationName[] = ["thread.export", "thread.events"];

/** The API as an OpenAPI 3.1 document, from the operation table. */
export function describeApi(version: string): Json {
  const tags = [...new Set(servedOperations.map(groupOf))];
  const paths = Object.fromEntries(
    servedOperations.map((operation) => [`/v1/${operation.name}`, { post: described(operation) }] as const),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "heartwood",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "The memory of one project folder. Each operation of the command line is a POST with its input as JSON. Every request needs the token that heartwood serve prints.",
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: tags.map((name) => ({ name, ...descriptionOf(GROUP_SUMMARIES[name]) })),
    paths: {
      ...paths,
      "/v1/thread.events": { ...paths["/v1/thread.events"], get: followThread },
      "/v1/changes": { get: followChanges },
      "/v1/openapi.json": { get: thisDocument },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Answer: answer, Error: error },
      responses: {
        Failed: {
          description: "It was refused, or failed; the code says why.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
      parameters: {
        LastEventId: {
          name: "Last-Event-ID",
          in: "header",
          required: false,
          description: "The id of the last event received; the stream continues after it.",
          schema: { type: "string" },
        },
      },
    },
  };
}

const failed: Json = { $ref: "#/components/responses/Failed" };

function described(operation: Operation): Json {
  const { name, summary, description, input, fields } = operation;
  const isRequired = fields.some(({ presence }) => presence === "required");
  const schema = wholeSchemaOf(input) as unknown as Json;
  const lines = { "application/x-ndjson": { schema: { type: "string", description: "JSON documents, one a line." } } };
  const document = { "application/json": { schema: { $ref: "#/components/schemas/Answer" } } };
  return {
    operationId: name.replaceAll(/[._](.)/gu, (_, letter: string) => letter.toUpperCase()),
    tags: [groupOf(operation)],
    summary,
    description,
    requestBody: { required: isRequired, content: { "application/json": { schema } } },
    responses: {
      "200": {
        description: "It was done.",
        content: (streams as readonly string[]).includes(name) ? lines : document,
      },
      default: failed,
    },
  };
}

function groupOf({ name }: Operation): string {
  return name.slice(0, name.indexOf("."));
}

function descriptionOf(text: string | undefined): { readonly description?: string } {
  return text === undefined ? {} : { description: text };
}

const answer: Json = {
  type: "object",
  required: ["outcome", "result"],
  properties: {
    outcome: {
      type: "string",
      enum: ["done", "findings", "failed"],
      description: "findings: it ran and found something; failed: it ran, and a part of it failed.",
    },
    result: { type: "object", additionalProperties: true, description: "What the command prints with --json." },
  },
};

const error: Json = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      additionalProperties: true,
      properties: {
        code: { type: "string", enum: Object.keys(errorStatuses) },
        message: { type: "string", description: "One sentence: what was seen, what is allowed, what to do." },
      },
    },
  },
};

function eventsOf(description: string): Json {
  return {
    "200": { description, content: { "text/event-stream": { schema: { type: "string" } } } },
    default: failed,
  };
}

const lastEventId: Json = { $ref: "#/components/parameters/LastEventId" };

const followThread: Json = {
  operationId: "threadEventsFollow",
  tags: ["thread"],
  summary: "Follow the frames of a thread as server-sent events",
  description:
    "Sends each frame from a seq on, and new ones as they are appended. The id of an event is the frame's seq.",
  parameters: [
    { name: "thread_id", in: "query", required: true, description: "the thread", schema: { type: "string" } },
    {
      name: "from_seq",
      in: "query",
      required: false,
      description: "start at this seq (default: 0)",
      schema: { type: "integer", minimum: 0 },
    },
    lastEventId,
  ],
  responses: eventsOf("Events whose data is a frame."),
};

const followChanges: Json = {
  operationId: "memoryChanges",
  tags: ["memory"],
  summary: "Follow changes of the memory as server-sent events",
  description:
    "Sends an event named tree whenever the memory on disk changes, whatever program changed it. Its data lists the parts that changed: logs, nodes, root, notes, threads, sessions, audit, summaries.",
  parameters: [lastEventId],
  responses: eventsOf('Events whose data is {"changed": […]}. Its first one is empty unless something was missed.'),
};

const thisDocument: Json = {
  operationId: "openapi",
  tags: ["memory"],
  summary: "This document",
  responses: {
    "200": { description: "An OpenAPI document.", content: { "application/json": { schema: { type: "object" } } } },
    default: failed,
  },
};
