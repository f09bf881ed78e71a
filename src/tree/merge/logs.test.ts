import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";
import { isPerhapsMoved, mergeConflicts, mergeLogs } from "./logs.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const merged = (base: string, ours: string, theirs: string, forgotten: readonly string[] = []): string =>
  Buffer.from(
    mergeLogs(
      { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) },
      { ids: new Set(forgotten), has: (line) => forgotten.includes(line) },
    ),
  ).toString("utf8");

const title = "# 2026-03-15\n";
const entry = (id: string, minute: number, body = `- ${id}`): string =>
  `\n## Topic ${id} [project]\n<!-- hw id=${id} at=2026-03-15T10:${String(minute).padStart(2, "0")}:00+00:00 origin=agent -->\n${body}\n`;

describe("the merge of a log", () => {
  it("keeps what both sides added, in the order of its time", () => {
    const base = title + entry("a", 1);
    expect(merged(base, base + entry("c", 3), base + entry("b", 2))).toBe(base + entry("b", 2) + entry("c", 3));
  });

  it("keeps entries whole that have lines in common, where a union of lines would not", () => {
    const [one, other] = [entry("b", 2, "- done"), entry("c", 3, "- done")];
    expect(merged(title, title + one, title + other)).toBe(title + one + other);
  });

  it("does not reorder what only one side added", () => {
    const ours = title + entry("late", 9) + entry("early", 1);
    expect(merged(title, ours, title)).toBe(ours);
    expect(merged(title, title, ours)).toBe(ours);
  });

  it("leaves out what one side removed, also from the middle, and what is forgotten", () => {
    const [a, b, c] = [entry("a", 1), entry("b", 2), entry("c", 3)];
    expect(merged(title + a + b, title + b, title + a + b + c)).toBe(title + b + c);
    expect(merged(title + a, title + a + b, title + a + c, ["b"])).toBe(title + a + c);
  });

  it("leaves out lines that were forgotten, unless both sides have them", () => {
    const sized = (id: string, body: string): string =>
      entry(id, 1, body).replace("origin=agent", `origin=agent bytes=${Buffer.byteLength(body)}`);
    const [whole, cut] = [sized("a", "- Zoë said so\n- the code is 4471"), sized("a", "- Zoë said so")];
    const lines = ["- the code is 4471"];
    // A conflict copy has no base.
    expect(merged("", title + cut, title + whole, lines)).toBe(title + cut);
    expect(merged("", title + whole, title + whole, lines)).toBe(title + whole);
    expect(merged(title + whole, title + cut, title + whole + entry("b", 2, "- the code is 4471"), lines)).toBe(
      title + cut + entry("b", 2, "").trimEnd() + "\n",
    );
  });

  it("leaves out of an edited entry what the other side removed", () => {
    const [a, cut] = [entry("a", 1, "- first\n- the code is 4471"), entry("a", 1, "- first")];
    const edited = entry("edit-0123456789abcdef", 2, "- second\n- the code is 4471");
    const rest = entry("edit-0123456789abcdef", 2, "- second");
    expect(merged(title + a, title + cut, title + a + edited)).toBe(title + cut + rest);
    expect(merged(title + a, title, title + a + edited)).toBe(title + rest);
    expect(merged(title + a, title + a, title + a + edited)).toBe(title + a + edited);
    const other = edited.replaceAll("edit-0123456789abcdef", "b");
    expect(merged(title + a, title + cut, title + a + other)).toBe(title + cut + other);
  });

  it("keeps the title for what was added to a log that the other side removed", () => {
    const [base, added] = [`${title}\nnote\n${entry("a", 1)}`, entry("b", 2)];
    const left = Buffer.from(mergeLogs({ base: bytes(base), ours: undefined, theirs: bytes(base + added) })).toString();
    expect(left).toBe(title + added);
    const none = mergeLogs({ base: bytes(base), ours: bytes(base), theirs: undefined });
    expect(Buffer.from(none).toString()).toBe("");
  });

  it("counts the bytes of an entry again that both sides changed", () => {
    const sized = (body: string): string =>
      entry("a", 1, body).replace("origin=agent", `origin=agent bytes=${Buffer.byteLength(body)}`);
    expect(merged(title + sized("- a"), title + sized("- a\n- b"), title + sized("- Zoë\n- a"))).toBe(
      title + sized("- Zoë\n- a\n- b"),
    );
  });

  it("takes a change, keeps a changed entry that the other side removed, and both changes of one entry", () => {
    const [a, changed] = [entry("a", 1), entry("a", 1, "- a\n- more")];
    expect(merged(title + a, title + changed, title + a)).toBe(title + changed);
    expect(merged(title + a, title + changed, title)).toBe(title + changed);
    expect(merged(title + a, title + changed, title + entry("a", 1, "- first\n- a"))).toBe(
      title + entry("a", 1, "- first\n- a\n- more"),
    );
  });

  it("keeps one entry of two with the same id, and drops the beginning that a crash left", () => {
    const b = entry("b", 2, "- one\n- two");
    expect(merged(title, title + b, title + b)).toBe(title + b);
    expect(merged(title, title + entry("b", 2, "- one") + b, title)).toBe(title + b);
  });

  it("merges notes without headings line by line, and two logs of a day that both sides began", () => {
    expect(merged("", `${title}\none\n`, `${title}\ntwo\n`)).toBe(`${title}\none\ntwo\n`);
    expect(merged("", title + entry("a", 1), title + entry("b", 2))).toBe(title + entry("a", 1) + entry("b", 2));
  });

  it("keeps sections without an id below the entry that they follow, and merges an edited one by its heading", () => {
    const note = "\n## Standup\n- mine\n";
    expect(merged(title, title + entry("a", 1) + note, title + entry("b", 2))).toBe(
      title + entry("a", 1) + note + entry("b", 2),
    );
    const both = merged(title + note, `${title}${note}- ours\n`, `${title}${note}- theirs\n`);
    expect(both).toBe(`${title}${note}- ours\n- theirs\n`);
  });

  it("keeps line ends and the byte order mark, and ends an open last line before what follows", () => {
    const crlf = (text: string): string => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    const base = title + entry("a", 1);
    expect(merged(crlf(base), crlf(base + entry("c", 3)), crlf(base + entry("b", 2)))).toBe(
      crlf(base + entry("b", 2) + entry("c", 3)),
    );
    const open = base.slice(0, -1);
    expect(merged(open, open + "\n" + entry("c", 3), open)).toBe(base + entry("c", 3));
    expect(merged(open, open, open)).toBe(open);
  });

  it("keeps bytes that are not UTF-8", () => {
    const raw = Buffer.concat([bytes(title), Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a])]);
    const added = Buffer.concat([raw, bytes(entry("a", 1))]);
    expect(Buffer.from(mergeLogs({ base: raw, ours: raw, theirs: added })).equals(added)).toBe(true);
  });
});

