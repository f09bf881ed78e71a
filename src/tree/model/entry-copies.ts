import { detached } from "../../base/lines.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import type { Passage, SourceSection } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";

/** Ids that are remembered, the newest: a day of more entries is read in bounded memory. */
const mostIds = 50_000;

/** The entries of a day that is read in pieces: of those with the same id the last one counts, also in another log of the day. */
export class EntryCopies {
  readonly #places = new Map<string, Ref>();
  /** The id of the entry that the next piece may go on with. */
  #open: string | undefined;
  #earlier: Ref[] = [];

  add(sections: readonly SourceSection[]): void {
    for (const section of sections) {
      const place = placeOf(section);
      const begins = beginsEntry(section);
      if (begins) this.#open = idOf(section);
      const id = this.#open;
      const known = id === undefined ? undefined : this.#places.get(id);
      if (!begins && known?.log !== place.log) this.#open = undefined;
      if (id === undefined || this.#open === undefined) continue;
      if (begins && known !== undefined) this.#earlier.push(known);
      // The newest stands last.
      this.#places.delete(id);
      this.#places.set(id, begins || known === undefined ? place : { ...known, to: place.to });
    }
    for (const id of this.#places.keys()) {
      if (this.#places.size <= mostIds) break;
      this.#places.delete(id);
    }
  }

  /** Passages without what an earlier copy says, of the copies that were added since the last call. */
  withoutEarlier(passages: readonly Passage[]): readonly Passage[] {
    const earlier = this.#earlier;
    this.#earlier = [];
    if (earlier.length === 0) return passages;
    return passages.flatMap((passage) => {
      const refs = passage.refs.filter((ref) => !earlier.some((place) => isWithin(ref, place)));
      return refs.length === passage.refs.length ? [passage] : refs.length === 0 ? [] : [{ ...passage, refs }];
    });
  }
}

function beginsEntry({ lines: [first] }: SourceSection): boolean {
  return first?.kind === "heading" && /^#{1,2}(?:\s|$)/u.test(first.text);
}

function idOf({ lines: [, second] }: SourceSection): string | undefined {
  const id = parseEntryComment(second?.text ?? "")?.id;
  return id === undefined ? undefined : detached(id);
}

function placeOf({ log, lines }: SourceSection): Ref {
  return { log, from: lines[0]?.number ?? 0, to: lines.at(-1)?.number ?? 0 };
}

function isWithin(ref: Ref, place: Ref): boolean {
  return ref.log === place.log && ref.from >= place.from && ref.to <= place.to;
}
