import { describe, expect, it } from "vitest";
import { tellingWords } from "../../text/words/courtesy.ts";
import { partKey, rawWords, termOf } from "../../text/words/index-terms.ts";
import { partsOf } from "../../text/words/names-and-numbers.ts";
import { joined } from "../../text/words/query.ts";
import { isRelated, speaksOfOwn } from "./floor.ts";
import { sectionCounts } from "../../../test/fixtures/section-counts.ts";

/** The index terms of a text. */
function termsOf(text: string): readonly string[] {
  const parts = partsOf(text);
  return [...rawWords(text).map(termOf), ...(parts === "" ? [] : parts.split(" ").map(partKey))];
}

/** Whether a message is related to a memory in which each text is a section with one statement. `split`: words of more than one token. */
function related(message: string, texts: readonly string[], split: readonly string[] = []): boolean {
  const statements = texts.map(termsOf);
  const words = tellingWords(message);
  const terms = joined(words.flatMap(({ any }) => any)).map(({ kind, text }) => {
    const needed = kind === "part" ? text.split(" ").map(partKey) : text.split(" ").map(termOf);
    const within = statements.flatMap((has, at) => (needed.every((term) => has.includes(term)) ? [at] : []));
    const term = kind === "part" ? partKey(text) : termOf(text);
    return { term, sections: sectionCounts(within.map((at) => [at, 1] as const)) };
  });
  const chunks = sectionCounts(texts.map((_, at) => [at, 1] as const));
  const tokens = (text: string): number => (split.includes(text.trim().toLowerCase()) ? 2 : 1);
  return isRelated({ text: message, words, terms, chunks, tokens }, statements);
}

/** Statements about something else, with a few common words. */
const filler = Array.from({ length: 200 }, (_, at) => `entry${at} ${at % 4 === 0 ? "week" : "team"} number`);

describe("several words in one statement", () => {
  const memory = [
    ...filler,
    "the heating broke in the attic",
    "the tap in the kitchen drips",
    "a ladder stands in the attic",
  ];

  it("are no chance if they are rare and the message is short", () =>
    expect(related("who fixes broken heating in an attic", memory)).toBe(true));

  it("are chance if most statements have them", () =>
    expect(related("which week has a number divisible by thirteen", memory)).toBe(false));

  it("say nothing if no statement has two of them", () =>
    expect(related("how does a heating differ from a kitchen fireplace", memory)).toBe(false));

  it("are chance in a long message, which has many words to choose from", () => {
    const things = "apple bucket candle drum engine fence glove hammer iron jar kettle lamp".split(" ");
    const many = [
      ...filler,
      ...things.flatMap((thing) => Array.from({ length: 4 }, () => `${thing} here`)),
      "apple bucket",
    ];
    expect(related("does an apple fit a bucket under water", many)).toBe(true);
    expect(related(`does it matter that ${things.join(" and ")} fit under water`, many)).toBe(false);
  });
});

describe("a message about its speaker's own things", () => {
  const plans = Array.from({ length: 20 }, (_, at) => `plan${at} for the garden`);
  const roofs = Array.from({ length: 20 }, (_, at) => `roof${at} of the shed`);
  const memory = [...filler, ...plans, ...roofs.map((text) => `${text} shelter`), "the garden gets a shed"];

  it("needs less", () => {
    expect(related("does a garden need a shed against frost", memory)).toBe(false);
    expect(related("does our garden need a shed against frost", memory)).toBe(true);
  });

  it("still needs two words", () =>
    expect(related("does our garden need a greenhouse against frost", memory)).toBe(false));
});

