import { describe, expect, test } from "vitest";
import { channels, message } from "../../test/fixtures/hidden-channels.ts";
import { visible } from "./visible.ts";

describe("no message is hidden in what ordinary text also has", () => {
  test.each(channels)("$name", ({ hidden, signs, bits }) => {
    expect((hidden.match(signs) ?? []).length * bits).toBeGreaterThan(message.length * 2);
    const shown = visible(hidden);
    const kept = shown.match(signs) ?? [];
    expect(kept.length * bits, `${kept.length} kept`).toBeLessThan(32);
    expect(visible(shown)).toBe(shown);
    expect(JSON.parse(visible(JSON.stringify(hidden), "json"))).toBe(hidden);
    expect((visible(JSON.stringify(hidden), "json").match(signs) ?? []).length * bits).toBeLessThan(32);
  });

  test("nor in twenty times as long a text that has it here and there", () => {
    const spread = Array.from(message, (one) => `漢${String.fromCodePoint(0xe0100 + (one.charCodeAt(0) % 32))}`);
    const kept = visible(spread.map((one) => one + "字".repeat(19)).join("")).match(/[\u{e0100}-\u{e01ef}]/gu);
    expect(kept?.length).toBeLessThan(8);
  });

  test("what is over a limit on one line takes nothing from the next", () => {
    const dense = "د\u200c".repeat(9);
    expect(visible(`${dense}\nمی\u200cخواهم`)).toMatch(/\\u\{200c\}[^]*\nمی\u200cخواهم$/u);
  });
});

describe("what ordinary text has more of stays", () => {
  test.each([
    ["rows of emoji", "⭐️⭐️⭐️⭐️⭐️ ☀️☁️☂️❄️ 1️⃣2️⃣3️⃣4️⃣5️⃣ ❤️❤️❤️❤️❤️❤️❤️❤️❤️❤️ ☀︎☁︎☂︎"],
    ["families in a row", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👩🏽‍💻👩🏽‍💻🏳️‍🌈🏳️‍🌈❤️‍🔥❤️‍🔥🧑🏻‍❤️‍💋‍🧑🏿"],
    ["Persian", "گفت‌و‌گو‌های ما دربارهٔ می‌خواهم‌ها، نمی‌توانم ه‍.ق و ه‍.ش خانه‌ای‌ها".repeat(3)],
    ["Sinhala", "ශ්‍රී ලංකා ප්‍රත්‍යක්ෂ ක්‍රියා වාක්‍ය විද්‍යාව".repeat(8)],
    ["Malayalam and Telugu", "അവന്‍ അവള്‍ തമിഴ്‌നാട് ఎడ్జ్‌లో సాఫ్ట్‌వేర్"],
    ["Bengali", "র‍্যাব র‍্যাম উদ্‌যাপন"],
    [
      "hyphens for every syllable",
      "Do\u00adnau\u00addampf\u00adschiff\u00adfahrt a\u00admi\u00adga\u00adble ge\u00adbe\u00adte\u00adne",
    ],
    ["Thai", "ภาษา\u200bไทย\u200bไม่\u200bใช้\u200bช่อง\u200bว่าง"],
    ["names in Japanese", "葛\u{e0100}飾区の渡邉\u{e0102}さんと辻\u{e0101}さん、芦\u{e0100}屋市"],
    ["mathematics and Myanmar", "≨\ufe00 ∩\ufe00 0\ufe00 \u1000\ufe00\u1002\ufe00"],
    ["hieroglyphs", "𓀀\u{13430}𓀁\u{13431}𓀂 𓁹\u{13430}𓂋"],
    ["Mongolian", "ᠬᠦᠮᠦᠨ\u180eᠡ ᠭ\u180bᠠ ᠮᠣᠩᠭᠣᠯ\u180b"],
    ["Hebrew and old Korean", "יְרוּשָׁלִַ\u034fם \u1100\u1160\u11a8"],
  ])("%s", (_what, text) => {
    expect(visible(text)).toBe(text);
  });
});
