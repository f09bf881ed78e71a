import { describe, expect, test } from "vitest";
import { sha256 } from "../../base/digest.ts";
import { titlesOf } from "../request/request.ts";
import type { SummaryKind } from "../../tree/answers/record.ts";
import { printFrame, printInstructions, promptTexts, ruleOf } from "./instructions.ts";
import { languageOf, type Language } from "./language.ts";

const languages: readonly Language[] = ["en", "ko", "ja", "zh"];
const kinds: readonly SummaryKind[] = ["daily", "weekly", "monthly", "root", "thread"];
const entry = { topic: "Short {answers}", type: "feedback", lines: ["- rule: three sentences"] } as const;
const asked = {
  label: "2026-W11",
  space: { lines: 122, bytes: 24_576 },
  budgetTokens: 3_500,
  mustKeep: [entry],
  leftOut: 17,
  notes: "## Learned Patterns\n- {tokens} is written as it is",
};

function instructions(kind: SummaryKind, language: Language): string {
  return printInstructions({ ...asked, kind }, language);
}

/** The texts of a tree of objects, by their places. */
function textsIn(value: object, path = ""): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    typeof one === "string" ? [[`${path}${key}`, one] as const] : textsIn(one as object, `${path}${key}.`),
  );
}

function placeholders(text: string): readonly string[] {
  return (text.match(/\{[a-z_]+\}/gu) ?? []).toSorted();
}

test("a prompt is known by its version: a change of a text needs a new version, and then a new digest here", () => {
  const all = languages.flatMap((language) =>
    kinds.map((kind) => [instructions(kind, language), printFrame({ kind, id: "0123abcd" }, language)]),
  );
  expect(kinds.map(ruleOf)).toEqual([
    "node-prompt-2",
    "node-prompt-2",
    "node-prompt-2",
    "root-prompt-1",
    "thread-prompt-1",
  ]);
  expect(sha256(JSON.stringify(all)).slice(0, 16)).toBe("03f9d579e54c6f00");
});

describe("every prompt in every language", () => {
  const each = languages.flatMap((language) => kinds.map((kind) => [kind, language] as const));

  test.each(each)("%s in %s names every heading of its kind, in their order", (kind, language) => {
    const text = instructions(kind, language);
    const titles = titlesOf(kind);
    const places = titles.map((title) => text.indexOf(`- \`## ${title}\`: `));
    expect(places).not.toContain(-1);
    expect(text).not.toContain("undefined");
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test.each(each)("%s in %s says every rule", (kind, language) => {
    const text = instructions(kind, language);
    const { shared } = promptTexts[language];
    for (const type of ["user", "feedback", "project", "reference"]) expect(text).toContain(`- \`${type}\``);
    expect(text).toContain("rule");
    expect(text).toContain("how-to-apply");
    for (const marker of ["temporary", "test run", "delete later", "임시", "테스트 중", "나중에 삭제"])
      expect(text).toContain(`\`${marker}\``);
    for (const rule of [shared.output, shared.exclude, shared.exact, shared.invent, shared.language, shared.data])
      expect(text).toContain(rule);
    expect(text).toContain("3500");
    expect(text).toContain("122");
    expect(text).toContain(kind === "root" ? "ROOT.md" : "2026-W11");
    expect(text).toContain("17");
  });

  test.each(each)("%s in %s leaves no placeholder open, and fills none in what others wrote", (kind, language) => {
    const text = instructions(kind, language);
    expect(placeholders(text.replace("{answers}", "").replace("{tokens} is written", ""))).toEqual([]);
    expect(text).toContain(asked.notes);
  });

  test.each(each)("%s in %s says how the sources are marked, and how the answer begins", (kind, language) => {
    const { before, after } = printFrame({ kind, id: "0123abcd" }, language);
    expect(before).toContain("`<sources 0123abcd>`");
    expect(before).toContain("`</sources 0123abcd>`");
    expect(after).toContain(kind === "thread" ? "`- #`" : kind === "root" ? "`## Active Context`" : "`## Topics`");
  });

  test("has the same texts with the same placeholders", () => {
    const [first, ...others] = languages.map((language) =>
      textsIn(promptTexts[language]).map(([path, text]) => `${path} ${placeholders(text).join(" ")}`),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  test("is written in its language", () => {
    for (const language of languages)
      expect(languageOf(textsIn(promptTexts[language].node).map(([, text]) => text.replaceAll(/`[^`]*`/gu, "")))).toBe(
        language,
      );
  });
});

describe("what is not there is not spoken of", () => {
  test("no entries, no lines left out, no notes", () => {
    for (const language of languages) {
      const text = printInstructions({ ...asked, kind: "daily", mustKeep: [], leftOut: 0, notes: undefined }, language);
      expect(text).not.toContain("User and Feedback`:");
      for (const part of [promptTexts[language].node.mustKeep, promptTexts[language].shared.notes])
        expect(text).not.toContain(part);
      expect(text.endsWith(promptTexts[language].shared.data)).toBe(true);
    }
  });

  test("entries stand with their headings alone: their words are the program's", () => {
    const text = instructions("daily", "en");
    expect(text).toContain("\n\n### Short {answers} [feedback]\n\n");
    expect(text).not.toContain("three sentences");
  });
});

describe("the language of most letters", () => {
  test.each([
    ["en", "We decided to use a token bucket for the gateway"],
    ["en", "Der Kurierdienst liefert ab März"],
    ["en", "قررنا استخدام دلو الرموز"],
    ["en", ""],
    ["en", "12345 --- !!!"],
    ["ko", "게이트웨이에 토큰 버킷을 쓰기로 했다 (token bucket)"],
    ["ja", "ゲートウェイにはトークンバケットを使うことにした"],
    ["ja", "決定事項：請求書の期限は三月末とする。担当は田中"],
    ["zh", "我们决定在网关使用令牌桶 token bucket"],
    ["en", "The 決定 was made to keep the token bucket of the gateway as it is"],
  ] as const)("is %s in: %s", (language, text) => {
    expect(languageOf([text])).toBe(language);
  });

  test("looks at a bounded part of a long text", () => {
    const korean = Array.from({ length: 1_000 }, () => "토큰 버킷을 쓰기로 했다 ".repeat(20));
    expect(languageOf(korean)).toBe("ko");
    let seen = 0;
    function* endless(): Generator<string> {
      for (;;) {
        seen += 1;
        yield "a".repeat(10_000);
      }
    }
    expect(languageOf(endless())).toBe("en");
    expect(seen).toBeLessThan(1_000);
  });
});
