import type { Warning } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { TranscriptItem } from "../transcripts/transcripts.ts";

type Fault = Extract<TranscriptItem, { kind: "fault" }>;
type Unknown = Extract<TranscriptItem, { kind: "unknown" }>;

interface Seen {
  readonly warning: Warning;
  count: number;
}

/** Kinds of rows beyond these are one warning together. */
const mostKinds = 40;

/** What could not be read of transcripts: one warning for each kind, with the first place and how often it came. */
export class Faults {
  readonly #seen = new Map<string, Seen>();

  addUnknown(source: string, { what, place }: Unknown): void {
    const kind = this.#seen.size < mostKinds ? shown(what.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " "), 60) : "others";
    const message = `rows of the kind "${kind}" are not known and were left out, the first at ${place}`;
    this.#add(`unknown ${kind}`, { code: "unknown_row", path: shown(source, 1_000), message });
  }

  addFault(source: string, { code, message, place }: Fault): void {
    this.#add(`${code} ${source}`, { code, path: shown(source, 1_000), message: `${message}, the first at ${place}` });
  }

  warnings(): readonly Warning[] {
    return [...this.#seen.values()].map(({ warning, count }) =>
      count === 1 ? warning : { ...warning, message: `${warning.message} (${count} in all)` },
    );
  }

  #add(key: string, warning: Warning): void {
    const seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, { warning, count: 1 });
    else seen.count += 1;
  }
}
