import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passage, preserved } from "../../../test/fixtures/passages.ts";
import { clipText, saidBy } from "./root-topics.ts";
import { plainText } from "./root-statements.ts";

describe("a text for a line of ROOT.md", () => {
  it("is cut at the end of a clause, or else of a word", () => {
    expect(clipText("use parquet, partitioned by day, not CSV", 36)).toBe("use parquet, partitioned by day…");
    expect(clipText("a box with 128 GB of memory for vectors", 20)).toBe("a box with 128 GB…");
    expect(clipText("明日は雨が降るので会議は午後に変更する。昼は外に出ない。", 24)).toBe(
      "明日は雨が降るので会議は午後に変更する…",
    );
  });

  it("is never longer than it may be, and has no word that was not there", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}[,;]?$/u), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (list, most) => {
        const text = list.join(" ");
        const cut = clipText(text, most);
        expect(Array.from(cut).length).toBeLessThanOrEqual(most);
        const whole = new Set(list.map((word) => word.replace(/[,;]$/u, "")));
        for (const word of cut.replace(/…$/u, "").split(/[ ,;]+/u)) if (word !== "") expect(whole).toContain(word);
      }),
    );
  });

  it("has no marker, check box, markup or key of the source", () => {
    expect(plainText("- [x] decisions: outcome: **done**, `main` is green;")).toBe("done, main is green");
    expect(plainText("3. 決定: Lucene を使う")).toBe("Lucene を使う");
  });

  it("is the rule of a feedback entry, and nothing where an entry only repeats its name", () => {
    const rule = preserved("Short [feedback]", "2026-03-15", "- why: a phone", "- **Rule:** three sentences");
    expect(saidBy(rule)?.text).toBe("three sentences");
    expect(saidBy(passage("note", "Auth", "2026-03-15", "auth."))).toBeUndefined();
    expect(saidBy(preserved("Deploy [user]", "2026-03-15", "```", "kubectl apply", "```"))).toBeUndefined();
  });
});
