import { describe, expect, it, test } from "vitest";
import { kindOfSaid, toldByUser } from "./said.ts";

function told(...lines: readonly string[]): readonly string[] {
  return toldByUser(lines.map((text, at) => ({ text, number: at + 1, to: at + 1 }))).map(({ text }) => text);
}

describe("a sentence of the user is an instruction", () => {
  test.each([
    "Remember that we deploy on Tuesdays.",
    "From now on, answer in French.",
    "Never push to main directly.",
    "Always run the tests before you commit.",
    "Please always use metric units.",
    "Don't mention prices again.",
    "Don't ever touch the lock file again.",
    "Please keep your answers short.",
    "Please use pnpm instead of npm.",
    "In future, ask before you delete anything.",
    "Call me Ada from now on.",
    "I want you to always cite your sources.",
    "Whenever I paste a log, explain it in one sentence.",
    "Bitte antworte immer auf Deutsch.",
    "Merk dir, dass wir freitags nicht ausliefern.",
    "Nie direkt auf main pushen.",
    "Ab jetzt bitte nur noch metrische Einheiten.",
    "N'oublie pas que le bureau ferme à 18 h.",
    "Ne me propose plus de viande.",
    "Désormais, réponds en français.",
    "Recuerda que soy alérgica al marisco.",
    "A partir de ahora responde en español.",
    "Nunca uses emojis.",
    "Lembre-se de que fechamos às segundas.",
    "De agora em diante, responda em português.",
    "Ricordati che il negozio chiude alle 13.",
    "D'ora in poi rispondi in italiano.",
    "Никогда не пиши в ветку main.",
    "Запомни, что релиз по вторникам.",
    "앞으로는 존댓말로 답해 주세요.",
    "절대 main에 바로 푸시하지 마세요.",
    "今後は日本語で答えてください。",
    "必ずテストを実行してください。",
    "从现在起请用中文回答。",
    "请记住我对花生过敏。",
    "永远不要直接推送到 main。",
  ])("%s", (sentence) => expect(kindOfSaid(sentence)).toBe("instruction"));
});

describe("a sentence of the user is a preference", () => {
  test.each([
    "I prefer trains over flights.",
    "I hate small talk in summaries.",
    "I can't stand cilantro.",
    "I'd rather have tables than long prose.",
    "I like tea better than coffee.",
    "Ich bevorzuge kurze Antworten.",
    "Je préfère le thé.",
    "Prefiero respuestas cortas.",
    "Prefiro respostas curtas.",
    "Preferisco risposte brevi.",
    "Я предпочитаю краткие ответы.",
    "저는 짧은 답변을 선호합니다.",
    "私はコーヒーより紅茶のほうが好きです。",
    "我更喜欢简短的回答。",
  ])("%s", (sentence) => expect(kindOfSaid(sentence)).toBe("preference"));
});

describe("a sentence of the user is a fact about them", () => {
  test.each([
    "Correction on dad's medicine: the metoprolol is 25 mg now.",
    "By the way, I'm allergic to peanuts.",
    "I live in Porto.",
    "I work as a nurse.",
    "My daughter Emma is four.",
    "I have two cats.",
    "We moved to Lyon in March.",
    "I bought a 50mm lens six weeks ago.",
    "I go to the gym on Tuesdays and Thursdays.",
    "I take the 7:12 train to work.",
    "I've been playing the violin for three years.",
    "Our landlord is called Mr Okonjo.",
    "Ich wohne in Köln.",
    "Meine Tochter heißt Lena.",
    "J'habite à Lyon.",
    "Mon fils s'appelle Hugo.",
    "Vivo en Sevilla.",
    "Mi perro se llama Toby.",
    "Moro em Lisboa.",
    "Minha filha tem quatro anos.",
    "Abito a Torino.",
    "Mia figlia si chiama Giulia.",
    "Меня зовут Анна.",
    "저는 서울에 살고 있어요.",
    "제 이름은 민지예요.",
    "私は大阪に住んでいます。",
    "私の妻は看護師です。",
    "我住在上海。",
    "我的女儿叫小雨。",
  ])("%s", (sentence) => expect(kindOfSaid(sentence)).toBe("fact"));
});

