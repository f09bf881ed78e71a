import { describe, expect, it } from "vitest";
import { termsOfBeginning, termsOfPhrase, termsOfQuery } from "../src/recall/words/index.ts";
import { WordIndex } from "./fixtures/word-index.ts";

type Case = readonly [text: string, query: string, is: "found" | "not found"];

/** A query of one word, as `+word` would ask for it, and as an alternative among others. */
function isFound(text: string, query: string): "found" | "not found" {
  const index = new WordIndex([text]);
  const words = termsOfQuery(query);
  return index.find(words.flatMap((word) => word.any)).length > 0 ? "found" : "not found";
}

function isAllThere(text: string, query: string): "found" | "not found" {
  const all = query.endsWith("*")
    ? termsOfBeginning(query.slice(0, -1))
    : termsOfQuery(query).flatMap((word) => word.all);
  return new WordIndex([text]).findAll(all).length > 0 ? "found" : "not found";
}

const names: readonly Case[] = [
  ["calls parsePlain twice", "parsePlain", "found"],
  ["calls parsePlain twice", "parse plain", "found"],
  ["calls parsePlain twice", "parsePla*", "found"],
  ["calls parsePlain twice", "pla*", "found"],
  ["calls parsePlain twice", "plain", "found"],
  ["calls parsePlain twice", "PLAIN", "found"],
  ["calls parsePlain twice", "parse_plain", "found"],
  ["calls parsePlain twice", "parse-plain", "found"],
  ["calls parsePlain twice", "plainParse", "not found"],
  ["the parse_plain of the module", "parsePlain", "found"],
  ["let the parser parse plain text", "parsePlain", "found"],
  ["E_CONN_REFUSED at start", "E_CONN", "found"],
  ["E_CONN_REFUSED at start", "E_CONN_REF*", "found"],
  ["E_CONN_REFUSED at start", "conn refused", "found"],
  ["E_CONN_REFUSED at start", "E_CONN_REFUSED", "found"],
  ["E_CONN_REFUSED at start", "E_CONN_RESET", "not found"],
  ["it was ERR-1234 again", "ERR-1234", "found"],
  ["it was ERR-1234 again", "err 1234", "found"],
  ["it was ERR-1234 again", "1234", "found"],
  ["it was ERR-1234 again", "ERR-1235", "not found"],
  ["tsc says TS2345 here", "2345", "found"],
  ["tsc says TS2345 here", "ts2345", "found"],
  ["closed by #1234", "#1234", "found"],
  ["closed by #1234", "1234", "found"],
  ["new HTTPServer2(port)", "HTTPServer2", "found"],
  ["new HTTPServer2(port)", "httpserver2", "found"],
  ["new HTTPServer2(port)", "server", "found"],
  ["new HTTPServer2(port)", "HTTPServer", "found"],
  ["new HTTPServer2(port)", "Server2", "found"],
  ["a kebab-case-name here", "kebab-case-name", "found"],
  ["a kebab-case-name here", "case", "found"],
  ["see src/engine/search/run-search.ts", "src/engine/search/run-search.ts", "found"],
  ["see src/engine/search/run-search.ts", "run-search.ts", "found"],
  ["see src/engine/search/run-search.ts", "search/run-search", "found"],
  ["see src/engine/search/run-search.ts", "src/run-search.ts", "not found"],
  ["pkg.mod.fn() returns nothing", "pkg.mod.fn()", "found"],
  ["pkg.mod.fn() returns nothing", "mod.fn", "found"],
  ["pkg.mod.fn() returns nothing", "fn", "found"],
  ["released v1.2.3 today", "v1.2.3", "found"],
  ["released v1.2.3 today", "1.2.3", "found"],
  ["released 1.2.3 today", "v1.2.3", "found"],
  ["released v1.2.3 today", "1.2.4", "not found"],
  ["flag 0x1F set", "0x1f", "found"],
  ["id 9f1c2b34-aaaa-4bbb-8ccc-1234567890ab", "9f1c2b34-aaaa-4bbb-8ccc-1234567890ab", "found"],
  ["id 9f1c2b34-aaaa-4bbb-8ccc-1234567890ab", "9f1c2b34", "found"],
  ["reverted 3e5a1b9 on main", "3e5a1b9", "found"],
  ["reverted 3e5a1b9c0d11223344556677889900aabbccddee", "3e5a1b9", "found"],
  ["mail to ana.lopez@example.org", "ana.lopez@example.org", "found"],
  ["mail to ana.lopez@example.org", "lopez", "found"],
  ["https://docs.example.org/a/b?q=1 has it", "docs.example.org", "found"],
  ["https://docs.example.org/a/b?q=1 has it", "https://docs.example.org/a/b", "found"],
  ["cost 1,250,000 won", "1250000", "found"],
  ["cost 1250000 won", "1,250,000", "found"],
  ["ported from C++ to C#", "C++", "found"],
  ["ported from C++ to C#", "c#", "found"],
  ["the C compiler", "C++", "not found"],
  ["std::move semantics", "std::move", "found"],
];