describe("what an audit may have moved on one side", () => {
  const sized = (id: string, body: string): string =>
    entry(id, 1, body).replace("origin=agent", `origin=agent bytes=${Buffer.byteLength(body)}`);
  const [a, b] = [sized("a", "- one\n- two"), sized("b", "- three\n- four")];
  const base = title + a + b;
  const rotated = `${title}\n> This log was moved to memory/archive/2026-03-15.full.md by heartwood audit.\n`;
  const cut = base.replace("- three\n", "");
  const forgot = title + sized("a", "- two") + b;
  const isMoved = (ours: string, theirs: string, forgotten: readonly string[] = []): boolean => {
    const known = { ids: new Set(forgotten), has: () => false };
    const [one, other] = [
      { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) },
      { base: bytes(base), ours: bytes(theirs), theirs: bytes(ours) },
    ].map((versions) => isPerhapsMoved(versions, known));
    expect(other).toBe(one);
    return one ?? false;
  };

  it.each([
    ["rotated it, a line is forgotten", rotated, forgot],
    ["rotated it, a line is edited", rotated, base.replace("- one", "- uno")],
    ["rotated it, an entry is gone", rotated, title + b],
    ["cut another entry, a line is forgotten", cut, forgot],
    ["cut an entry, a line of it is forgotten", cut, title + a + sized("b", "- three")],
    ["cut an entry whole, it is edited", title + a, base.replace("- four", "- five")],
  ])("is found if the other side changed it: %s", (_, ours, theirs) => {
    expect(isMoved(ours, theirs)).toBe(true);
  });

  it.each([
    ["an entry was added", rotated, base + entry("c", 2)],
    ["an entry was added to both", rotated + entry("d", 2), base + entry("c", 2)],
    ["both rotated it alike", rotated + entry("d", 2), rotated],
    ["two lines were forgotten", title + sized("a", "- two") + b, title + a + sized("b", "- four")],
    ["two lines were edited", base.replace("- one", "- uno"), base.replace("- three", "- tre")],
  ])("is nothing if %s", (_, ours, theirs) => {
    expect(isMoved(ours, theirs)).toBe(false);
  });

  it("is nothing if two entries were forgotten, one of them here; the summary of a rotated log may quote it", () => {
    expect(isMoved(title + b, title + a, ["a"])).toBe(false);
    expect(isMoved(rotated, title + b, ["a"])).toBe(true);
  });
});

