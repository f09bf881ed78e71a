import { isDay } from "../../base/calendar.ts";
import type { LedgerLine } from "./ledger.ts";
import { summaryKinds } from "./record-format.ts";
import { isCount } from "../../base/is-count.ts";

const events: readonly string[] = ["asked", "answered", "failed", "submitted", "dropped", "waited"];

/** One line with its line end; keys always in the same order. */
export function printLedgerLine(line: LedgerLine): string {
  const { at, day, event, kind, label, digest, model, tokens, requests, outcome, codes, code, message } = line;
  return `${JSON.stringify({ at, day, event, kind, label, digest, model, tokens, requests, outcome, codes, code, message })}\n`;
}

/** The line, or `undefined` when it is torn or no such object. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return isLedgerLine(value as Readonly<Record<string, unknown>>) ? (value as LedgerLine) : undefined;
}

function isLedgerLine(value: Readonly<Record<string, unknown>>): boolean {
  const { day, event, kind, codes, outcome } = value;
  return (
    typeof value["at"] === "string" &&
    typeof day === "string" &&
    isDay(day) &&
    events.includes(event as string) &&
    (kind === "choice" || (summaryKinds as readonly unknown[]).includes(kind)) &&
    typeof value["label"] === "string" &&
    ["digest", "model", "code", "message"].every((key) => isMissingOr(value[key], "string")) &&
    [value["tokens"], value["requests"]].every((count) => count === undefined || isCount(count)) &&
    (outcome === undefined || outcome === "accepted" || outcome === "refused") &&
    (codes === undefined || (Array.isArray(codes) && codes.every((code) => typeof code === "string")))
  );
}

function isMissingOr(value: unknown, kind: "string"): boolean {
  return value === undefined || typeof value === kind;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
