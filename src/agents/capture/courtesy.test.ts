import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOnlyCourtesy, saysSomething } from "./courtesy.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

describe("a user's message", () => {
  it.each([
    "thanks",
    "Thank you so much!",
    "thanks, go on",
    "ok",
    "OK.",
    "Yes please",
    "yes, please go ahead :)",
    "hello there",
    "yesss",
    "great 👍🏽",
    "🙏",
    "Sounds good, carry on",
    "that’s great, thank you",
    "Danke schön, mach weiter",
    "ja bitte",
    "merci beaucoup, continuez",
    "vas-y",
    "sí, gracias",
    "¡Muchas gracias!",
    "grazie mille",
    "muito obrigado",
    "спасибо большое, продолжай",
    "네, 계속해주세요",
    "はい、お願いします",
    "好的，继续",
    "谢谢你！",
  ])("is only courtesy: %j", (text) => {
    expect(isOnlyCourtesy(text)).toBe(true);
  });

  it.each([
    ..."no;nope;nah;nein;nee;non;нет;hayır;لا;नहीं;아니요;いいえ;不;不是;ไม่ใช่;không;no thanks;ok no;not good;not bad".split(
      ";",
    ),
    ..."stop;wait;hold on;never mind;enough;stopp;para;停;never do that again;undo it;revert;try again;again".split(
      ";",
    ),
    ..."the first one;both;either;neither;all;the second;left;right;A;b;x;y;go;next;later;beide;ambos;第一个".split(
      ";",
    ),
    ..."42;2;yes 2;+1;1️⃣;２;三;that's not right;I am May;don't do this;ok, but in Go;this;for that;it;you;that;I".split(
      ";",
    ),
    ..."ok?;yes?;?;…;👎;ok 👎;ok ❌;:(;ok :(;`ok`;Thanks, May;ok ledger;好的，删除表;はい、だめです".split(";"),
    "",
    "\0",
    "thanks ".repeat(200),
  ])("is or may be more than courtesy: %j", (text) => {
    expect(isOnlyCourtesy(text)).toBe(false);
  });
});

describe("courtesy", () => {
  const words = "thanks;yes please;好的;go on;👍;спасибо".split(";");
  const others = "no;stop;undo;first;both;42;７;nein;不;いいえ;ledger;May;?;👎;that;it".split(";");

  it("does not count if anything else is said before or after it", () => {
    const polite = fc.array(fc.constantFrom(...words), { maxLength: 4 });
    const more = fc.oneof(fc.constantFrom(...others), fc.stringMatching(/^[a-z]{4,8}q[0-9]$/u));
    fc.assert(
      fc.property(polite, more, polite, fc.constantFrom(" ", ", ", ".\n"), (before, other, after, sign) => {
        expect(isOnlyCourtesy([...before, ...after, "ok"].join(sign))).toBe(true);
        expect(isOnlyCourtesy([...before, other, ...after].join(sign))).toBe(false);
      }),
    );
  });

  it("is detected in linear time", () => {
    for (const text of ["好".repeat(23) + "x", "ok ".repeat(133), "謝".repeat(400), "👍".repeat(199)])
      expect(processorTime(1_000, () => isOnlyCourtesy(text))).toBeLessThan(1_000);
    const long = "Great! ok ".repeat(100_000);
    expect(saysSomething(long)).toBe(false);
    expect(processorTime(2_000, () => saysSomething(long))).toBeLessThan(2_000);
  });
});

describe("an answer", () => {
  it.each([
    "",
    "Done.",
    "It is done.",
    "You're welcome! Let me know if you need anything else.",
    "You’re very welcome! Feel free to reach out anytime if you have any further questions.",
    "Glad I could help! Have a great day.",
    "Hello! How can I help you today?",
    "Gern geschehen! Sag einfach Bescheid, wenn du noch etwas brauchst.",
    "De rien ! N'hésitez pas si vous avez d'autres questions.",
    "¡De nada! Avísame si necesitas algo más.",
    "천만에요! 다른 질문이 있으면 말씀해 주세요.",
  ])("says nothing: %j", (text) => {
    expect(saysSomething(text)).toBe(false);
  });

  it.each([
    "Renamed ledger; migration 0042",
    "Renamed ledger",
    "Dropped the production table orders_old",
    "42",
    "Port 8080.",
    "You're welcome! By the way, the ledger is now called journal.",
    "表已改名",
    "テーブルの名前を変えました",
    "장부 이름을 바꿨습니다",
    "Таблица переименована",
    `${"Great! ".repeat(500)}The table orders_old is dropped.`,
  ])("says something: %j", (text) => {
    expect(saysSomething(text)).toBe(true);
  });
});
