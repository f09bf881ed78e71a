import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, EntryScan, type EntryScanEnd, type FoundEntry, entryBody, printEntry } from "./entry-format.ts";

const entry: Entry = {
  topic: "Limits",
  type: "project",
  id: "a",
  at: "2026-03-15T14:05:00+01:00",
  origin: "agent",
  body: ["", "- bursts must pass — all", "- measure"],
};
const whole = `${printEntry({ ...entry, bytes: Buffer.byteLength(entryBody(entry)) }).join("\n")}\n`;
/** As written before byte counts were recorded. */
const old = `${printEntry(entry).join("\n")}\n`;

function scan(
  text: string | Uint8Array,
  cuts: readonly number[] = [],
): Omit<EntryScanEnd, "found"> & { readonly found: FoundEntry | undefined } {
  const bytes = Buffer.from(text as string);
  const folded = new EntryScan(new Map([["a", entryBody(entry)]]));
  let from = 0;
  for (const cut of [...cuts.map((part) => part % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    folded.push(bytes.subarray(from, cut));
    from = cut;
  }
  const end = folded.end();
  return { ...end, found: end.found.get("a") };
}

describe("scanning a log for an entry finds", () => {
  it("a whole entry at its lines, even if it was extended or more follows", () => {
    expect(scan(`# day\n\n${whole}`).found).toEqual({ lines: [3, 7], state: "whole" });
    expect(scan(`# day\n\n${whole}\n\n## Next\n- more\n`).found?.lines).toEqual([3, 7]);
    for (const text of [
      whole.replaceAll("\n", "\r\n"),
      whole.replace("bursts", "floods"),
      whole.replace("- measure", `- ${"word ".repeat(100_000)}`),
      whole.slice(0, -1),
      old,
      old.replace("- bursts must pass — all\n", "- short\n"),
    ])
      expect(scan(text).found).toEqual({ lines: [1, 5], state: "whole" });
  });

  it("a long entry recorded in one long line, however little of it would be written now", () => {
    const long = { ...entry, body: [`- ${"word ".repeat(100_000)}`] };
    const text = `${printEntry({ ...long, bytes: Buffer.byteLength(entryBody(long)) }).join("\n")}\n`;
    expect(scan(text, [5_000, 70_000]).found).toEqual({ lines: [1, 3], state: "whole" });
    expect(scan(text.slice(0, 300_000), [5_000, 70_000]).found?.state).toBe("torn");
  });

  it("a torn entry, wherever a crash cut it and whatever follows, until it is written again", () => {
    const bytes = Buffer.from(whole);
    const body = bytes.indexOf("-->") + 3;
    for (let length = 0; length < bytes.length - 1; length++) {
      const torn = Buffer.from(bytes.subarray(0, length));
      for (const after of ["", "\n\n## Next\n- text of another\n"])
        expect([length, scan(Buffer.concat([torn, Buffer.from(after)])).found?.state ?? "torn"]).toEqual([
          length,
          "torn",
        ]);
      if (length > body) expect(scan(Buffer.concat([torn, Buffer.alloc(5)])).found?.state).toBe("torn");
      const again = scan(Buffer.concat([torn, Buffer.from(`\n\n${whole}`)]));
      expect([again.found?.state, again.found?.lines[1]]).toEqual(["whole", again.lines]);
    }
  });

  it("a whole entry, even if a crash left a hole in what was written after it", () => {
    for (const hole of [
      "\n\0\0\0",
      "\0\0\n- the rest of another\n",
      "\n\0\0 [project]\n<!-- hw id=b at=x origin=agent -->\n",
    ])
      expect(scan(`# day\n\n${whole}${hole}`).found?.state, hole).toBe("whole");
    // A hole within its own lines makes it torn.
    expect(scan(`# day\n\n${whole.slice(0, -1)}\0\0\n`).found?.state).toBe("torn");
    expect(scan(`# day\n\n${whole.replace("bursts", "b\0rsts")}`).found?.state).toBe("torn");
  });

  it("a torn entry without recorded bytes only at the end of the log", () => {
    expect(scan(old.slice(0, -8)).found?.state).toBe("torn");
    expect(scan(`${old.slice(0, -8)}\n`).found?.state).toBe("whole");
  });
});

it("the result for the end of a log does not depend on how it was cut into pieces", () => {
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
