import { Hono } from "hono";
import { MemoryError } from "../../base/errors.ts";
import { failureOf, redacted } from "../../operations/failure.ts";
import { isStream, textFile, type Memory, type Operation } from "../../operations/operation.ts";
import { operations } from "../../operations/table.ts";
import { visibleIn } from "../../text/visible.ts";
import type { PageFile } from "./page.ts";

export interface Served {
  readonly memory: Memory;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly token: string;
}

export function createApp({ memory, page, token }: Served): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    const headers = context.res.headers;
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "no-referrer");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
  });
  for (const [path, file] of page)
    app.get(path, (context) =>
      context.body(file.bytes, 200, {
        "content-type": file.type,
        ...(file.identified === "by name" ? { "cache-control": "public, max-age=31536000, immutable" } : {}),
      }),
    );
  app.use("/v1/*", async (context, next) => {
    if (context.req.header("authorization") === `Bearer ${token}`) return next();
    return context.json({ error: { code: "unauthorized", message: "The token is missing or wrong." } }, 401);
  });
  for (const operation of operations as readonly Operation[])
    app.post(`/v1/${operation.name}`, async (context) => {
      try {
        const text = await context.req.text();
        const given = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
        for (const { name, kind } of operation.fields) {
          const value = given[name];
          if (kind.kind === "file" && typeof value === "string") given[name] = textFile(name, value);
        }
        const result = await operation.run(memory, given, { signal: context.req.raw.signal });
        if (isStream(result)) {
          const lines: string[] = [];
          for await (const line of result) lines.push(line);
          return context.body(lines.join(""), 200, { "content-type": "application/x-ndjson" });
        }
        const outcome = operation.outcomeOf?.(result) ?? "done";
        return context.json({ outcome, result: visibleIn(JSON.parse(redacted(JSON.stringify(result)))) } as object);
      } catch (error) {
        const { details, ...failure } = visibleIn(failureOf(error));
        return context.json({ error: { ...details, ...failure } }, error instanceof MemoryError ? 400 : 500);
      }
    });
  return app;
}
