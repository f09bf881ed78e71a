import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/fixtures/processor-time.ts";
import { redact } from "../../text/redact/redact.ts";
import { builtInThreadSummarizer as summarizer } from "./built-in.ts";
import type { SummaryLine, Utterance } from "../../base/summary-line.ts";
import { lawRuns } from "../../../test/fixtures/law-runs.ts";

const pieces = [
  "We decided to keep the importer on pg-stage-2 because of the lock. ",
  "ok, thanks! ",
  "数据库的名字是灰桥，截止日期是周五。",
  "締め切りは金曜日です。",
  "قررنا استخدام الخادم الجديد بسبب البطء. ",
  "ตกลงว่าจะย้ายเซิร์ฟเวอร์ไปที่เชียงใหม่ในเดือนหน้า ",
  "배포는 반드시 금요일 전에 합니다. ",
  "\n- a list item with `code` and 12 ms\n",
  "```js\nconst a = 1;\n```\n",
  "\u0000\u0007\r\n\u2028",
  "👩‍👩‍👧 🎉 ",
  "\ud800",
  "x".repeat(400),
  "# Heading\n",
  "password:\n hunter2!x9\n",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), { maxLength: 12 })
  .map((all) => all.join(""));
const role = fc.constantFrom("user" as const, "assistant" as const, "system" as const, "tool" as const);
const utterances = fc
  .array(fc.record({ role, text }), { maxLength: 24 })
  .map((all): readonly Utterance[] => all.map((one, at) => ({ seq: at * 2 + 1, ...one })));
const line = fc.record({
  seq: fc.nat(5000),
  role,
  text: text.map(
    (one) =>
      one
        .replaceAll(/[\p{Cc}\s]+/gu, " ")
        .trim()
        .slice(0, 200) || "x",
  ),
});

/** Removes spaces, control characters and lone surrogates, to compare a line with its message. */
function bare(said: string): string {
  return said.toWellFormed().replaceAll(/[\p{Cc}\s\u200b]/gu, "");
}

function expectLines(lines: readonly SummaryLine[], most: number): void {
  expect(lines.length).toBeLessThanOrEqual(most);
  for (const { text: said } of lines) {
    expect(Array.from(said).length).toBeLessThanOrEqual(240);
    expect(said).not.toMatch(/\p{Cc}|[\u2028\u2029]/u);
    expect(said.trim()).not.toBe("");
    expect(said.isWellFormed()).toBe(true);
  }
}

describe("the lines of a block", () => {
  test("are few, short, single lines in the words of their message", () => {
    fc.assert(
      fc.property(utterances, (block) => {
        const lines = summarizer.extract(block);
        expectLines(lines, 16);
        for (const { seq, role: speaker, text: said } of lines) {
          const source = block.find((one) => one.seq === seq);
          expect(source?.role).toBe(speaker);
          expect(bare(redact(source?.text ?? "").text)).toContain(bare(said.replace(/…$/u, "")));
        }
      }),
    );
  });

  test("do not depend on what was read before", () => {
    fc.assert(
      fc.property(utterances, utterances, (block, other) => {
        const lines = summarizer.extract(block);
        summarizer.merge([summarizer.extract(other)]);
        expect(summarizer.extract(block)).toEqual(lines);
      }),
    );
  });

  test("are empty for a block without messages or words", () => {
    expect(summarizer.extract([])).toEqual([]);
    expect(summarizer.extract([{ seq: 1, role: "user", text: " \n\n --- \u0000 ... " }])).toEqual([]);
  });

  test.each([
    ["Chinese", "数据库迁移到灰桥服务器，因为旧机器的磁盘坏了。"],
    ["Japanese", "締め切りは来週の金曜日に変更されました。"],
    ["Korean", "배포는 반드시 금요일 전에 끝내야 합니다."],
    ["Arabic", "قررنا نقل قاعدة البيانات إلى خادم جديد بسبب البطء."],
    ["Thai", "เราตกลงว่าจะย้ายเซิร์ฟเวอร์ไปเชียงใหม่ในเดือนหน้าเพราะค่าไฟแพง"],
    ["Hindi", "हमने नया सर्वर चुनने का निर्णय लिया है।"],
    ["Hebrew", "החלטנו להעביר את השרת לחיפה בגלל העלות."],
    ["Russian", "Мы решили перенести базу на новый сервер из-за диска."],
  ])("exist in %s", (_, said) => {
    expect(
      summarizer
        .extract([{ seq: 7, role: "user", text: said }])
        .map((one) => one.text)
        .join(""),
    ).toContain(said.slice(0, 10));
  });

  test("prefer decisions to thanks, questions and logs", () => {
    const talk = [
      "Thanks a lot, that helps!",
      "Could you have another look at it?",
      "2026-03-01T10:00:00Z INFO request handled status=200 duration_ms=12",
      "We decided to move the ledger to Frankfurt because the old host loses power.",
      "Let me know if there is anything else.",
    ];
    const lines = summarizer.extract(talk.map((said, at) => ({ seq: at + 1, role: "user", text: said })));
    expect(lines[0]?.seq).toBe(4);
  });

  test("of one huge message are found in linear time", () => {
    const run = (): void => {
      for (const huge of [
        "x".repeat(1e6),
        "QUJD".repeat(2e5),
        "一".repeat(6e5),
        "word, ".repeat(2e5),
        "a line\n".repeat(5e4),
        "?! ".repeat(3e5),
      ])
        expectLines(summarizer.extract([{ seq: 1, role: "tool", text: huge }]), 16);
    };
    expect(processorTime(8000, run)).toBeLessThan(8000);
  });
});

