import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printEntry, type Entry } from "./entry-format.ts";
import { EntryScan, type EntryScanEnd } from "./entry-scan.ts";

const entry: Entry = {
  topic: "Limits",
  type: "project",
  id: "a",
  at: "2026-03-15T14:05:00+01:00",
  origin: "agent",
  body: ["", "- bursts must pass — all", "- measure"],
};
const whole = `${printEntry(entry).join("\n")}\n`;

function scan(text: string | Uint8Array, cuts: readonly number[] = []): EntryScanEnd {
  const bytes = Buffer.from(text as string);
  const folded = new EntryScan(entry);
  let from = 0;
  for (const cut of [...cuts.map((part) => part % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    folded.push(bytes.subarray(from, cut));
    from = cut;
  }
  return folded.end();
}

describe("which entry stands in a log", () => {
  it("a whole one, at its lines, also when somebody edited it or more follows", () => {
    expect(scan(`# day\n\n${whole}`).place).toEqual([3, 7]);
    expect(scan(`# day\n\n${whole}\n\n## Next\n- more\n`).place).toEqual([3, 7]);
    expect(scan(whole.replaceAll("\n", "\r\n")).place).toEqual([1, 5]);
    expect(scan(whole.replace("bursts", "floods")).place).toEqual([1, 5]);
    expect(scan(whole.replace("- bursts must pass — all\n- measure\n", "- short\n")).place).toEqual([1, 4]);
    expect(scan(`${whole.slice(0, -10)}\n${"\n".repeat(500)}- text of another\n`).place).toEqual([1, 506]);
    expect(scan(whole.replace("- measure", `- ${"word ".repeat(100_000)}`)).place).toEqual([1, 5]);
  });

  it("no torn one, wherever a crash cut it, and the one that was written after it", () => {
    const bytes = Buffer.from(whole);
    const body = bytes.indexOf("-->") + 3;
    for (let length = 0; length < bytes.length - 1; length++) {
      const torn = Buffer.from(bytes.subarray(0, length));
      expect([length, scan(torn).place]).toEqual([length, undefined]);
      if (length > body) expect(scan(Buffer.concat([torn, Buffer.alloc(5)])).place).toBeUndefined();
      const after = Buffer.concat([torn, Buffer.from(`\n\n${whole}`)]);
      const { place } = scan(after);
      expect(place?.[1]).toBe(scan(after).lines);
    }
  });
});

it("the end of a log is what it is, however it was cut into pieces", () => {
  const part = fc.constantFrom(
    "# day\n",
    "\n",
    "\r\n",
    " ",
    "- text\n",
    "\uFEFF",
    whole,
    whole.slice(0, -12),
    "## B\n",
    "é",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
      const text = parts.join("");
      const end = scan(text, cuts);
      expect(end).toEqual(scan(text));
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      expect(end.lines).toBe(lines.length);
      expect(end.content).toBe(text.trim() === "" ? "blank" : "text");
      expect(end.lastLine).toBe((lines.at(-1) ?? "").trim() === "" ? "blank" : "text");
      expect(end.ending).toBe(text === "" || text.endsWith("\n") ? "closed" : "open");
      expect(end.lineEnd).toBe(text.includes("\r\n") ? "\r\n" : "\n");
    }),
  );
});
