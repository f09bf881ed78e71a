// A long conversation with facts planted in known messages: users, assistants and tools, several languages, filler from many templates. The same seed
// gives the same messages. Each fact contains made-up words that occur nowhere else.
import { createRandom, filled } from "./seeded.mjs";
import { facts as englishFacts, filler as englishFiller } from "./thread-english.mjs";
import { arabic, chinese, german, japanese } from "./thread-others.mjs";

const english = { filler: englishFiller, facts: englishFacts };
/** The languages and their shares. */
export const languages = [
  [english, 0.7],
  [german, 0.12],
  [chinese, 0.08],
  [japanese, 0.05],
  [arabic, 0.05],
];

/**
 * Generates messages `{ seq, role, text }`; those with a planted fact also have `fact`. `every`: one message in this many has a fact, on average. `bytes`:
 * the average minimum length of a filler message.
 */
export function* conversation({ seed = 1, count = 10_000, every = 1000, bytes = 400, tongues = languages } = {}) {
  const random = createRandom(seed);
  const made = createWords(random);
  let tongue = tongues[0][0];
  for (let seq = 1; seq <= count; seq++) {
    if (random.chance(0.05)) tongue = pickTongue(tongues, random);
    const isFact = random.below(every) === 0;
    yield isFact ? factMessage({ tongue, seq, made, random, bytes }) : fillerMessage({ tongue, seq, random, bytes });
  }
}

function pickTongue(tongues, random) {
  let at = random.below(1000) / 1000;
  for (const [tongue, share] of tongues) if ((at -= share) < 0) return tongue;
  return tongues[0][0];
}

function roleOf(random) {
  const at = random.below(100);
  return at < 40 ? "user" : at < 80 ? "assistant" : "tool";
}

function fillerMessage({ tongue, seq, random, bytes }) {
  const role = roleOf(random);
  return { seq, role, text: talk({ tongue, role, random, bytes: random.between(bytes / 4, (bytes * 7) / 4) }) };
}

function talk({ tongue, role, random, bytes }) {
  const { names, parts, files } = tongue.filler;
  const values = {
    name: () => random.pick(names),
    part: () => random.pick(parts),
    file: () => random.pick(files),
    n: () => String(random.between(2, 900)),
    d: () => String(random.between(10, 28)),
  };
  const said = [];
  let size = 0;
  while (size < bytes) {
    const text = filled(random.pick(tongue.filler[role]), values);
    said.push(text);
    size += Buffer.byteLength(text);
  }
  return said.join(role === "tool" ? "\n" : random.chance(0.2) ? "\n" : " ");
}

function factMessage({ tongue, seq, made, random, bytes }) {
  const [role, kind, template] = random.pick(tongue.facts);
  const words = {};
  const text = template.replace(/\{(\w+)\}/gu, (_, name) => {
    if (name === "n") return String(random.between(1000, 9000));
    const key = name.toLowerCase();
    words[key] ??= made[scripts[key.charAt(0)]]();
    return name === key ? words[key] : words[key].charAt(0).toUpperCase() + words[key].slice(1);
  });
  const before = random.chance(0.5) ? talk({ tongue, role, random, bytes: bytes / 3 }) : "";
  const after = random.chance(0.5) ? talk({ tongue, role, random, bytes: bytes / 3 }) : "";
  const joined = [before, text, after].filter((part) => part !== "").join(role === "tool" ? "\n" : " ");
  return { seq, role, text: joined, fact: { kind, words: Object.values(words), sentence: text } };
}

/** Makes words that were never returned before. */
function createWords(random) {
  const given = new Set();
  const fresh = (make) => {
    for (;;) {
      const word = make();
      if (!given.has(word)) {
        given.add(word);
        return word;
      }
    }
  };
  const of = (characters, from, to) =>
    Array.from({ length: random.between(from, to) }, () => random.pick(characters)).join("");
  return {
    latin: () =>
      fresh(
        () =>
          Array.from({ length: random.between(2, 3) }, () => random.pick(starts) + random.pick(vowels)).join("") +
          random.pick(ends),
      ),
    han: () => fresh(() => of(han, 2, 3)),
    arabic: () => fresh(() => of(arabicLetters, 4, 6)),
    cyrillic: () =>
      fresh(() => Array.from({ length: 3 }, () => random.pick(cyrillicStarts) + random.pick(cyrillicVowels)).join("")),
    hangul: () => fresh(() => of(hangul, 3, 4)),
  };
}

/** The script of a made-up word, by the first letter of its placeholder. */
const scripts = { w: "latin", c: "han", a: "arabic", y: "cyrillic", k: "hangul" };
const starts = [
  "b",
  "br",
  "d",
  "dr",
  "f",
  "g",
  "gr",
  "h",
  "k",
  "kl",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "qu",
  "r",
  "s",
  "st",
  "t",
  "tr",
  "v",
  "w",
  "z",
];
const vowels = ["a", "e", "i", "o", "u", "ai", "ou"];
const ends = ["", "n", "r", "s", "x", "l", "m", "nd", "rk", "sk"];
const han = Array.from("鹏峰岚澜霖桦榕楠枫柏松竹梅兰菊荷莲樱桃杏梨榴橘柑柚蕉萱芸芷蘅蓉薇蔷槿桐梓檀樟楸槐柳栎榆桉椿");
const arabicLetters = Array.from("بتثجحخدذرزسشصضطظعغفقكلمنهوي");
const cyrillicStarts = Array.from("бвгджзклмнпрстфхцчш");
const cyrillicVowels = Array.from("аеиоуыя");
const hangul = Array.from("갈넉덤롬뭉벅솔엄족칠컬털펑흔갓낭돔락맹빔섬윤잣찬콩탱퐁홀");
