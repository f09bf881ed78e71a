import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { readAnswer } from "./read-answer.ts";
import type { AnswerCode, SummaryKind } from "../../tree/answers/record.ts";
import type { SummaryRequest } from "./request.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const days = [
  "# 2026-05-04",
  "## Invoice numbering [project]",
  "- decisions: the number is drawn in the same transaction as the posting, so that the sequence is gapless",
  "- facts: https webhooks from the tax office reach Beatriz, identifiers in snake_case",
  "## Robot dog demo [project]",
  "- outcome: the battery swap takes 400 ms, the lidar mount holds",
  "- open: who carries it to the trade fair",
];

function request(source: readonly string[] = days, kind: SummaryKind = "daily"): SummaryRequest {
  return {
    kind,
    label: kind === "thread" ? "notes.12" : kind === "root" ? "ROOT" : "2026-05-04",
    basis: "0".repeat(64),
    promptRule: "node-prompt-1",
    instructions: "",
    sources: [{ name: "log", lines: source.map((text) => ({ text, refs: [] })) }],
    mustKeep: [],
    budgetTokens: 200_000,
    space: { lines: 100_000, bytes: 300_000 },
    leftOut: 0,
  };
}

function findings(text: string, asked = request()) {
  const read = readAnswer(asked, { text, end: "complete" }, (one) => Math.ceil(one.length / 4));
  return read.findings.filter(({ severity }) => severity === "error");
}

function errors(text: string, asked = request()): readonly AnswerCode[] {
  return findings(text, asked).map(({ code }) => code);
}

