import { describe, expect, it } from "vitest";
import { termsOfBeginning, termsOfPhrase, termsOfQuery, type Term } from "../../src/text/words/query.ts";
import { withWordIndex } from "../fixtures/word-index.ts";

type Case = readonly [text: string, query: string, is: "found" | "not found"];

/** Every text once, so that each has to be found among all others. */
async function askAll(cases: readonly Case[], act: (found: Found) => void): Promise<void> {
  await withWordIndex(
    cases.map(([text]) => text),
    async (find) => {
      for (const [at, [text, query, is]] of cases.entries()) {
        const any = await find(termsOfQuery(query).flatMap((word) => word.any));
        const all = await find({ all: mustOf(query) });
        act({ what: `${text} | ${query}`, is, any: any.includes(at), all: all.includes(at) });
      }
    },
  );
}

interface Found {
  readonly what: string;
  readonly is: "found" | "not found";
  /** Found by any of its terms, as in a query with other words. */
  readonly any: boolean;
  /** Found as required by `+word`. */
  readonly all: boolean;
}

function mustOf(query: string): readonly Term[] {
  if (query.endsWith("*")) return termsOfBeginning(query.slice(0, -1));
  return termsOfQuery(query).flatMap((word) => word.all);
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
  ["fixed in 7c0ffee last", "7c0ffee1d2c3b4a5968778695a4b3c2d1e0f0a1b", "found"],
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
  ["ភាសាខ្មែរ", "ខ្មែរ", "found"],
  ["မြန်မာစာ", "မြန်မာ", "found"],
  ["會議室在三樓", "会议", "found"],
  ["会議室は三階", "會議", "found"],
  ["コーヒーを淹れた", "こーひー", "found"],
  ["サーバーが落ちた", "さーばー", "found"],
  ["らーめんを食べた", "ラーメン", "found"],
  ["영수증을 모았다", "모으기", "not found"],
  ["ພາສາລາວ", "ລາວ", "found"],
];

describe("the words under which a text is found", () => {
  it("are names, whole and in part", async () => {
    await askAll(names, ({ what, is, any, all }) => {
      expect(all, what).toBe(is === "found");
      if (is === "found" && !what.endsWith("*")) expect(any, what).toBe(true);
    });
  });

  it("are words with and without accents, in any case", async () => {
    await askAll(accents, ({ what, is, any }) => expect(any, what).toBe(is === "found"));
  });

  it("are parts of runs without spaces and of Korean words", async () => {
    await askAll(eastern, ({ what, is, any, all }) => expect(is === "found" ? any : all, what).toBe(is === "found"));
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
  ])("in %s: %s", async (text, phrase, count) => {
    await withWordIndex([text], async (find) => expect(await find({ all: termsOfPhrase(phrase) })).toHaveLength(count));
  });
});

describe("the order of hits", () => {
  it("ranks the whole word before texts with its pairs apart", async () => {
    const texts = [
      "京都の東側、東京ではない。タワの話",
      "東京に行った。タワーマンションを見た",
      "東京タワーに行った日のこと",
    ];
    const terms = termsOfQuery("東京タワー").flatMap((word) => word.any);
    await withWordIndex(texts, async (find) => expect((await find(terms))[0]).toBe(2));
  });
});
