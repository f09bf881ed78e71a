import { describe, expect, test } from "vitest";
import { redact, redactWindow } from "../../src/text/redact/redact.ts";
import { contexts, isGone, ordinary, restOf, samplesFrom } from "../fixtures/secrets/contexts.ts";
import { kinds } from "../fixtures/secrets/kinds.ts";
import { lookAlikesFrom } from "../fixtures/secrets/look-alikes.ts";

const seeds = [101, 202, 303, 404, 505, 606];

describe("generated secrets: 22 kinds in 14 contexts", () => {
  const samples = seeds.flatMap((seed) => samplesFrom(seed, kinds));
  const judged = samples.map((sample) => {
    const out = redact(sample.text).text;
    return { ...sample, out, isFound: isGone(out, sample.secrets) };
  });

  test("are found: at least 98 of 100 overall, and at least 95 of each kind and in each context", () => {
    expect([Object.keys(kinds).length, Object.keys(contexts).length]).toEqual([22, 14]);
    const share = (of: typeof judged): number => of.filter(({ isFound }) => isFound).length / of.length;
    expect(share(judged)).toBeGreaterThanOrEqual(0.98);
    for (const kind of Object.keys(kinds))
      expect(share(judged.filter((one) => one.kind === kind)), kind).toBeGreaterThanOrEqual(0.95);
    for (const context of Object.keys(contexts))
      expect(share(judged.filter((one) => one.context === context)), context).toBeGreaterThanOrEqual(0.95);
  });

  test("stay redacted: a second pass changes nothing, and no line is added or removed", () => {
    for (const { text, out } of judged) {
      expect(redact(out)).toEqual({ text: out, found: [] });
      expect(out.split("\n")).toHaveLength(text.split("\n").length);
    }
  });

  test("are found in windows cut at any line, as in the whole text", () => {
    for (const { text, out } of judged.slice(0, 308)) {
      const lines = text.split("\n");
      for (let end = 1; end < lines.length; end++) {
        const first = redactWindow(lines.slice(0, end), []);
        const second = redactWindow(lines.slice(end), first.last);
        expect([...first.lines, ...second.lines].join("\n")).toBe(out);
      }
    }
  });
});

describe("text next to a secret stays, byte for byte", () => {
  test("ordinary lines are not secrets", () => {
    expect(ordinary.filter((line) => redact(line).text !== line)).toEqual([]);
  });

  test.each(seeds)("every kind in every context, among ordinary lines: seed %i", (seed) => {
    for (const neighbours of ["alone", "among"] as const)
      for (const { kind, context, text, parts } of samplesFrom(seed, kinds, neighbours))
        expect(restOf(redact(text).text, parts), `${kind} in ${context}: ${text}`).toBe(restOf(text, parts));
  });

  test("every ordinary line, before and after a token quoted in any way", () => {
    const token = `${"gh"}p_${"k7Rq2ZtV9xLw4BnM8cYd5HsJ3fGpT6Ue"}a1B2`;
    for (const lead of ["", "- ", "  - ", "* ", "1. ", "> ", "+", "     7\t", "web-1  | "])
      for (const text of ["§", '"§"', "'§'", "`§`", "token: `§`", 'export A="§"', 'run -e A="§" \\', 'x = "§".', "§."])
        for (const line of ordinary) {
          const whole = [line, text, line, line].map((one) => lead + one).join("\n");
          const out = redact(whole.replace("§", token)).text;
          expect(out).toBe(whole.replace("§", "[REDACTED:github-token]"));
        }
  });
});

test("text that only looks like a secret stays: at most 1 false alarm in 400", () => {
  const all = seeds.flatMap((seed) => lookAlikesFrom(seed, 400));
  const alarms = all.filter(({ text }) => redact(text).text !== text);
  expect(alarms.length / all.length, alarms.map(({ text }) => text).join("\n")).toBeLessThanOrEqual(1 / 400);
});
