import type { SourceText, SourceTextLine } from "./request.ts";

/** Lines of sources as they come, the heaviest of them in bounded memory. */
export class CollectedLines {
  readonly #mostBytes: number;
  #lines: { readonly name: string; readonly line: SourceTextLine }[] = [];
  #bytes = 0;
  #leftOut = 0;

  /** `mostBytes`: of the texts that are held; up to twice as many for a while. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** `name`: the part of the sources that they belong to. */
  add(name: string, lines: readonly SourceTextLine[]): void {
    for (const line of lines) {
      this.#lines.push({ name, line });
      this.#bytes += bytesOf(line);
    }
    if (this.#bytes > this.#mostBytes * 2) this.#thinOut();
  }

  /** Lines that were not kept. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** The parts in the order in which they came, each with its lines in their order. */
  sources(): readonly SourceText[] {
    if (this.#bytes > this.#mostBytes) this.#thinOut();
    const parts = new Map<string, SourceTextLine[]>();
    for (const { name, line } of this.#lines) {
      const list = parts.get(name);
      if (list === undefined) parts.set(name, [line]);
      else list.push(line);
    }
    return Array.from(parts, ([name, lines]): SourceText => ({ name, lines }));
  }

  /** Keeps the heaviest, of equal ones the first. */
  #thinOut(): void {
    const order = this.#lines
      .map((_, index) => index)
      .sort((a, b) => (this.#lines[b]?.line.weight ?? 0) - (this.#lines[a]?.line.weight ?? 0) || a - b);
    const kept = new Set<number>();
    let bytes = 0;
    for (const index of order) {
      const size = bytesOf(this.#lines[index]?.line);
      if (bytes + size > this.#mostBytes) continue;
      bytes += size;
      kept.add(index);
    }
    this.#leftOut += this.#lines.length - kept.size;
    this.#lines = this.#lines.filter((_, index) => kept.has(index));
    this.#bytes = bytes;
  }
}

/** What a line takes besides its text: about what its objects take. */
const perLine = 100;

function bytesOf(line: SourceTextLine | undefined): number {
  return (line?.text.length ?? 0) + perLine;
}
