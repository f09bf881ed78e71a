import type { CallToolResult } from "@modelcontextprotocol/server";
import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../base/redact/index.ts";

/** A failure as a result that the model reads: one sentence, and the code beside it. A sentence may quote what the caller gave, so it is redacted. */
export function failureOf(thrown: unknown): CallToolResult {
  const { code, message, details } = thrown instanceof MemoryError ? thrown : faultOfOurs(thrown);
  const told = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, safeValue(value)]));
  return {
    isError: true,
    content: [{ type: "text", text: `${safe(message)} (${code})` }],
    structuredContent: { error: { ...told, code, message: safe(message) } },
  };
}

function faultOfOurs(thrown: unknown): MemoryError {
  if (thrown instanceof Error && thrown.name === "AbortError")
    return new MemoryError("aborted", "Stopped before the end; call it again.");
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new MemoryError("internal", `heartwood itself failed (${said}); this is a bug: please report it.`);
}

function safeValue(value: MemoryError["details"][string]): unknown {
  if (typeof value === "string") return safe(value);
  return typeof value === "object" ? value.map(safe) : value;
}

function safe(said: string): string {
  return redact(said).text;
}
