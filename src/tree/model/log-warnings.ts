import type { Warning } from "../../base/errors.ts";
import type { RawWindow } from "./raw-scan.ts";

/** What a reader of one raw log is warned of, each kind once: a file that is not text would fill the screen. */
export class LogWarnings {
  readonly #path: string;
  /** Lines that are not UTF-8. */
  readonly #foreign = { count: 0, first: 0 };
  readonly #others: Warning[] = [];
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add(window: RawWindow): void {
    window.lines.forEach((line, index) => {
      if (line.encoding === "utf-8") return;
      if (this.#foreign.count++ === 0) this.#foreign.first = window.firstLine + index;
    });
    this.#lines += window.lines.length;
    const returns = window.lines.findIndex((line) => line.returns === "inside");
    if (returns >= 0 && !this.#others.some(({ code }) => code === "bare_cr")) {
      const line = window.firstLine + returns;
      const message = `line ${line} of ${this.#path} holds carriage returns without line feeds, which are read as spaces: a file whose lines end so is one line to heartwood; convert its line ends to LF`;
      this.#others.push({ code: "bare_cr", path: this.#path, line, message });
    }
    for (const line of window.unclosed) {
      const message = `the fence in line ${line} of ${this.#path} is never closed`;
      this.#others.push({ code: "open_fence", path: this.#path, line, message });
    }
  }

  /** Of a log that is mostly not UTF-8 nothing else is said. */
  all(): readonly Warning[] {
    const { count, first } = this.#foreign;
    if (count === 0) return this.#others;
    const path = this.#path;
    const lines =
      count === 1 ? `line ${first} of ${path} is` : `${count} lines of ${path}, the first of them line ${first}, are`;
    const message = `${lines} not UTF-8 and left out of the node`;
    const foreign: Warning = { code: "not_utf8", path, line: first, message };
    return count * 2 > this.#lines ? [foreign] : [foreign, ...this.#others];
  }
}
