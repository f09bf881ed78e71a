// Replaces one of the marked facts in a statement with an invented one.
export const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The statement with one fact of kind `mark` replaced, the new value, and whether that value (a number or date) occurs elsewhere in the source. */
export function planted(statement, mark, context) {
  const marks = [...statement.matchAll(/\{([ndwp]) ([^}]*)\}/gu)].filter(([, kind]) => kind === mark);
  const chosen = context.random.pick(marks);
  const change = { n: otherNumber, d: otherDate, w: otherName, p: otherPath }[mark];
  let value = chosen[2];
  for (let tries = 0; tries < 50 && (value === chosen[2] || statement.includes(value)); tries++)
    value = change(chosen[2], context);
  const elsewhere =
    (mark === "n" || mark === "d") &&
    new RegExp(`(?<![\\d])${value.replaceAll(/[.*+?^$()[\]]/gu, "\\$&")}(?!\\d)`, "u").test(context.source);
  const from = chosen.index;
  return {
    statement: `${statement.slice(0, from)}${value}${statement.slice(from + chosen[0].length)}`,
    value,
    elsewhere,
  };
}

/** Changes one digit. A single digit may become two. */
function otherNumber(text, { random }) {
  const digits = [...text.matchAll(/\d/gu)];
  const at = random.pick(digits).index;
  const changed = `${text.slice(0, at)}${random.between(1, 9)}${text.slice(at + 1)}`;
  return digits.length === 1
    ? `${random.between(2, 9)}${random.chance(0.3) ? random.below(10) : ""}${text.slice(at + 1)}`
    : changed;
}

/** Moves the day by two to nine days, or changes the month. */
function otherDate(text, { random }) {
  const month = months.find((name) => new RegExp(`\\b${name.slice(0, 3)}`, "u").test(text));
  if (month !== undefined && random.chance(0.4)) {
    const other = random.pick(months.filter((name) => name !== month));
    return text.replace(/[A-Z][a-z]+/u, other);
  }
  const numbers = [...text.matchAll(/\d{1,2}(?!\d)/gu)].filter(({ index }) => !/\d/u.test(text[index - 1] ?? ""));
  const dayFirst = /^\d{1,2}\.\d/u.test(text) || month !== undefined;
  const day = dayFirst ? numbers[0] : numbers.at(-1);
  const moved = ((Number(day[0]) - 1 + random.between(2, 9)) % 28) + 1;
  return `${text.slice(0, day.index)}${String(moved).padStart(day[0].length, "0")}${text.slice(day.index + day[0].length)}`.replace(
    /(\d)(?:st|nd|rd|th)\b/u,
    "$1th",
  );
}

function otherName(text, { random, source, data, language }) {
  const pool = data.names[language] ?? data.names.latin;
  const of = language === "ja" && /^[A-Za-z]/u.test(text) ? pool.filter((name) => /^[A-Za-z]/u.test(name)) : pool;
  return random.pick(of.filter((name) => !source.toLowerCase().includes(name.toLowerCase())));
}

/** Replaces the file name or one of the folders. */
function otherPath(text, { random, source, data }) {
  const parts = text.split("/");
  const invented = data.segments.filter((name) => !source.includes(name));
  const last = parts.length - 1;
  const at = random.chance(0.6) ? last : random.below(parts.length);
  return parts
    .map((part, index) =>
      index !== at ? part : index === last ? part.replace(/^[^.]+/u, random.pick(invented)) : random.pick(invented),
    )
    .join("/");
}