function node(topics: readonly string[], decisions: readonly string[]): string {
  return ["## Topics", ...topics, "## Key Decisions", ...decisions]
    .map((line) => line.replace(/^(?!#)/u, "- "))
    .join("\n");
}

const topics = ["Invoice numbering [project]: gapless sequence", "Robot dog demo [project]: battery swap"];
const good = node(topics, ["Invoice numbering: drawn with the posting", "Robot dog demo: the trade fair comes next"]);

describe("a repetitive answer", () => {
  test("with one or two words of the sources repeated, as small models do, is refused", () => {
    const webhooks = node(
      ["Invoice numbering [project]: https webhooks", "Robot dog demo [project]: webhooks webhooks"],
      [
        "Invoice numbering: https webhooks, webhooks, https webhooks, webhooks webhooks https webhooks",
        "Robot dog demo: https webhooks, webhooks, https webhooks, webhooks https webhooks webhooks",
      ],
    );
    const identifiers = node(
      ["Invoice numbering [project]: identifiers"],
      [
        "identifiers identifiers, identifiers, identifiers, identifiers, identifiers",
        "identifiers identifiers, identifiers, identifiers, identifiers",
      ],
    );
    const few = node(
      ["Invoice numbering [project]: identifiers"],
      [
        "Invoice numbering: identifiers and identifiers, identifiers",
        "Robot dog demo: identifiers, identifiers, identifiers",
      ],
    );
    for (const text of [webhooks, identifiers, few]) expect(errors(text)).toEqual(["repetitive"]);
    expect(findings(few)[0]?.message).toBe(
      '2 of 2 items of the answer repeat the same words, such as "Invoice numbering: identifiers and identifiers, identifiers"; state what the sources say, and each point only once.',
    );
  });

  test("with a word three times in half of its items is accepted, in more than half refused", () => {
    const again = "webhooks, webhooks, webhooks";
    expect(errors(node(topics, [again, "drawn with the posting"]))).toEqual([]);
    expect(errors(node(topics, [again, again, "drawn with the posting"]))).toEqual(["repetitive"]);
  });

  test("a word used twice, or three times among more than twice as many others, is accepted", () => {
    expect(errors(node(topics, ["webhooks webhooks"]))).toEqual([]);
    expect(
      errors(node(topics, ["webhooks retry webhooks until tax office webhooks reach Beatriz after posting"])),
    ).toEqual([]);
  });

  test("three words over and over are refused, in other scripts too", () => {
    expect(errors(node(topics, ["battery swap lidar battery swap lidar battery swap lidar"]))).toEqual(["repetitive"]);
    const source = ["- 결정: 토큰 버킷을 쓴다", "- 标识符在每次请求里"];
    expect(errors(node(["토큰 버킷"], ["토큰 버킷, 토큰 버킷, 토큰을 버킷에, 토큰 버킷"]), request(source))).toEqual([
      "repetitive",
    ]);
    expect(errors(node(["标识符在每次请求里"], ["标识符标识符标识符标识符标识符"]), request(source))).toEqual([
      "repetitive",
    ]);
  });

  test("items with the same words in another order are alike: refused from four on, if they are the majority", () => {
    const alike = ["battery swap trade fair", "trade fair battery swap", "swap, battery, fair, trade"];
    expect(errors(node(["battery swap trade fair"], [...alike, "fair trade battery swap"]))).toEqual(["repetitive"]);
    expect(errors(node(topics, ["battery swap trade fair", "trade fair battery swap"]))).toEqual([]);
  });

  test("a list of many topics that are all done is not a repetition", () => {
    const names = Array.from({ length: 30 }, (_, at) => `${String.fromCodePoint(97 + (at % 26))}${at}port`);
    const source = names.map((name) => `- ${name}: done`);
    const text = node(
      names.map((name) => `${name} [project]: done`),
      names.map((name) => `${name}: done`),
    );
    expect(errors(text, request(source))).toEqual([]);
  });
});

describe("an answer without words", () => {
  test.each([
    ["only emoji", "🎉 🎉🎊 ❤️ 👩‍👩‍👧 🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀"],
    ["replacement characters", "\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"],
    ["punctuation", "… — ** !!! … ??? ,,, ;;; --- *** ___ === +++ ~~~ ^^^"],
  ])("%s: has no items", (_, signs) => {
    expect(errors(node([signs], [signs]))).toContain("missing_section");
    expect(errors(node(topics, [signs]))).toContain("missing_section");
    expect(errors(`- #12 user: ${signs}\n- ${signs}`, request(days, "thread"))).toContain("missing_section");
    expect(errors(`## Active Context\n- ${signs}\n- ${signs}`, request(days, "root"))).toContain("missing_section");
  });

  test("symbols after topic names say nothing, unless the sources contain these symbols", () => {
    const text = node(topics, ["Invoice numbering: 🎉🎉🎉", "Robot dog demo: \ufffd\ufffd\ufffd"]);
    expect(errors(text)).toEqual(["unrelated"]);
    expect(
      errors(node(topics, ["Robot dog demo: ✅", "Invoice numbering: ✅"]), request([...days, "- swap ✅"])),
    ).toEqual([]);
  });

  test("an item whose words follow on the next line is accepted", () => {
    expect(errors(node(topics, ["🎉\n  drawn with the posting"]))).toEqual([]);
  });
});

describe("an unrelated answer", () => {
  const kannada = ["ಇದು ಒಂದು ಸಾರಾಂಶ", "ಎಲ್ಲವೂ ಸರಿಯಾಗಿದೆ ಎಂದು ಹೇಳಿದರು", "ನಾಳೆ ಮತ್ತೆ ನೋಡೋಣ ಗೆಳೆಯ"];

  test("in a script that its sources do not use is refused, with a hint about the language", () => {
    expect(errors(node(kannada, kannada))).toContain("unrelated");
    expect(errors(node(topics, ["Invoice numbering: ಇದು ಒಂದು ಸಾರಾಂಶ", ...kannada.slice(1)]))).toEqual(["unrelated"]);
    expect(errors(`## Active Context\n- ${kannada.join("\n- ")}`, request(days, "root"))).toContain("unrelated");
    expect(errors(`- #1 user: ${kannada.join("\n- #2 user: ")}`, request(days, "thread"))).toContain("unrelated");
    expect(findings(node(topics, kannada))[0]?.message).toBe(
      '3 of 5 items of the answer share no word with the sources, such as "ಇದು ಒಂದು ಸಾರಾಂಶ"; say what the sources say, and write in the language of the sources.',
    );
  });

  test("in words that no source contains is refused", () => {
    expect(errors(node(["ipsos-to-bed: ipsos-to-bed"], ["ipsos-to-bed lorem dolor", "ipsos-to-bed"]))).toEqual([
      "unrelated",
    ]);
    expect(
      errors(
        node(
          topics,
          ["of 12 and 7, but not 3", "1 2 4"].map((one) => `${one} xylophone walrus`),
        ),
      ),
    ).toContain("unrelated");
  });

  test("is refused if most of it is unrelated, of all items or of non-topic items; one other item may be in its own words", () => {
    const other = "xylophone zebra walrus";
    expect(errors(node(topics, [other]))).toEqual([]);
    expect(errors(node(topics, [other, `quux ${other}`, "battery swap", "trade fair"]))).toEqual([]);
    expect(errors(node(topics, [other, `quux ${other}`, "battery swap"]))).toEqual(["unrelated"]);
    expect(errors(`- ${other} obelisk and a wombat beside it, over and out`, request(days, "thread"))).toEqual([
      "unrelated",
    ]);
  });

  test("in another language is accepted if names tie it to its sources, and refused if nothing does", () => {
    const german = ["Beatriz bekommt die Meldungen vom Amt", "Wechsel der Batterie in 400 ms"];
    expect(errors(node(topics, german))).toEqual([]);
    expect(errors(node(topics, ["Rechnungen bleiben ohne Lücken", "Wer fährt hin, ist noch unklar"]))).toEqual([
      "unrelated",
    ]);
  });

  test("has a message without secrets or terminal control characters", () => {
    const said = findings(node(topics, ["zebra \u001b[31m ghp_16C7e42F292c6912E7710c838347Ae178B4a", "walrus"])).map(
      ({ message }) => message,
    );
    expect(said.join(" ")).toContain("share no word");
    expect(said.join(" ")).not.toMatch(/ghp_16C7|\u001b/u);
  });
});

describe("an honest answer in other words", () => {
  test.each([
    [
      "Korean",
      ["- 결정: 결제 서버의 재시도는 세 번까지만 한다", "- 사실: 로그가 유실되어 장애 원인을 찾지 못했다"],
      ["재시도를 최대 3회로 제한하기로 함", "유실된 로그 탓에 원인 불명"],
    ],
    [
      "Japanese",
      ["- 決定：再試行は三回までにする", "- 事実：キャッシュの期限切れで障害が起きた"],
      ["再試行の上限を設けた", "障害の原因はキャッシュだった"],
    ],
    [
      "Chinese",
      ["- 决定：支付服务最多重试三次", "- 事实：日志丢失，无法找到故障原因"],
      ["重试次数有上限", "因日志缺失，故障未查明"],
    ],
    [
      "Thai",
      ["- ตัดสินใจให้ระบบชำระเงินลองใหม่ได้สามครั้ง", "- บันทึกหายจึงหาสาเหตุไม่พบ"],
      ["ระบบชำระเงินมีขีดจำกัด", "ไม่ทราบสาเหตุเพราะบันทึกสูญหาย"],
    ],
    [
      "Russian",
      ["- решение: ограничение запросов на шлюзе", "- потеряны журналы сервера"],
      ["Шлюзу нужны ограничения", "Журнал потерян"],
    ],
    ["Arabic", ["- القرار: الخادم يعيد المحاولة ثلاث مرات", "- فقدت السجلات"], ["محاولات الخوادم محدودة", "ضاعت سجلات"]],
    [
      "German",
      ["- Entscheidung: Wiederholungen auf drei begrenzt", "- Protokolle des Servers gingen verloren"],
      ["Begrenzung der Wiederholung", "Serverprotokoll verloren"],
    ],
  ])("%s is accepted", (_, source, items) => {
    const padded = items.map((item) => `${item} ${item.length < 30 ? "…" : ""}`);
    expect(errors(node(items, padded), request(source))).toEqual([]);
  });

  test("in another inflection is accepted", () => {
    expect(errors(node(["Sequences drawn"], ["Posted transactions", "Swapping batteries", "Mounted lidars"]))).toEqual(
      [],
    );
  });

  test("stays accepted, like any other answer, when true lines of the sources are added", () => {
    const word = fc.constantFrom(
      "battery",
      "swap",
      "walrus",
      "zebra",
      "12",
      "the",
      "ಇದು",
      "✅",
      "障害",
      "2026",
      "caf\u0301e",
      "a:",
      "Note: x",
    );
    const line = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" ")),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    const isRefused = (items: readonly string[], source: readonly string[]): boolean =>
      errors(node(["battery"], items), request(source)).includes("unrelated");
    fc.assert(
      fc.property(lines, lines, fc.nat(5), (items, source, more) => {
        if (isRefused(items, source)) return;
        const added = source.slice(0, more + 1).filter((one) => !/[\n\r\v\f\u0085\u2028\u2029]/u.test(one));
        expect(isRefused([...items, ...added], source)).toBe(false);
        expect(isRefused(items, [...source, "- further sources"])).toBe(false);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("gets no findings if it is good", () => {
    expect(errors(good)).toEqual([]);
  });
});

test("200 KB of any text are judged in linear time", () => {
  const most = lawRuns(200_000);
  for (const piece of [
    "- ab: 🎉\n",
    "- a-b_c.d/e",
    "- word word\n",
    "ಇದುಒಂದು",
    "标识符",
    "- x: ",
    "가나다라",
    ":",
    "ab-",
    "- [project]\n",
  ]) {
    const text = piece.repeat(Math.floor(most / Buffer.byteLength(piece)));
    expect(processorTime(5_000, () => findings(`${good}\n- ${text}`, request([...days, text])))).toBeLessThan(5_000);
  }
});
