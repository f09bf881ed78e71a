import { Buffer } from "node:buffer";
import { createDigest, shortDigest } from "../../base/digest.ts";
import type { FileLine } from "../../base/lines.ts";
import type { ScannedLine } from "../../base/markdown.ts";
import type { SectionDigest } from "./source-format.ts";

/** More sections than this are recorded in groups, so that a front matter stays small. */
const mostSections = 1024;

/** Digests of the sections as they go by: a section begins at each heading of level 2, and at the first line. */
export class SectionFold {
  #open = createDigest();
  #openLine = 1;
  readonly #found = new SectionList();
  #fed = 0;

  add(window: {
    readonly bytes: Buffer;
    readonly lines: readonly FileLine[];
    readonly kinds: readonly ScannedLine[];
    readonly firstLine: number;
    readonly shift: number;
  }): void {
    let from = 0;
    for (let index = 0; index < window.lines.length; index++) {
      if (window.kinds[index]?.level !== 2) continue;
      const at = (window.lines[index]?.from ?? 0) + window.shift;
      this.feed(window.bytes.subarray(from, at));
      this.#close(window.firstLine + index);
      from = at;
    }
    this.feed(window.bytes.subarray(from));
  }

  /** `wanted`: the grouping, by default as much as the sections need. */
  end(wanted?: number): { readonly sections: readonly SectionDigest[]; readonly grouping: number } {
    this.#close(0);
    let grouping = wanted ?? 0;
    while (wanted === undefined && this.#found.length >> grouping > mostSections) grouping += 1;
    return { sections: groupSections(this.#found.all(), grouping), grouping };
  }

  feed(bytes: Uint8Array): void {
    this.#open.update(bytes);
    this.#fed += bytes.length;
  }

  #close(nextLine: number): void {
    if (this.#fed > 0) this.#found.push({ line: this.#openLine, digest: shortDigest(this.#open.peek()) });
    this.#open = createDigest();
    this.#openLine = nextLine;
    this.#fed = 0;
  }
}

const sectionBytes = 16;
const sectionsInBlock = 128;

/** Sections in 16 bytes each: as objects the millions of a log of 1 GB would take hundreds of MB. */
class SectionList {
  length = 0;
  readonly #blocks: Buffer[] = [];

  push({ line, digest }: SectionDigest): void {
    const at = (this.length % sectionsInBlock) * sectionBytes;
    if (at === 0) this.#blocks.push(Buffer.alloc(sectionsInBlock * sectionBytes));
    const block = this.#blocks.at(-1);
    block?.writeDoubleLE(line, at);
    block?.write(digest, at + 8, "hex");
    this.length += 1;
  }

  *all(): Generator<SectionDigest> {
    for (let index = 0; index < this.length; index++) {
      const block = this.#blocks[Math.floor(index / sectionsInBlock)] ?? Buffer.alloc(0);
      const at = (index % sectionsInBlock) * sectionBytes;
      yield { line: block.readDoubleLE(at), digest: block.toString("hex", at + 8, at + sectionBytes) };
    }
  }
}

/**
 * Sections taken together: a group begins where the low bits of a section's digest are zero, so that an edit changes the group it is in and no
 * other (content-defined chunking).
 */
function groupSections(sections: Iterable<SectionDigest>, grouping: number): readonly SectionDigest[] {
  if (grouping === 0) return [...sections];
  const groups: SectionDigest[] = [];
  let open = createDigest();
  let line = 0;
  const close = (): void => {
    if (line > 0) groups.push({ line, digest: shortDigest(open.peek()) });
    open = createDigest();
  };
  for (const section of sections) {
    const begins = (Number.parseInt(section.digest.slice(0, 8), 16) & ((1 << grouping) - 1)) === 0;
    if (begins || line === 0) {
      close();
      line = section.line;
    } else open.update(Buffer.from(" "));
    open.update(Buffer.from(section.digest));
  }
  close();
  return groups;
}
