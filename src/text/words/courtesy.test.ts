import { describe, expect, test } from "vitest";
import { requestIn, tellingWords } from "./courtesy.ts";
import { processorTime } from "../../../test/fixtures/processor-time.ts";

import fc from "fast-check";

const said = (message: string): readonly string[] => tellingWords(message).map(({ word }) => word);

describe("a message that is only courtesy or agreement has no telling words", () => {
  test.each([
    "thanks!",
    "Thanks a lot, that helped.",
    "thank you so much 🙏",
    "thx",
    "ok",
    "OK.",
    "okkk",
    "yesss",
    "yes, do it",
    "yes please, go ahead",
    "go on",
    "carry on",
    "continue",
    "hello",
    "Hi there, good morning!",
    "Good evening",
    "sounds good",
    "sounds like a plan",
    "of course, no problem",
    "that makes sense",
    "looks great, ship it",
    "perfect, thanks",
    "ok,thanks",
    "no, the other one",
    "the second one",
    "2",
    "y",
    "👍",
    "…",
    "why?",
    "and then?",
    "great idea, run it",
    "nice work!",
    "see you tomorrow",
    "have a nice day",
    "fix it",
    "LGTM",
    "どうも",
    "ありがとうございます！",
    "了解です。続けてください",
    "はい、お願いします",
    "おはようございます",
    "いいですね、それで進めて",
    "こんにちは",
    "继续",
    "好的，谢谢你",
    "谢谢了解",
    "没问题，请继续",
    "你好",
    "早上好！",
    "可以，就这样",
    "謝謝，辛苦了",
    "네 고마워요",
    "네, 계속해 주세요",
    "안녕하세요",
    "감사합니다!",
    "좋아요 그렇게 해주세요",
    "알겠습니다",
    "Danke schön!",
    "ja, mach weiter bitte",
    "Guten Morgen",
    "klingt gut, vielen Dank",
    "Merci beaucoup !",
    "oui, vas-y",
    "d'accord, continue s'il te plaît",
    "Bonjour",
    "muchas gracias",
    "sí, adelante",
    "Buenos días",
    "está bien, continúa por favor",
    "grazie mille, va bene",
    "obrigado, pode continuar",
    "bom dia",
    "dank je wel, ga door",
    "dziękuję bardzo, dalej",
    "tack så mycket",
    "спасибо большое, продолжай",
    "Доброе утро",
    "teşekkür ederim, devam et",
    "شكرا جزيلا",
    "धन्यवाद, ठीक है",
    "cảm ơn, tiếp tục",
    "terima kasih, lanjutkan",
    "ขอบคุณครับ",
    "ευχαριστώ πολύ",
    "תודה רבה",
    "",
  ])("%s", (message) => {
    expect(said(message)).toEqual([]);
  });
});

describe("in a message with courtesy and content, only the content counts", () => {
  test.each([
    ["thanks, now fix the login timeout", ["fix", "login", "timeout"]],
    ["Hello! Which limiter do we use?", ["limiter", "use"]],
    ["yes, the payments one please", ["payments"]],
    ["danke, und der Zeitplan?", ["Zeitplan"]],
    ["good restaurants in Lisbon", ["good", "restaurants", "Lisbon"]],
    ["the sounds of the engine", ["sounds", "engine"]],
    ["my job", ["job"]],
    ["morning run", ["morning", "run"]],
    ["谢谢，修复登录超时", ["修复登录超时"]],
    ["ありがとうございます、次はタイムアウト", ["次はタイムアウト"]],
    ["고마워요, 로그인 오류", ["로그인", "오류"]],
    ["猫", ["猫"]],
    ["はな", ["はな"]],
    ["IT", ["IT"]],
  ])("%s", (message, words) => {
    expect(said(message)).toEqual(expect.arrayContaining(words));
    expect(said(message).join(" ")).not.toMatch(/thanks|hello|yes|please|danke|谢谢|ありがとう|고마/iu);
  });
});

test("words of sayings count in other contexts", () => {
  expect(said("when does the course begin?")).toContain("course");
  expect(said("what was the problem?")).toContain("problem");
  expect(said("copy that")).toEqual([]);
});

test("repeated courtesy changes nothing, and a long run of one letter takes less than two seconds", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("limiter", "ログイン", "超时问题", "로그인"),
      fc.constantFrom("thanks", "ok", "gracias"),
      (word, polite) => {
        expect(said(`${polite}, ${polite}! ${word}`)).toEqual(said(word));
      },
    ),
  );
  for (const letter of ["哈", "谢", "네", "はい", "ok "])
    expect(processorTime(2000, () => said(letter.repeat(5000)))).toBeLessThan(2000);
});

describe("the general verb of a request", () => {
  test.each([
    ["fix the typo in README", "fix"],
    ["Please build a birdhouse with my son", "build"],
    ["Can you write me a poem?", "write"],
    ["Repariere den Zaun", "repariere"],
    ["Corrige la phrase", "corrige"],
    ["Escribe una carta", "escribe"],
    ["Scrivi una lettera", "scrivi"],
    ["Исправь опечатку", "исправь"],
    ["build fails on ARM", ""],
    ["Why was the fix reverted?", ""],
    ["Which build has the bug?", ""],
    ["deploy the app", ""],
  ])("%s: %s", (message, verb) => {
    expect(requestIn(message)).toBe(verb);
  });
});
