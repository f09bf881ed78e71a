import { sentenceParts } from "./long-lines.ts";
import type { CutText, PassageLine } from "./types.ts";

/** Characters of a chunk: what it should have, and where a blank line may end it before. */
const wanted = 800;
const enough = 480;
/** A line longer than this is cut by itself. */
const longestLine = 1000;

/** The chunks of one section: runs of lines of about 800 characters, ended at blank lines where there are some. Linear. */
export function chunksOf(lines: readonly PassageLine[]): readonly CutText[] {
  const cutting = new Cutting();
  for (const line of lines) cutting.add(line);
  return cutting.end();
}

class Cutting {
  readonly #chunks: CutText[] = [];
  #run: PassageLine[] = [];
  #length = 0;

  add(line: PassageLine): void {
    const { length } = line.text;
    if (line.text.trim() === "") {
      if (this.#length >= enough) this.#flush();
      else if (this.#run.length > 0) this.#take({ number: line.number, text: "" });
      return;
    }
    if (this.#length + length > wanted && this.#length > 0) this.#flush();
    if (length <= longestLine) this.#take(line);
    else {
      for (const text of sentenceParts(line.text, wanted))
        this.#chunks.push({ lines: [line.number, line.number], text });
    }
  }

  end(): readonly CutText[] {
    this.#flush();
    return this.#chunks;
  }

  #take(line: PassageLine): void {
    this.#run.push(line);
    this.#length += line.text.length + 1;
  }

  #flush(): void {
    while (this.#run.at(-1)?.text === "") this.#run.pop();
    const [first, last] = [this.#run[0], this.#run.at(-1)];
    if (first !== undefined && last !== undefined)
      this.#chunks.push({ lines: [first.number, last.number], text: this.#run.map(({ text }) => text).join("\n") });
    this.#run = [];
    this.#length = 0;
  }
}