describe("conflict markers in a log", () => {
  const resolved = (text: string): string => Buffer.from(mergeConflicts(bytes(text))).toString("utf8");

  it("go, and the entries of both sides stay, each once", () => {
    const [a, b, c] = [entry("a", 1), entry("b", 2), entry("c", 3)];
    const bad = `${title}${a}<<<<<<< HEAD\n${c}=======\n${b}${c}>>>>>>> other\n`;
    expect(resolved(bad)).toBe(title + a + b + c);
    const diff3 = `${title}<<<<<<< HEAD\n${b}||||||| base\n${a}=======\n${a}${c}>>>>>>> other\n`;
    expect(resolved(diff3)).toBe(title + b + c);
  });

  it("that an entry quotes stay, and a log without any is not changed", () => {
    const quoted = title + entry("a", 1, "\\<<<<<<< HEAD\n=======\n>>>>>>> x");
    expect(resolved(quoted)).toBe(quoted);
  });
});

/** What a clone may have done to a log: entries and notes, by number. */
const someAdditions = fc.array(
  fc.record({ kind: fc.constantFrom("entry", "note"), minute: fc.integer({ min: 0, max: 59 }) }),
  { maxLength: 5 },
);

function written(who: string, additions: readonly { readonly kind: string; readonly minute: number }[]): string {
  return additions
    .map(({ kind, minute }, index) =>
      kind === "entry"
        ? entry(`${who}${index}`, minute, "- done\n\n- same")
        : `\n## Note ${minute % 3}\n- ${who} ${index}\n`,
    )
    .join("");
}

describe("clones that add to one log", () => {
  it("have the same log after any order of merges, with everything once", () => {
    fc.assert(
      fc.property(fc.array(someAdditions, { minLength: 2, maxLength: 4 }), someAdditions, (clones, before) => {
        const base = title + written("base", before);
        const logs = clones.map((additions, index) => base + written(`clone${index}-`, additions));
        const inOrder = logs.reduce((all, log) => merged(base, all, log));
        const otherWay = logs.toReversed().reduce((all, log) => merged(base, log, all));
        expect(otherWay).toBe(inOrder);
        const parts = logs.flatMap((log) => log.slice(base.length).split(/\n(?=## )/u));
        for (const part of parts.filter((one) => one.trim() !== ""))
          expect(inOrder.split(part.trim()).length - 1).toBe(1);
        expect(inOrder.length).toBe(base.length + logs.reduce((sum, log) => sum + log.length - base.length, 0));
        expect(merged(base, inOrder, base)).toBe(inOrder);
        for (const log of logs) expect(merged(log, log, inOrder)).toBe(inOrder);
      }),
      { numRuns: lawRuns(1000) },
    );
  });

  it("get the same log whichever side is called ours, whatever they changed", () => {
    const someLog = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });
    const logOf = (numbers: readonly number[]): string =>
      title +
      numbers.map((n) => (n % 3 === 0 ? `\n## Note ${n % 2}\n- ${n}\n` : entry(`e${n % 5}`, n, `- ${n}`))).join("");
    fc.assert(
      fc.property(someLog, someLog, someLog, (base, ours, theirs) => {
        const texts = [base, ours, theirs].map(logOf) as [string, string, string];
        expect(merged(texts[0], texts[1], texts[2])).toBe(merged(texts[0], texts[2], texts[1]));
      }),
      { numRuns: lawRuns(1000) },
    );
  });
});
