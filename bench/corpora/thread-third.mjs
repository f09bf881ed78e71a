// A third planted conversation with its own templates: an agent at work, with diffs, stack traces, listings and JSON between the messages. Its facts use
// everyday words without digits or names, while its filler is full of both, so rare words seldom mark a fact.
import { createRandom, filled } from "./seeded.mjs";
import { tongues } from "./thread-third-tongues.mjs";

const syllables = "bar|tel|mon|sa|ri|gu|len|do|vik|ha|ster|pol|na|quin|wes|tor|ber|lin|ca|mil".split("|");
const stems = "parser|router|session|cache|billing|upload|mailer|queue|schema|report|index|worker".split("|");
const outputs = [diff, trace, suite, listing, json, log];

/** Messages like those of `conversation`. A fact's `words` contains a single phrase, which occurs verbatim. */
export function* third({ seed = 1, count = 10_000, every = 1000, bytes = 400 } = {}) {
  const random = createRandom(seed * 7919 + 3);
  const used = new Set();
  let tongue = tongues[0][0];
  for (let seq = 1; seq <= count; seq++) {
    if (random.chance(0.04)) tongue = pickTongue(random);
    if (random.below(every) === 0) yield { seq, ...planted({ tongue, random, used, bytes }) };
    else {
      const at = random.below(10);
      const role = at < 3 ? "user" : at < 7 ? "assistant" : "tool";
      const least = role === "user" ? bytes / 8 : random.between(bytes / 2, bytes * 2);
      yield {
        seq,
        role,
        text: role === "tool" ? random.pick(outputs)(random, least) : talk({ tongue, role, random, least }),
      };
    }
  }
}

function pickTongue(random) {
  let at = random.below(1000) / 1000;
  for (const [tongue, share] of tongues) if ((at -= share) < 0) return tongue;
  return tongues[0][0];
}

function planted({ tongue, random, used, bytes }) {
  for (;;) {
    const [role, template, phrase] = random.pick(tongue.facts);
    const words = { a: random.pick(tongue.a), b: random.pick(tongue.b), c: random.pick(tongue.c) };
    const told = filled(phrase, words);
    if (used.has(told)) continue;
    used.add(told);
    const before = random.chance(0.4) ? `${talk({ tongue, role, random, least: bytes / 6 })}\n` : "";
    const after = random.chance(0.4) ? `\n${talk({ tongue, role, random, least: bytes / 6 })}` : "";
    return { role, text: `${before}${filled(template, words)}${after}`, fact: { words: [told], kind: "plain" } };
  }
}

function talk({ tongue, role, random, least }) {
  const values = {
    name: () => nameOf(random),
    file: () => fileOf(random),
    n: () => String(random.between(11, 989)),
    a: () => random.pick(tongue.a),
    b: () => random.pick(tongue.b),
    c: () => random.pick(tongue.c),
  };
  return repeated(least, random.chance(0.5) ? "\n" : " ", () => filled(random.pick(tongue[role]), values));
}

function repeated(least, between, make) {
  let text = make();
  while (Buffer.byteLength(text) < least) text += `${between}${make()}`;
  return text;
}

function nameOf(random) {
  const name = Array.from({ length: random.between(2, 3) }, () => random.pick(syllables)).join("");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fileOf(random) {
  return `src/${random.pick(stems)}/${random.pick(stems)}-${random.between(1, 99)}.ts`;
}

function hexOf(random) {
  return random.between(0x10_00_00_00, 0x7f_ff_ff_ff).toString(16);
}

function diff(random, least) {
  const line = () =>
    `${random.pick(["+", "-", " "])}  const ${random.pick(stems)}${nameOf(random)} = await ${random.pick(stems)}.get("${nameOf(random)}", ${random.below(900)});`;
  const file = fileOf(random);
  return `diff --git a/${file} b/${file}\nindex ${hexOf(random)}..${hexOf(random)} 100644\n@@ -${random.below(300)},7 +${random.below(300)},9 @@\n${repeated(least, "\n", line)}`;
}

function trace(random, least) {
  const frame = () =>
    `    at ${nameOf(random)}.${random.pick(stems)} (/srv/app/${fileOf(random)}:${random.below(900)}:${random.below(80)})`;
  return `TypeError: Cannot read properties of undefined (reading '${random.pick(stems)}${nameOf(random)}')\n${repeated(least, "\n", frame)}`;
}

function suite(random, least) {
  const test = () =>
    ` ${random.chance(0.9) ? "✓" : "✗"} ${fileOf(random)} > keeps the ${random.pick(stems)} when the ${random.pick(stems)} is ${nameOf(random)} (${random.below(900)} ms)`;
  return `${repeated(least, "\n", test)}\nTests  ${random.below(9)} failed | ${random.below(900)} passed (${random.below(999)})`;
}

function listing(random, least) {
  return repeated(
    least,
    "\n",
    () =>
      `-rw-r--r--  1 ${nameOf(random).toLowerCase()} staff  ${random.below(99_999)} Mar ${random.between(1, 28)} 10:${random.between(10, 59)} ${fileOf(random)}`,
  );
}

function json(random, least) {
  return `[${repeated(least, ",\n", () => `{"id": ${random.below(9999)}, "owner": "${nameOf(random)}", "state": "must ${random.pick(stems)}", "sum": "${hexOf(random)}"}`)}]`;
}

function log(random, least) {
  return repeated(
    least,
    "\n",
    () =>
      `2026-03-${random.between(10, 28)}T10:${random.between(10, 59)}:07Z ${random.pick(["INFO", "WARN", "ERROR"])} ${random.pick(stems)} ${nameOf(random)} failed after ${random.below(900)} ms because the ${random.pick(stems)} was closed, retry ${random.below(9)}`,
  );
}
