// Generates true statements from what users said in a log: in the third person, shortened, with numbers and dates in other formats.
import { months } from "./grounding-plant.mjs";

const monthPattern = months.join("|");

const said = [
  [/\bI'm\b/gu, "the user is"],
  [/\bI am\b/gu, "the user is"],
  [/\bI've\b/gu, "the user has"],
  [/\bI'd\b/gu, "the user would"],
  [/\bI'll\b/gu, "the user will"],
  [/\bI was\b/gu, "the user was"],
  [/\bI\b/gu, "the user"],
  [/\b[Mm]y\b/gu, "their"],
  [/\bme\b/gu, "them"],
  [/\bwe're\b/gu, "they are"],
  [/\b[Ww]e\b/gu, "they"],
  [/\bour\b/gu, "their"],
  [/\b(?:actually|really|just|also|by the way|anyway|so|pretty)\b,? ?/giu, ""],
  [/\bapproximately|around\b/gu, "about"],
  [/\bbought\b/gu, "purchased"],
  [/\bbegan\b/gu, "started"],
];
const words = ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** Up to 40 statements from a log, with their facts marked. */
export function factsOf(source, random) {
  const sentences = source
    .split(/\r?\n/u)
    .filter((line) => /^User:|^- /u.test(line) && !/`|\||https?:/u.test(line))
    .flatMap((line) => line.replace(/^User: |^- (?:\w[\w -]*: )?/u, "").split(/(?<=[.!?]) (?=[A-Z])/u))
    .filter((sentence) => sentence.length > 30 && sentence.length < 260 && !/[{}*]|\?$/u.test(sentence));
  return random.sample(
    sentences.map((sentence) => factOf(sentence, random)).filter((fact) => fact !== undefined),
    40,
  );
}

function factOf(sentence, random) {
  const date = new RegExp(`\\b(${monthPattern}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!,? \\d{4})`, "u").exec(sentence);
  if (date !== null) return around(sentence, date, `{d ${dateAs(date[1], Number(date[2]), random)}}`);
  const number = /(?<![\w.,:/#-])(\$?)(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(%?)(?= [a-z]|[.,;%]|-[a-z])/u.exec(sentence);
  const inDate = number !== null && new RegExp(`(?:${monthPattern}) $`, "u").test(sentence.slice(0, number.index));
  if (number !== null && !inDate && !/^(?:19|20)\d\d$/u.test(number[2]))
    return around(sentence, number, numberAs(number, random));
  const name = /(?<=[a-z,] )((?!I\b)[A-Z][a-z]{3,})(?=[ .,!])/u.exec(sentence);
  if (name !== null && !new RegExp(`${monthPattern}|day$|User`, "u").test(name[1]))
    return around(sentence, name, `{w ${name[1]}}`);
  return undefined;
}

/** The fact with a few words before and after it, in the third person. */
function around(sentence, match, marked) {
  const before = sentence.slice(0, match.index).split(" ").slice(-8).join(" ");
  const behind = sentence
    .slice(match.index + match[0].length)
    .split(" ")
    .slice(0, 7)
    .join(" ")
    .replace(/[.,!;]+$/u, "");
  const told = said.reduce((text, [from, to]) => text.replaceAll(from, to), `${before}\u0000${behind}`);
  const [first, last] = told.split("\u0000");
  return `${first.replace(/^\W+/u, "")}${marked}${last}`.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function dateAs(month, day, random) {
  const at = String(months.indexOf(month) + 1).padStart(2, "0");
  return random.pick([
    `${day} ${month}`,
    `${month} ${day}`,
    `${month.slice(0, 3)} ${day}`,
    `${at}-${String(day).padStart(2, "0")}`,
  ]);
}

function numberAs([, sign, digits, percent], random) {
  const value = Number(digits.replaceAll(",", ""));
  const plain =
    value >= 1000 && random.chance(0.5) ? String(value) : value >= 1000 ? value.toLocaleString("en-US") : digits;
  if (sign === "$") return random.chance(0.5) ? `$\{n ${plain}}`.replace("$\\", "$") : `{n ${plain}} dollars`;
  if (percent === "" && value >= 2 && value <= 12 && Number.isInteger(value) && random.chance(0.3)) return words[value];
  return `{n ${plain}}${percent}`;
}
