import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spokenLines, type SourceLine } from "./speakers.ts";
import { statementsOf, weightOf } from "./statements.ts";

const lines = (text: string): readonly SourceLine[] =>
  text.split("\n").map((line, index) => ({ number: index + 10, text: line }));
const told = (text: string): readonly string[] => statementsOf(lines(text)).map((statement) => statement.text);

describe("statements of a conversation with an assistant", () => {
  const talk = [
    "User: Can you suggest a bread recipe? By the way, I bought a stone oven in Lisbon last May.",
    "",
    `Assistant: Certainly! You could start with a sourdough of 75 % hydration. ${"Then knead it. ".repeat(30)}`,
    "Let it rest for 12 hours.",
    "User: Thanks, my neighbour Ines has a starter.",
  ].join("\n");

  it("are what the person said, sentence by sentence, with their lines", () => {
    expect(statementsOf(lines(talk)).map(({ line, text }) => [line, text])).toEqual([
      [10, "Can you suggest a bread recipe?"],
      [10, "By the way, I bought a stone oven in Lisbon last May."],
      [14, "Thanks, my neighbour Ines has a starter."],
    ]);
  });

  it("include an assistant's short answers, which state something", () => {
    expect(told("User: How long do we keep drafts?\nAssistant: Fourteen days.")).toEqual([
      "How long do we keep drafts?",
      "Fourteen days.",
    ]);
  });

  it("weigh more if they state something than if they ask", () => {
    const [asks, tells, thanks] = statementsOf(lines(talk));
    expect(tells?.weight).toBeGreaterThan(thanks?.weight ?? 1);
    expect(thanks?.weight).toBeGreaterThan(asks?.weight ?? 1);
  });

  it.each([
    ["**Human**: I moved to Porto in 2021.", "I moved to Porto in 2021."],
    ["사용자: 저는 지난주에 고양이를 입양했어요.", "저는 지난주에 고양이를 입양했어요."],
    ["用户：我上周买了一辆自行车。", "我上周买了一辆自行车。"],
    ["**利用者**：妹は医者です。", "妹は医者です。"],
    ["ユーザー：先週、猫を飼い始めました。", "先週、猫を飼い始めました。"],
  ])("have the mark of %s", (line, text) => expect(told(line)).toEqual([text]));

  it("continue after a code fence that an assistant left open", () => {
    expect(
      told("User: Here is my code\n```\nlet a = 1\n```\nAssistant: ```\nlet b\nUser: I use Deno at work."),
    ).toEqual(["Here is my code", "I use Deno at work."]);
  });
});

describe("statements outside conversations with an assistant", () => {
  it("are the whole turns of named people, with the name that shows who they are about", () => {
    const talk = [
      "Ana: Hi! I got the job.",
      "Ben: Great! When?",
      "Ana: In May.",
      "Ben: My sister works there. She likes it.",
    ];
    expect(told(talk.join("\n"))).toEqual(talk);
    expect(spokenLines(lines(talk.join("\n"))).every(({ speaker }) => speaker === "named")).toBe(true);
  });

  it("are the sentences and list items of notes, without headings, tables, code, comments and lines with only a day", () => {
    const note =
      "## Limiter\nDate: 2026-03-15\n- [x] We took the token bucket. Redis stays.\n| a | b |\n```\ncode here()\n```\n<!-- x -->\nStatus: done since Friday";
    expect(told(note)).toEqual(["We took the token bucket.", "Redis stays.", "Status: done since Friday"]);
  });

  it("do not mistake labels in notes for a dialogue", () => {
    expect(spokenLines(lines("Goal: ship it\nStatus: open\nGoal: rest")).map(({ speaker }) => speaker)).toEqual([
      "author",
      "author",
      "author",
    ]);
  });
});

describe("the weight of a statement", () => {
  it.each([
    ["I've had my Honda Civic for three years.", "I'm looking for a reliable car."],
    ["Actually, we celebrated her birthday at Rosa's yesterday.", "Could you help me plan a birthday party?"],
    ["나는 지난달에 서울로 이사했어요.", "서울 맛집을 알려 주세요."],
    ["私の娘は先月7歳になりました。", "おすすめの本を教えてください。"],
    ["我的狗去年做了两次手术。", "你能不能帮我写一封信？"],
  ])("is higher for %j than for %j", (tells, asks) => expect(weightOf(tells)).toBeGreaterThan(weightOf(asks)));

  it("is the same with straight and with curly apostrophes", () => {
    expect(weightOf("I’m from Oslo and I’ve run two marathons")).toBe(
      weightOf("I'm from Oslo and I've run two marathons"),
    );
  });

  it("is between 0 and 1 for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => weightOf(text) >= 0 && weightOf(text) <= 1));
  });
});
