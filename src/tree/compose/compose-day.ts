import { addSpan, copyRule, redactionRule, type Span } from "../model/node-format.ts";
import { EntryCopies, LogWarnings, type OpenLog, type Row, selectRows } from "./day-sections.ts";
import type { Day } from "../../base/calendar.ts";
import type { Warning } from "../../base/errors.ts";
import { type Passage, plainPassage, type SourceSection } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";
import { type SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import { cleared, SecretScan } from "./secrets.ts";
import { type Composed, composeSummary, type NodeAnswer, topicsOf } from "./compose-summary.ts";
import { fitsVerbatim, thresholds } from "./limits.ts";
import type { NodeName } from "../model/period.ts";
import { SectionCutter } from "../model/section-cutter.ts";
import type { RawWindow } from "../model/raw-scan.ts";
import { extractPassages } from "../extract/built-in-summarizer.ts";
import { rankPassages } from "../extract/rank.ts";

interface Watch {
  /** Collects the parts of secrets in the text read. */
  readonly pieces?: SecretPieces;
  /** Called with the sections of a day to be summarized. */
  readonly onExtract?: (sections: readonly SourceSection[]) => void;
}

/** Builds a daily node from the windows of the day's logs, in bounded memory. */
export class DayComposer {
  readonly #name: NodeName;
  readonly #warnings: LogWarnings[] = [];
  #copy: Row[] | undefined = [];
  #copyBytes = 0;
  #passages: readonly Passage[] = [];
  #held: SourceSection[] = [];
  #covered: Ref[] = [];
  readonly #copies = new EntryCopies();
  #log: OpenLog | undefined;
  readonly #known: SecretValues;
  readonly #watch: Watch;
  /**
   * The secrets found so far. A secret revealed by a later line may also occur earlier, so the day is then composed
   * again with these.
   */
  readonly secrets = new SecretValues();

  /** `known`: the secrets of the day. */
  constructor(name: NodeName, known: SecretValues, watch: Watch = {}) {
    this.#name = name;
    this.#known = known;
    this.#watch = watch;
  }

  /**
   * Starts the next log of the day. `part`: the lines to use; empty for all. `secrets`: `none` if the log is known to
   * have none.
   */
  begin(log: Pick<OpenLog, "path" | "name" | "part"> & { readonly secrets: "none" | "unknown" }): void {
    this.#warnings.push(new LogWarnings(log.path));
    this.#log = {
      ...log,
      scan: log.secrets === "none" ? undefined : new SecretScan(this.secrets),
      cutter: new SectionCutter(log.name),
      section: undefined,
      headingShown: 0,
      fence: undefined,
      fenceShown: 0,
    };
  }

  add(window: RawWindow): void {
    const log = this.#log;
    if (log === undefined) return;
    this.#warnings.at(-1)?.add(window);
    const texts = this.#redacted(log, window);
    const rows = selectRows(log, window, texts);
    for (const row of rows) this.#copyRow(row);
    this.#cover(rows);
    this.#extract(log.cutter.cut(rows));
  }

  /** Whether the day is summarized, so an answer applies to it. */
  get isOverThreshold(): boolean {
    return this.#copy === undefined;
  }

  end(answer?: NodeAnswer): { readonly composed: Composed; readonly warnings: readonly Warning[] } {
    const warnings = this.#warnings.flatMap((log) => log.all());
    if (this.#copy !== undefined && this.#copy.some((line) => line.text.trim() !== "")) {
      const { body, spans } = printCopy(this.#copy);
      const topics = topicsOf(extractPassages(this.#held), thresholds.daily.topics);
      return { composed: cleared({ ...copied, body, spans, topics }, this.#known), warnings };
    }
    const lines = this.#covered;
    const summary = composeSummary(this.#name, { passages: this.#passages, lines }, answer);
    const made =
      summary.body.length > 0 ? summary : composeSummary(this.#name, { passages: lines.map(nothingIn), lines });
    const composed = cleared({ ...made, redactedBy: redactionRule, weeks: [] }, this.#known);
    return { composed, warnings };
  }

  #cover(rows: readonly Row[]): void {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return;
    const known = this.#covered.at(-1);
    if (known?.log === first.log) this.#covered[this.#covered.length - 1] = { ...known, to: last.number };
    else this.#covered.push({ log: first.log, from: first.number, to: last.number });
  }

  #redacted(log: OpenLog, window: RawWindow): readonly string[] {
    const lines = window.lines.map((line) => line.text);
    const texts = log.scan?.add(lines) ?? lines;
    const clean = this.#known.size === 0 ? texts : texts.map((text) => this.#known.replaceIn(text));
    for (const text of clean) this.#watch.pieces?.read(text);
    return clean;
  }

  #copyRow(row: Row): void {
    if (this.#copy === undefined) return;
    this.#copyBytes += row.bytes;
    this.#copy.push(row);
    if (fitsVerbatim("daily", { lines: this.#copy.length, bytes: this.#copyBytes })) return;
    this.#copy = undefined;
  }

  /** Holds sections back while the day may still be copied; after that, turns them into passages as they arrive. */
  #extract(sections: readonly SourceSection[]): void {
    for (const section of sections) this.#held.push(section);
    if (this.#copy !== undefined) return;
    this.#watch.onExtract?.(this.#held);
    this.#copies.add(this.#held);
    this.#passages = this.#copies.withoutEarlier([...this.#passages, ...extractPassages(this.#held)]);
    this.#held = [];
    if (this.#passages.length > mostPassages)
      this.#passages = rankPassages(this.#passages, unlimited).slice(0, mostPassages / 4);
  }
}

const copied = {
  madeBy: copyRule,
  redactedBy: redactionRule,
  answer: undefined,
  weeks: [],
  shortened: [],
  ranked: [],
} as const;

/** The content of a day with nothing worth keeping: without a node, its log would be due forever. */
function nothingIn(ref: Ref): Passage {
  const text = "nothing to keep, only blank lines, code, output or passing notes";
  return { ...plainPassage, role: "note", topic: "", text, refs: [ref], weight: 1 };
}

/** With more passages than this, a log is thinned out while being read, to bound memory. */
const mostPassages = 4_000;
const unlimited = { lines: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

function printCopy(copy: readonly Row[]): { readonly body: readonly string[]; readonly spans: readonly Span[] } {
  const spans: Span[] = [];
  copy.forEach(({ log, number }, index) => addSpan(spans, index + 1, { log, from: number }));
  return { body: copy.map((line) => line.text), spans };
}

export function logName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/u, "");
}

export function dayOfLog(path: string): Day {
  return logName(path).slice(0, 10);
}
