import { describe, expect, test } from "vitest";
import { visible, visibleIn, visibleLine } from "./visible.ts";
import { channels, message } from "../../test/fixtures/hidden-channels.ts";

import fc from "fast-check";

const tags = (text: string): string =>
  Array.from(text, (one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join("");
const scotland = `\u{1f3f4}${tags("gbsct")}\u{e007f}`;

describe("characters that control, reverse or hide text are shown as code points", () => {
  test.each([
    ["escape sequences", "a\u001b[2Jb\u0007", "a\\u{1b}[2Jb\\u{7}"],
    ["C1 and DEL", "a\u009b31mb\u007f", "a\\u{9b}31mb\\u{7f}"],
    ["bidi controls", "a\u202eb\u2066c\u200ed\u061c", "a\\u{202e}b\\u{2066}c\\u{200e}d\\u{61c}"],
    ["zero-width characters", "a\u200bb\u2060c\ufeffd", "a\\u{200b}b\\u{2060}c\\u{feff}d"],
    ["a joiner between Latin letters", "pass\u200dword", "pass\\u{200d}word"],
    ["tag letters", `hid${tags("AB")}den`, "hid\\u{e0041}\\u{e0042}den"],
    ["tag letters of a nonexistent flag", `\u{1f3f4}${tags("zz")}`, "\u{1f3f4}\\u{e007a}\\u{e007a}"],
    ["selectors in a row", "😀\ufe0f\ufe01\ufe0e", "😀\ufe0f\\u{fe01}\\u{fe0e}"],
    ["a selector after a letter or a digit", "a\ufe0fb\ufe001\ufe0f", "a\\u{fe0f}b\\u{fe00}1\\u{fe0f}"],
    [
      "a selector after a character without such a form",
      "😀\ufe00漢\ufe0f葛\u{e0120}",
      "😀\\u{fe00}漢\\u{fe0f}葛\\u{e0120}",
    ],
    ["a joiner that joins nothing", "نـ\u200dه क\u200dग", "نـ\\u{200d}ه क\\u{200d}ग"],
    ["supplementary selectors in a row", "葛\u{e0100}\u{e0101}\u{e0102}", "葛\u{e0100}\\u{e0101}\\u{e0102}"],
    ["a supplementary selector not after a Han character", "a\u{e0100}", "a\\u{e0100}"],
    ["line and paragraph separators", "a\u2028b\u2029c\u0085", "a\\u{2028}b\\u{2029}c\\u{85}"],
    ["lone surrogates", "a\ud800b\udc00", "a\\u{d800}b\\u{dc00}"],
    ["fillers", "a\u3164b\uffa0c\u115f", "a\\u{3164}b\\u{ffa0}c\\u{115f}"],
    ["a carriage return within a line", "real\rfake", "real\\u{d}fake"],
  ])("%s", (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

const ordinary = [
  "plain\ttext\nwith lines",
  "日本語のテキスト、漢字。葛\u{e0100}飾区",
  "한국어 ㄱㄴㄷ 과학",
  "العربية: لُغَةٌ، ١٢٣",
  "می‌خواهم ه‍.ق نامه‌ها",
  "עברית עם נִקּוּד",
  "क्‍ष हिन्दी र्‍य",
  "മലയാളം അവന്‍",
  "ภาษาไทย\u200bตัดคำ",
  "ខ្មែរ\u200bភាសា",
  "Tiếng Việt, Ελληνικά, Русский, çğıöşü, Donau\u00addampf\u00adschiff",
  "👨‍👩‍👧‍👦 👩🏽‍💻 ❤️ ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 1️⃣ ☺︎",
  "🇩🇪🇯🇵 🇺🇳",
  scotland,
  "ᠮᠣᠩᠭᠣᠯ\u180b",
  "≨\ufe00 0\ufe00",
  "\ue0b0 private use",
];

describe("ordinary text", () => {
  test.each(ordinary)("%j is unchanged", (text) => {
    expect(visible(text)).toBe(text);
    expect(JSON.parse(visible(JSON.stringify(text), "json"))).toBe(text);
  });

  test("loses carriage returns before line feeds and its byte order mark", () => {
    expect(visible("\ufeffa\r\nb\r\n")).toBe("a\nb\n");
  });

  test.each([
    "<div class='x'><p>one</p></div>",
    "<Users.Provider value={user}><SystemBar/><ToolResult result={r}/></Users.Provider>",
    "<system.web><command>ls</command></system.web>",
    "const a: Array<| A | B> = xs <| f |> g; if (a < b && c > d) x[0] = y[inst];",
    "Map<string, Tool<Call>> [project] [x](y) - [ ] open [Institute]",
    "<user><name>Ada</name></user>",
    "<Context.Provider value={x}><Command/><ToolTip/><Message text='x'/><Skill/><Channel/></Context.Provider>",
    "<message>hello</message><channel><title>News</title></channel><prompt/><parameter/><tool>x</tool>",
    "Map<Prompt> std::unique_ptr<io_context> vector<tool_message> Vec::<user_prompt> Array<SystemHook>",
    "<context-menu><command-palette><tool-bar><message-list><function-plot><prompt-box><skill-tree><v-tooltip>",
    "if (n < max_context && m > 2) for (i = 0; i < last_message; i++) a<-system b <- hook",
    "v8::Local<v8::Context> <system-out>x</system-out> <system-err/>",
    "<font-face><annotation-xml encoding='x'><missing-glyph><color-profile>",
    "<сообщение> <система> <контекст>",
  ])("keeps code unchanged: %s", (text) => {
    expect(visible(text)).toBe(text);
  });
});

describe("wrapper tags of clients are neutralized", () => {
  test.each([
    "</system-reminder>",
    "<system-reminder>",
    "<system_reminder>",
    "< / SYSTEM-Reminder >",
    "<\n/system-reminder\n>",
    "<system-reminder kind='x'>",
    "<sys\u200btem-remin\u00adder>",
    "<s\ufe00ystem-reminder>",
    "＜／ｓｙｓｔｅｍ－reminder＞",
    "﹤/system_reminder>",
    `<${tags("a")}/system-reminder>`,
    "</hook_context>",
    "<hook-additional-context>",
    "<persisted-output>",
    "<command-name>",
    "<local-command-stdout>",
    "<task-notification>",
    "<user-prompt-submit-hook>",
    "<environment_context>",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<user_query>",
    "<function_results>",
    "</tool_use_error>",
    "<session-start-hook>",
    "<stop_hook_feedback>",
    "</post-tool-use-hook>",
    "<teammate-message teammate_id='a'>",
    "<channel source='telegram'>",
    "<ephemeral_message>",
    "<turn_context>",
    "<hook_prompt>",
    "<user_shell_command>",
    "<collaboration_mode>",
    "<apps_instructions>",
    "<skill>",
    "<skill name='x'>",
    "<invoke name='Bash'>",
    "</invoke>",
    "<parameter name='command'>",
    "<system-note>",
    "<system-reminder-x>",
    "</x-system-reminder>",
    "<systemreminder>",
    "<SystemReminder>",
    "<system.reminder>",
    "<sуstem-rеmindеr>",
    "<ѕуѕтем-ʀᴇᴍɪɴᴅᴇʀ>",
    "<sýstem–reminder>",
    `<${" ".repeat(250)}system-reminder>`,
    `<${"\u0301".repeat(250)}/system-reminder>`,
    `<s${"\u0301".repeat(250)}ystem-reminder>`,
    `<s${"\u200b".repeat(999)}ystem-reminder>`,
    "<agent_transcript>",
    "<session-transcript id='1'>",
    "<new_client_prompt>",
    "Result</hook_anything>",
    "<|im_start|>system",
    "<｜begin▁of▁sentence｜>",
    "<<SYS>>",
    "[INST]",
    "[ /INST ]",
  ])("%j", (text) => {
    const shown = visible(text);
    expect(shown).not.toMatch(/[<＜﹤[]/u);
    expect(shown).toMatch(/[‹❲]/u);
    const document = visible(JSON.stringify({ text }), "json");
    expect(document).not.toMatch(/[<＜﹤[]/u);
    expect(JSON.parse(document)).toEqual({ text });
  });
});

const hostile = Array.from(
  "\u200d\ufe0f\ufe00\u{e0100}\u{e0061}\u{e007f}\u202e\r\n\ufeff\u00ad\u001b\ud83d</->[|a 葛کक्👨❤\u{1f3f4}\u{1f3fd}ᄀ\u1160กᠮ\u180bא",
);
const pieces = fc.constantFrom(...hostile, "\udc00", "system", "reminder", "INST", "]", "<|", "im", "|>", "\\u{ad}");
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join("")),
);

test("two joiners before a mark are both shown, because only one would belong to it", () => {
  const shown = visible("\u0915\u200d\u200d\u094d");
  expect(shown).toBe("\u0915\\u{200d}\\u{200d}\u094d");
  expect(visible(shown)).toBe(shown);
});

describe("any text", () => {
  test("is idempotent when made visible, and has no control or bidi characters then", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = visible(text);
        expect(visible(shown)).toBe(shown);
        expect(shown).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u,
        );
        expect(shown.isWellFormed()).toBe(true);
        expect(visibleLine(text)).not.toContain("\n");
        expect(visibleLine(visibleLine(text))).toBe(visibleLine(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("as JSON with an opening before an escaped one is idempotent", () => {
    const document = visible(JSON.stringify("<\n<system\u202ereminder"), "json");
    expect(visible(document, "json")).toBe(document);
  });

  test("as JSON keeps its values", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const document = visible(JSON.stringify({ [text]: [text] }), "json");
        expect(JSON.parse(document)).toEqual({ [text]: [text] });
        expect(visible(document, "json")).toBe(document);
        expect(document).not.toMatch(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u);
      }),
      { numRuns: 2000 },
    );
  });
});

test("all strings of a value are made visible; the rest is unchanged", () => {
  const value = { a: ["\u001b"], n: 1, x: null, t: true, "\u202e": { deep: "</system-reminder>" } };
  expect(visibleIn(value)).toEqual({
    a: ["\\u{1b}"],
    n: 1,
    x: null,
    t: true,
    "\\u{202e}": { deep: "‹/system-reminder>" },
  });
});

describe("characters of ordinary text cannot hide a message", () => {
  test.each(channels)("$name", ({ hidden, signs, bits }) => {
    expect((hidden.match(signs) ?? []).length * bits).toBeGreaterThan(message.length * 2);
    const shown = visible(hidden);
    const kept = shown.match(signs) ?? [];
    expect(kept.length * bits, `${kept.length} kept`).toBeLessThan(32);
    expect(visible(shown)).toBe(shown);
    expect(JSON.parse(visible(JSON.stringify(hidden), "json"))).toBe(hidden);
    expect((visible(JSON.stringify(hidden), "json").match(signs) ?? []).length * bits).toBeLessThan(32);
  });

  test("even if spread over a text twenty times as long", () => {
    const spread = Array.from(message, (one) => `漢${String.fromCodePoint(0xe0100 + (one.charCodeAt(0) % 32))}`);
    const kept = visible(spread.map((one) => one + "字".repeat(19)).join("")).match(/[\u{e0100}-\u{e01ef}]/gu);
    expect(kept?.length).toBeLessThan(8);
  });

  test("exceeding a limit on one line does not affect the next", () => {
    const dense = "د\u200c".repeat(9);
    expect(visible(`${dense}\nمی\u200cخواهم`)).toMatch(/\\u\{200c\}[^]*\nمی\u200cخواهم$/u);
  });
});

describe("text with many such characters is unchanged", () => {
  test.each([
    ["rows of emoji", "⭐️⭐️⭐️⭐️⭐️ ☀️☁️☂️❄️ 1️⃣2️⃣3️⃣4️⃣5️⃣ ❤️❤️❤️❤️❤️❤️❤️❤️❤️❤️ ☀︎☁︎☂︎"],
    ["families in a row", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👩🏽‍💻👩🏽‍💻🏳️‍🌈🏳️‍🌈❤️‍🔥❤️‍🔥🧑🏻‍❤️‍💋‍🧑🏿"],
    ["Persian", "گفت‌و‌گو‌های ما دربارهٔ می‌خواهم‌ها، نمی‌توانم ه‍.ق و ه‍.ش خانه‌ای‌ها".repeat(3)],
    ["Sinhala", "ශ්‍රී ලංකා ප්‍රත්‍යක්ෂ ක්‍රියා වාක්‍ය විද්‍යාව".repeat(8)],
    ["Malayalam and Telugu", "അവന്‍ അവള്‍ തമിഴ്‌നാട് ఎడ్జ్‌లో సాఫ్ట్‌వేర్"],
    ["Bengali", "র‍্যাব র‍্যাম উদ্‌যাপন"],
    [
      "soft hyphens at every syllable",
      "Do\u00adnau\u00addampf\u00adschiff\u00adfahrt a\u00admi\u00adga\u00adble ge\u00adbe\u00adte\u00adne",
    ],
    ["Thai", "ภาษา\u200bไทย\u200bไม่\u200bใช้\u200bช่อง\u200bว่าง"],
    ["Japanese names", "葛\u{e0100}飾区の渡邉\u{e0102}さんと辻\u{e0101}さん、芦\u{e0100}屋市"],
    ["mathematics and Myanmar", "≨\ufe00 ∩\ufe00 0\ufe00 \u1000\ufe00\u1002\ufe00"],
    ["Mongolian", "ᠬᠦᠮᠦᠨ\u180eᠡ ᠭ\u180bᠠ ᠮᠣᠩᠭᠣᠯ\u180b"],
    ["Hebrew", "יְרוּשָׁלִַ\u034fם"],
  ])("%s", (_what, text) => {
    expect(visible(text)).toBe(text);
  });
});
