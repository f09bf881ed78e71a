import { type Day, isDay } from "../../base/calendar.ts";
import { fields, isText, listOf, oneOf, optionally, parseJson } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import { type SummaryKind, summaryKinds } from "./record.ts";

type LedgerKind = SummaryKind | "choice";

export interface LedgerLine {
  readonly at: string;
  /** The local day that the line is charged to. */
  readonly day: string;
  readonly event: "asked" | "answered" | "failed" | "submitted" | "dropped" | "waited";
  readonly kind: LedgerKind;
  readonly label: string;
  readonly digest?: string;
  readonly model?: string;
  /** `asked`: the maximum cost. `answered`, `failed`: the actual cost. */
  readonly tokens?: number;
  readonly requests?: number;
  readonly outcome?: "accepted" | "refused";
  readonly codes?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}

/** One line, including the newline; keys always in the same order. */
export function printLedgerLine(line: LedgerLine): string {
  const { at, day, event, kind, label, digest, model, tokens, requests, outcome, codes, code, message } = line;
  return `${JSON.stringify({ at, day, event, kind, label, digest, model, tokens, requests, outcome, codes, code, message })}\n`;
}

/** The parsed line, or `undefined` if it is torn or does not fit the format. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  const value = parseJson(text);
  return isLedgerLine(value) ? (value as LedgerLine) : undefined;
}

const isLedgerLine = fields({
  at: isText,
  day: (value) => typeof value === "string" && isDay(value),
  event: oneOf(["asked", "answered", "failed", "submitted", "dropped", "waited"]),
  kind: oneOf([...summaryKinds, "choice"]),
  label: isText,
  digest: optionally(isText),
  model: optionally(isText),
  tokens: optionally(isCount),
  requests: optionally(isCount),
  outcome: oneOf([undefined, "accepted", "refused"]),
  codes: optionally(listOf(isText)),
  code: optionally(isText),
  message: optionally(isText),
});

export interface DayTotals {
  readonly requests: number;
  readonly tokens: number;
  readonly accepted: number;
  readonly refused: number;
  readonly failed: number;
  readonly submitted: number;
}

export interface Waited {
  readonly runs: number;
  readonly since: Day;
}

interface Asked {
  readonly day: Day;
  readonly requests: number;
  readonly tokens: number;
}

const nothing: DayTotals = { requests: 0, tokens: 0, accepted: 0, refused: 0, failed: 0, submitted: 0 };

/**
 * Folds a ledger line by line. Memory use grows with the number of days and waiting nodes, not with the number of
 * lines.
 */
export class LedgerFold {
  readonly #days = new Map<Day, DayTotals>();
  readonly #waited = new Map<string, Waited>();
  /** Requests still open, with the estimates of their attempts. */
  readonly #open = new Map<string, readonly Asked[]>();

  add(line: LedgerLine): void {
    switch (line.event) {
      case "asked":
        return this.#ask(line);
      case "answered":
        return this.#end(line, { [line.outcome ?? "refused"]: 1 });
      case "failed":
        return this.#end(line, { failed: 1 });
      case "submitted":
        return this.#count(line.day, { submitted: 1 });
      case "waited":
        return this.#wait(line);
      case "dropped":
    }
  }

  /** The totals of a day. Each attempt of an open request counts as one request at its maximum cost. */
  totals(day: Day): DayTotals {
    return this.#days.get(day) ?? nothing;
  }

  /** Newest first. */
  days(): readonly (DayTotals & { readonly day: Day })[] {
    return [...this.#days]
      .map(([day, totals]) => ({ day, ...totals }))
      .filter(({ requests, tokens, submitted, failed }) => requests + tokens + submitted + failed > 0)
      .toSorted((a, b) => (a.day < b.day ? 1 : -1));
  }

  /** By `<kind> <label>`. */
  waited(): ReadonlyMap<string, Waited> {
    return this.#waited;
  }

  /** A retry extends the open request. A new first attempt abandons it, but its estimates stay counted. */
  #ask(line: LedgerLine): void {
    const before = (line.requests ?? 1) > 1 ? this.#open.get(keyOf(line)) : undefined;
    const asked = { day: line.day, requests: 1, tokens: line.tokens ?? 0 };
    this.#open.set(keyOf(line), [...(before ?? []), asked]);
    this.#count(asked.day, asked);
  }

  /** Replaces the estimates with the actual cost, charged to the day of the last attempt. */
  #end(line: LedgerLine, outcome: Partial<DayTotals>): void {
    const asked = this.#open.get(keyOf(line)) ?? [];
    this.#open.delete(keyOf(line));
    let [requests, tokens] = [0, 0];
    // Attempts may span midnight: each estimate is refunded to the day it was charged to.
    for (const each of asked) {
      this.#count(each.day, { requests: -each.requests, tokens: -each.tokens });
      requests += each.requests;
      tokens += each.tokens;
    }
    this.#count(asked.at(-1)?.day ?? line.day, {
      requests: line.requests ?? requests,
      tokens: line.tokens ?? tokens,
    });
    this.#count(line.day, outcome);
  }

  #count(day: Day, more: Partial<DayTotals>): void {
    const totals: { -readonly [Key in keyof DayTotals]: number } = { ...this.totals(day) };
    for (const key of Object.keys(totals) as (keyof DayTotals)[]) totals[key] += more[key] ?? 0;
    this.#days.set(day, totals);
  }

  #wait(line: LedgerLine): void {
    const key = `${line.kind} ${line.label}`;
    const { runs, since } = this.#waited.get(key) ?? { runs: 0, since: line.day };
    this.#waited.set(key, { runs: runs + 1, since: line.day < since ? line.day : since });
  }
}

function keyOf(line: Pick<LedgerLine, "kind" | "label" | "digest">): string {
  return `${line.kind} ${line.label} ${line.digest ?? ""}`;
}