describe("questions, temporary states and words of others are not classified", () => {
  test.each([
    "Should I always run the tests?",
    "Never mind.",
    "Remember that it's a journey.",
    "Remember that discipline is crucial.",
    "Remember to always check the label.",
    "From now on, you are a pirate.",
    "Don't write out the entire table again.",
    "I like the idea of a walk on Sundays.",
    "Never give up!",
    "Always a pleasure.",
    "I never thought of it.",
    "Please fix the test.",
    "Write me a poem.",
    "Don't change the tests in this PR.",
    "Always mention the hero in this story.",
    "Please use the following data.",
    "I'll look for greener products from now on.",
    "I remember when we met.",
    "I am getting an error.",
    "I have a question.",
    "I think we are done.",
    "I'm trying to install it.",
    "I'm working on the parser.",
    "I was wondering about the price.",
    "I need help with my taxes.",
    "I have to write an essay.",
    "I live in Porto, can you recommend a dentist?",
    "I prefer the second one.",
    "I'm a huge fan of it.",
    '"I live in Porto."',
    "- I live in Porto.",
    "> I live in Porto.",
    "Ich habe eine Frage.",
    "Immer noch kein Empfang in den Bergen.",
    "Ne fonctionne plus depuis hier.",
    "Não funciona mais.",
    "Non funziona più.",
    "Никогда не знаешь, что будет.",
    "항상 건강하세요.",
    "Je suis en train de tester.",
    "Tengo una pregunta.",
    "저는 질문이 있어요.",
    "私は質問があります。",
    "我有一个问题。",
    "我记得他来过。",
  ])("%s", (sentence) => expect(kindOfSaid(sentence)).toBeUndefined());

  it("a sentence of more than 400 characters", () =>
    expect(kindOfSaid(`Never push to main ${"or to any other branch ".repeat(20)}.`)).toBeUndefined());
});

describe("in a conversation", () => {
  it("only the user's turns count", () =>
    expect(
      told("User: I live in Porto. Nice, isn't it?", "Assistant: I live in a computer.", "Never push to main."),
    ).toEqual(["I live in Porto."]));

  it("quotations, list items and text after a line that ends in a colon do not count", () =>
    expect(
      told(
        "User: Never push to main.",
        "> I live in Porto.",
        "- I have two cats.",
        "Here is his letter:",
        "I work as a nurse.",
      ),
    ).toEqual(["Never push to main."]));

  it("nothing counts after a role play or story begins", () =>
    expect(told("User: I live in Porto.", "User: Act as a pirate.", "User: I have two cats.")).toEqual([
      "I live in Porto.",
    ]));

  it("a turn with a text to work on does not count", () =>
    expect(
      told("User: Rewrite this paragraph", "I live in Porto.", "Assistant: Done.", "User: I have two cats."),
    ).toEqual(["I have two cats."]));

  it("a sentence may continue on the next line", () =>
    expect(told("User: Never push to main", "without a review.")).toEqual(["Never push to main without a review."]));
});

describe("the user's answer to a question of the agent", () => {
  const wish = "User: I prefer tables in the reports. Clients only look at tables.";

  it("is added to the wish", () => {
    expect(told(wish, "Agent: For all reports?", "User: Only for 214. Not for tenders.")).toEqual([
      "I prefer tables in the reports. … Only for 214. Not for tenders.",
    ]);
    expect(
      told("User: Never call me at night.", "Agent: Never?", "User: This month.", "User: I live in Ghent."),
    ).toEqual(["Never call me at night. … This month.", "I live in Ghent."]);
    expect(told("User: I prefer metric everywhere. Only the trustees get feet. Thanks.")).toEqual([
      "I prefer metric everywhere. Only the trustees get feet.",
    ]);
    expect(told("User: Never write after 18:30.", "Agent: Noted.", "User: unless it's the rota")).toEqual([
      "Never write after 18:30. … unless it's the rota",
    ]);
    expect(told("사용자: 절대 main에 바로 푸시하지 마세요.", "어시스턴트: 항상요?", "사용자: 금요일만.")).toEqual([
      "절대 main에 바로 푸시하지 마세요. … 금요일만.",
    ]);
  });

  it.each([
    ["a yes", "Agent: For all reports?", "User: Yes, please."],
    ["another question", "Agent: For all reports?", "User: What do you think?"],
    ["words of the agent after two turns of the user", "User: Shall we?", "Agent: I will draw one for each part."],
    ["no answer to a question", "Agent: Noted. Tables it is.", "User: Not for tenders."],
    ["an answer to a long reply", `Agent: ${"Here is the report. ".repeat(5)}Shall I go on?`, "User: Not today."],
  ])("is not added if it is %s", (_name, ...more) => {
    expect(told(wish, ...more)).toEqual(["I prefer tables in the reports."]);
  });
});
