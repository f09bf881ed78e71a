import type { RootCandidate } from "./root-lines.ts";

export interface RootLimits {
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
  readonly bytes: number;
}

/** The space of ROOT.md as it fills, and the ledger of what did not fit. */
export class RootSpace {
  readonly chosen: RootCandidate[] = [];
  /** Lines that did not fit, with the reason. */
  readonly dropped = new Map<RootCandidate, string>();
  readonly #count: (text: string) => number;
  readonly #costs = new Map<{ readonly text: string }, number>();
  #free: number;
  #freeBytes: number;
  #freeLines: number;

  /** `frame`: ROOT.md without any line, which takes its part. */
  constructor(limits: RootLimits, count: (text: string) => number, frame: string) {
    this.#count = count;
    this.#free = limits.tokens - count(frame);
    this.#freeBytes = Math.min(limits.bytes, limits.characters) - frame.length;
    this.#freeLines = limits.lines - frame.split("\n").length;
  }

  /** Tokens that are left. */
  get free(): number {
    return this.#free;
  }

  /** Lines that are left. */
  get freeLines(): number {
    return this.#freeLines;
  }

  fitsAll(lines: readonly { readonly text: string }[], room: number = this.#free): boolean {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
    // To count tokens is the dear part.
    return bytes <= this.#freeBytes && lines.length <= this.#freeLines && this.costOf(lines) <= room;
  }

  /** Tokens that lines take together. */
  costOf(lines: readonly { readonly text: string }[]): number {
    return lines.reduce((sum, line) => sum + this.cost(line), 0);
  }

  cost(line: { readonly text: string }): number {
    const known = this.#costs.get(line);
    if (known !== undefined) return known;
    const cost = this.#count(`${line.text}\n`);
    this.#costs.set(line, cost);
    return cost;
  }

  /** Whether the line was taken: it must not take more than `most` tokens nor more than is left. */
  take(line: RootCandidate, most: number = this.#free): boolean {
    const cost = this.cost(line);
    const bytes = Buffer.byteLength(line.text) + 1;
    if (cost > most || cost > this.#free || bytes > this.#freeBytes || this.#freeLines < 1) return false;
    this.#free -= cost;
    this.#freeBytes -= bytes;
    this.#freeLines -= 1;
    this.chosen.push(line);
    this.dropped.delete(line);
    return true;
  }

  /** Takes of these lines what fits into a share of the space. */
  takeShare(lines: readonly RootCandidate[], share: number): void {
    let left = share;
    for (const line of lines) {
      if (this.take(line, left)) left -= this.cost(line);
      else this.dropped.set(line, "its section's share of the space is full");
    }
  }

  /** Takes back the line that was chosen last; false when none is left. */
  dropLast(): boolean {
    const line = this.chosen.pop();
    if (line !== undefined) this.dropped.set(line, "the exact count was over the cap");
    return line !== undefined;
  }
}