describe("secrets", () => {
  const secrets = [
    "AKIAQ7ZC4HN2VX5TLM3B",
    "ghp_9fK2mQ7xLr4TzB8nVw3cYp6sHd1jGa5eUoIt",
    "hV9#kQ2!mZ7pLx",
    "c3VwZXJzZWNyZXR0b2tlbjEyMzQ1Njc4OTA",
  ];
  const frames: readonly ((secret: string) => string)[] = [
    (secret) => `We decided that the password is ${secret} for staging because of the audit.`,
    (secret) => `password=${secret}`,
    (secret) => `export DB_PASSWORD="${secret}"\nmust be set before Friday`,
    (secret) => `"password", "${secret}"`,
    (secret) => `setPassword("${secret}")`,
    (secret) => `connect to postgres://svc:${secret.replaceAll("#", "x")}@db.intern:5432/app now`,
    (secret) => `curl -u admin:${secret} https://intern/api`,
    (secret) => `mysql -p${secret} app`,
    (secret) => `deploy --token ${secret} --now`,
    (secret) => `密码是${secret}，请不要告诉别人。`,
    (secret) => `パスワード：${secret}`,
    (secret) => `비밀번호는 ${secret} 입니다.`,
    (secret) => `Das Passwort lautet ${secret} und gilt bis Mai.`,
    (secret) => `<password>\n${secret}\n</password>`,
    (secret) => `"sourceContent": "${secret}\\n\\nnext"`,
    (secret) => `password: |\n  ${secret}\n`,
  ];

  test("never appear in a line, whatever surrounds them", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...frames),
        fc.constantFrom(...secrets),
        text,
        text,
        (frame, secret, before, after) => {
          const said = `${before}\n${frame(secret)}\n${after}`;
          const safe = redact(said).text;
          const lines = summarizer.extract([{ seq: 1, role: "user", text: said }]);
          if (!safe.includes(secret)) for (const one of lines) expect(one.text).not.toContain(secret.slice(0, 12));
        },
      ),
      { numRuns: lawRuns(400) },
    );
  });

  test("in a key that spans many lines leave no line behind", () => {
    const body = Array.from(
      { length: 24 },
      (_, at) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${String(at).padStart(2, "0")}kZ7pLxQ9Ab`,
    );
    const said = `Here is the key:\n-----BEGIN PRIVATE KEY-----\n${body.join("\n")}\n-----END PRIVATE KEY-----\nIt must never be shared.`;
    const lines = summarizer.extract([{ seq: 1, role: "user", text: said }]);
    expect(lines.map((one) => one.text).join("\n")).not.toContain("MIIEvQ");
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe("merged lines", () => {
  test("are at most 24 of those given, each once", () => {
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 24 }), { maxLength: 4 }), (parts) => {
        const given = new Set<SummaryLine>(parts.flat());
        const merged = summarizer.merge(parts);
        expect(merged.length).toBeLessThanOrEqual(24);
        expect(new Set(merged).size).toBe(merged.length);
        for (const one of merged) expect(given.has(one)).toBe(true);
        expect(summarizer.merge(structuredClone(parts))).toEqual(merged);
      }),
    );
  });

  test("that say the same are merged, keeping the newest", () => {
    const said = "The staging database moved to the Harburg rack";
    const parts = [
      [{ seq: 1, role: "user" as const, text: said }],
      [{ seq: 9, role: "user" as const, text: `${said}.` }],
    ];
    expect(summarizer.merge(parts).map(({ seq }) => seq)).toEqual([9]);
  });

  test("with words rank above those without", () => {
    const parts = [
      ["🎉", "…", "We decided to keep the Harburg rack", "```"].map((said, at): SummaryLine => ({
        seq: at,
        role: "user",
        text: said,
      })),
    ];
    expect(summarizer.merge(parts)[0]?.seq).toBe(2);
  });

  test("rank text that repeats in every part below text said once", () => {
    const parts = [0, 1, 2, 3].map((part) =>
      Array.from({ length: 16 }, (_, at): SummaryLine => ({
        seq: part * 20 + at,
        role: "assistant",
        text:
          part === 2 && at === 9
            ? "Quillon keeps the spare badge in the greenhouse"
            : `Step ${at} of the nightly cleanup went through for host number ${at * 7 + part}`,
      })),
    );
    expect(summarizer.merge(parts)[0]?.text).toContain("Quillon");
  });
});