const accents: readonly Case[] = [
  ["a café in Málaga", "cafe malaga", "found"],
  ["a cafe in Malaga", "café", "found"],
  ["e\u0301cole", "école", "found"],
  ["jalapeño soup", "jalapeno", "found"],
  ["Herr Müller kommt", "Muller", "found"],
  ["Herr Müller kommt", "Mueller", "found"],
  ["Herr Mueller kommt", "Müller", "found"],
  ["Straße gesperrt", "strasse", "found"],
  ["Strasse gesperrt", "Straße", "found"],
  ["STRASSE gesperrt", "straße", "found"],
  ["smørrebrød og øl", "smorrebrod", "found"],
  ["Łódź w maju", "lodz", "found"],
  ["ısınma ve IŞIK", "isinma", "found"],
  ["İstanbul'da", "istanbul", "found"],
  ["istanbul", "İSTANBUL", "found"],
  ["Ωμέγα και ΟΔΟΣ", "ωμεγα", "found"],
  ["Ωμέγα και ΟΔΟΣ", "οδός", "found"],
  ["ЁЛКА и Чайковский", "елка", "found"],
  ["ЁЛКА и Чайковский", "чайковский", "found"],
  ["the ﬁle oﬀset", "file offset", "found"],
  ["café au lait", "the", "not found"],
  ["हिन्दी में लिखा", "हिन्दी", "found"],
  ["مُحَمَّد كتب", "محمد", "found"],
];

const eastern: readonly Case[] = [
  ["東京タワーへ行った", "東京", "found"],
  ["東京タワーへ行った", "タワー", "found"],
  ["東京タワーへ行った", "東京タワー", "found"],
  ["東京タワーへ行った", "京都タワー", "not found"],
  ["猫を飼い始めた", "猫", "found"],
  ["黒い猫", "猫", "found"],
  ["ｶﾒﾗを買った", "カメラ", "found"],
  ["カメラを買った", "ｶﾒﾗ", "found"],
  ["りんごを買った", "リンゴ", "found"],
  ["リンゴを買った", "りんご", "found"],
  ["ＡＰＩの設計", "api", "found"],
  ["Pythonで書いた", "python", "found"],
  ["SQLiteに決めた", "sqlite", "found"],
  ["parsePlainを直した", "plain", "found"],
  ["2026年の予定", "2026年", "found"],
  ["서울에서 회의를 했다", "회의", "found"],
  ["서울에서 회의를 했다", "서울", "found"],
  ["피아노를 배웠다", "배우는", "found"],
  ["커피를 마셨다", "마시다", "found"],
  ["집에서 일했다", "집", "found"],
  ["차를 샀다", "사고", "found"],
  ["자동차보험 갱신", "보험", "found"],
  ["SQLite를 골랐다", "sqlite", "found"],
  ["\u1112\u1161\u11ab\u1100\u1173\u11af 문서", "한글", "found"],
  ["我们在上海开会", "上海", "found"],
  ["我们在上海开会", "北京", "not found"],
  ["买了新的笔记本电脑", "电脑", "found"],
  ["家賃は十一万円まで", "11万円", "found"],
  ["통장 한도는 2000만 원", "이천만", "found"],
  ["用时三十五分钟", "35", "found"],
  ["机房迁移完成", "機房遷移", "found"],
  ["圖書館的電話", "图书馆", "found"],
  ["図書館へ行った", "图书馆", "found"],
  ["ไปกรุงเทพเมื่อวาน", "กรุงเทพ", "found"],
  ["ພາສາລາວ", "ລາວ", "found"],
];

describe("the words under which a text is found", () => {
  it.each(names)("name: %s | %s | %s", (text, query, is) => {
    const result = query.includes(" ") ? isFound(text, query) : isAllThere(text, query);
    expect(result).toBe(is);
    if (is === "found" && !query.endsWith("*")) expect(isFound(text, query)).toBe("found");
  });

  it.each(accents)("accents: %s | %s | %s", (text, query, is) => expect(isFound(text, query)).toBe(is));

  it.each(eastern)("eastern: %s | %s | %s", (text, query, is) => {
    if (is === "found") expect(isFound(text, query)).toBe("found");
    else expect(isAllThere(text, query)).toBe("not found");
  });
});

describe("a phrase", () => {
  it.each([
    ["東京タワーへ行った", "東京タワー", 1],
    ["東京のタワーへ行った", "東京タワー", 0],
    ["데이터베이스 정리", "데이터베이스", 1],
    ["the token bucket is full", "token bucket", 1],
    ["the bucket token", "token bucket", 0],
    ["Pythonで書いた", "Pythonで書いた", 1],
  ])("%s | %s", (text, phrase, count) => {
    expect(new WordIndex([text]).findAll(termsOfPhrase(phrase))).toHaveLength(count);
  });
});

describe("the order of what is found", () => {
  it("has the whole word before texts with its pairs apart", () => {
    const texts = [
      "京都の東側、東京ではない。タワの話",
      "東京に行った。タワーマンションを見た",
      "東京タワーに行った日のこと",
    ];
    const terms = termsOfQuery("東京タワー").flatMap((word) => word.any);
    expect(new WordIndex(texts).find(terms)[0]).toBe(2);
  });
});