describe("a name", () => {
  const memory = [
    ...filler,
    "Kestrel wants a quote by Friday",
    "the crate of Veldkamp is PRX-212",
    "invoice 88213 is open since 2023",
  ];

  it("that the memory knows is enough", () => {
    const message = "kestrel called while someone was driving through heavy rain";
    expect(related(message, memory)).toBe(false);
    expect(related(message, memory, ["kestrel"])).toBe(true);
  });

  it("must be there in all its parts", () => {
    expect(related("someone pinged me about PRX-212 with a long story", memory, ["prx-212"])).toBe(true);
    expect(related("someone pinged me about PRX-213 with a long story", memory, ["prx-213"])).toBe(false);
  });

  it("may be a long number, but not a year", () => {
    expect(related("was 88213 paid with the other four yesterday", memory)).toBe(true);
    expect(related("who won the cup of nations played in 2023", memory)).toBe(false);
  });

  it("says nothing in a language whose words are mostly split", () => {
    const all = ["kestrel", "soitti", "ajaessani", "sateessa"];
    expect(related("kestrel soitti ajaessani sateessa", [...memory, ...memory], all)).toBe(false);
  });

  it("that the memory does not know asks for more of the other words", () => {
    const lamps = Array.from({ length: 5 }, (_, at) => `lamp${at} in the hall`);
    const some = [...filler, ...lamps.map((text) => text.replace(/\d/u, "")), "the lamp needs a bulb"];
    expect(related("which bulb does a lamp by Lindqvist have", some)).toBe(true);
    expect(related("which bulb does a lamp by Lindqvist have", some, ["lindqvist"])).toBe(false);
  });
});

describe("the subject of a short message", () => {
  const memory = [...filler, "passkeys come in spring", "the midwives start in May"];

  it("is enough if the memory has it in a few places", () => {
    expect(related("and the midwives?", memory)).toBe(true);
    expect(related("and the team?", memory)).toBe(false);
  });

  it("must make up half of the message", () =>
    expect(related("how long do midwives train before an exam in Norway", memory)).toBe(false));

  it("must make up a third of it in the first days of a memory", () => {
    const young = ["never run the invoice job at night", "ask Mira before the billing changes"];
    expect(related("who approves anything about billing", young)).toBe(true);
    expect(related("who approves anything about billing", [...filler, ...young])).toBe(false);
  });
});

it("nearly all of a message is enough, even if the whole memory is about it", () => {
  const memory = Array.from({ length: 60 }, (_, at) => `the kitchen renovation costs ${at} thousand`);
  expect(related("the kitchen renovation", memory)).toBe(true);
  expect(related("the kitchen cabinets of a submarine", memory)).toBe(false);
});

describe("in writing without spaces, and in Korean", () => {
  it("pairs of letters are words", () => {
    const memory = [...filler, "永順那批貨的餘款付清了", "하린이 치과 예약은 금요일", "明日は図書館に行く"];
    expect(related("永順的餘款付了多少錢呢", memory)).toBe(true);
    expect(related("하린이 치과 언제 가더라", memory)).toBe(true);
    expect(related("太陽系最大的行星是哪一顆", memory)).toBe(false);
    expect(related("고양이는 왜 하루 종일 자는 걸까", memory)).toBe(false);
  });

  it("pairs in a row are one word", () => {
    const memory = [...filler, "明日は図書館に行く"];
    expect(related("古代の世界七不思議と図書館の関係について詳細を説明", memory)).toBe(false);
  });
});

it("a message without words, or a memory without statements, is not related", () => {
  expect(related("", filler)).toBe(false);
  expect(related("who fixes the heating", [])).toBe(false);
});

it.each([
  "when is our review",
  "What did I say about the kitchen?",
  "wann ist unser Termin",
  "was habe ich über die Küche gesagt",
  "où est ma clé et mon sac",
  "¿dónde está mi llave?",
  "когда наша встреча",
  "우리 차 언제 고쳤지",
  "私の誕生日はいつ",
  "我们的餘款付了没",
])("a message speaks of its speaker's own things: %s", (message) => expect(speaksOfOwn(message)).toBe(true));

it.each([
  "how do I boil an egg",
  "I'm bored, tell me a joke",
  "what is the capital of Mongolia",
  "the economy of the mines",
  "wie hoch ist die Zugspitze",
  "제일 큰 행성은",
  "我想知道太陽系最大的行星",
  "",
])("a message speaks in general: %s", (message) => expect(speaksOfOwn(message)).toBe(false));
