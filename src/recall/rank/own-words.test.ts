import { expect, it } from "vitest";
import { speaksOfOwn } from "./floor.ts";

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
