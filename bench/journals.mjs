// Turns public git histories into daily logs, one entry per commit, and measures how many commits the lines of ROOT.md lead to.
// Usage: node bench/journals.mjs make GITDIR OUT --headings commit|module [--since DAY --until DAY]
//        node bench/journals.mjs score FOLDER [--bin PROGRAM --sample 30 --seed 1 --tokens 3000 --brief]
// A commit is REACHED if a line of ROOT.md traces to its entry and to at most 12 entries in total, and shares two content words
// with its subject and paths. Chance: the same, with the entries shuffled among the lines.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createRandom } from "./corpora/seeded.mjs";
import { program, runNode, temporaryFolder } from "./harness.mjs";

const mostCovered = 12;
const leastShared = 2;
const mostPaths = 5;
const mostBodyLines = 3;
const draws = 20;
const shown = 20;
const trailer = /^\s*[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: /u;
const thanks = /[ ,;(]*\bthanks,? (?:to )?(?:@[\w-]+|a contributor)[).]*/giu;
const address = /\S+@[\w-]+\.[\w.-]*\w/u;

const functionWords = new Set(
  `about above after again all also and another any are because been before being below between both but can cannot could did does
doing done don down during each either else ever every few for from further get gets got had has have having here how into its itself
just less let like make makes many may more most much must neither nor not now off once one only onto other our out over own per
rather same shall should since some still such than that the their them then there these they this those through too two under until
upon use used uses using very was way well were what when where whether which while who whom whose why will with within without would
yet you your`.split(/\s+/u),
);

const [command, ...rest] = process.argv.slice(2);
const flags = new Set(["--brief"]);
const places = rest.filter((word, at) => !word.startsWith("--") && !isValue(rest[at - 1]));
const option = (name, otherwise) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : otherwise);

if (command === "make" && places.length === 2) make(places[0], places[1]);
else if (command === "score" && places.length === 1) score(places[0]);
else {
  console.error(
    "Usage: node bench/journals.mjs make GITDIR OUT --headings commit|module | score FOLDER [--bin PROGRAM]",
  );
  process.exitCode = 2;
}

function isValue(before) {
  return before !== undefined && before.startsWith("--") && !flags.has(before);
}

/** Writes OUT/memory and OUT/journal.json, which contains the location of each commit's entry, for the score. */
function make(gitFolder, out) {
  const headings = option("--headings");
  if (headings !== "commit" && headings !== "module") throw new Error("--headings must be commit or module");
  const since = option("--since", "0000-00-00");
  const until = option("--until", "9999-99-99");
  const all = readHistory(gitFolder);
  const people = all.flatMap(({ author, body }) => [author, ...signed(body)]).filter((name) => name.includes(" "));
  const names = [...new Set(people)].toSorted((a, b) => b.length - a.length);
  const commits = all.filter(({ day }) => since <= day && day <= until);
  if (existsSync(out) && !existsSync(join(out, "journal.json")))
    throw new Error(`${out} is not a journal; not replaced`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, "memory"), { recursive: true });
  const journal = [];
  for (const [day, own] of Map.groupBy(commits, ({ day: of }) => of)) {
    const lines = [`# ${day}`];
    for (const commit of own) {
      const entry = entryOf(commit, headings, (text) => withoutPeople(text, names));
      lines.push("", ...entry.lines);
      const from = lines.length - entry.lines.length + 1;
      journal.push({
        id: commit.id,
        file: `${day}.md`,
        from,
        to: lines.length,
        subject: entry.subject,
        paths: entry.paths,
      });
    }
    writeFileSync(join(out, "memory", `${day}.md`), `${lines.join("\n")}\n`);
  }
  writeFileSync(join(out, "journal.json"), `${JSON.stringify(journal, null, 1)}\n`);
  console.log(
    `${basename(resolve(out))}: ${journal.length} commits on ${new Set(journal.map(({ file }) => file)).size} days`,
  );
}

/** All commits except merges, oldest first, with their author dates. */
function readHistory(gitFolder) {
  const format = "--format=%x1e%H%x1f%ad%x1f%an%x1f%s%x1f%b%x1f";
  const args = ["--no-merges", "--no-renames", "--reverse", "--date=format:%Y-%m-%d", "--name-only", format];
  const text = execFileSync("git", ["-C", gitFolder, "-c", "core.quotePath=false", "log", ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 29,
  });
  return text
    .split("\u001E")
    .slice(1)
    .map((record) => {
      const [id, day, author, subject, body, files] = record.split("\u001F");
      return { id, day, author, subject: subject.trim(), body, paths: files.split("\n").filter((path) => path !== "") };
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

function signed(body) {
  return [...body.matchAll(/^\s*[\w-]+-by: (?<name>[^<\n]+?) *(?:<|$)/gimu)].map(({ groups }) => groups.name);
}

function withoutPeople(text, names) {
  let left = text;
  for (const name of names) left = left.replaceAll(name, "a contributor");
  return left.replaceAll(thanks, "").trimEnd();
}

function entryOf({ subject: named, body, paths: all }, headings, plain) {
  const subject = plain(named);
  const paths = all.slice(0, mostPaths);
  const heading = headings === "commit" ? subject : moduleOf(all);
  const lines = [`## ${heading} [project]`];
  if (headings === "module") lines.push(`- outcome: ${subject}`);
  if (paths.length > 0) lines.push(`- files: ${paths.join(", ")}`);
  const prose = plain(body)
    .split("\n")
    .filter((line) => /\p{L}/u.test(line) && !/^\s*(?:```|~~~|<!--)/u.test(line));
  const kept = prose.filter((line) => !trailer.test(line) && !address.test(line)).slice(0, mostBodyLines);
  lines.push(...kept.map((line) => line.trimEnd().replace(/^ {0,3}(?=\\*#{1,2} )/u, "\\")));
  return { subject, paths, lines };
}

/** The folder with the most paths, at most two levels deep. */
function moduleOf(paths) {
  const counts = new Map();
  for (const path of paths) {
    const folder = path.split("/").slice(0, -1).slice(0, 2).join("/") || "top level";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "top level";
}

function score(folder) {
  const commits = JSON.parse(readFileSync(join(folder, "journal.json"), "utf8")).map((commit) => ({
    ...commit,
    words: wordsOf([commit.subject, ...commit.paths].join(" ")),
    subjectWords: wordsOf(commit.subject),
  }));
  const seed = Number(option("--seed", 1));
  const root = rootOf(folder, commits.at(-1).file.slice(0, 10));
  const lines = root.lines.map((line) => ({
    ...line,
    words: wordsOf(proseOf(line.text)),
    leadsTo: commitsOf(line, commits),
  }));
  const all = reached(lines, commits, "words");
  const sample = createRandom(seed).sample(commits, Number(option("--sample", 30)));
  const pointing = lines.filter(({ leadsTo }) => leadsTo.length > 0 && leadsTo.length <= mostCovered);
  const share = (count) => `${((100 * count) / commits.length).toFixed(1)} %`;
  console.log(`=== ${basename(resolve(folder))}: ${commits.length} commits, ${lines.length} lines of ROOT.md
reached of ${sample.length} (seed ${seed})             ${sample.filter((commit) => all.has(commit)).length}
reached of all                         ${share(all.size)}
chance                                 ${share(chanceOf(lines, commits))}
reached of all by the subject alone    ${share(reached(lines, commits, "subjectWords").size)}
led to, with or without the words      ${share(new Set(pointing.flatMap(({ leadsTo }) => leadsTo)).size)}
led to by any line, however wide       ${share(new Set(lines.flatMap(({ leadsTo }) => leadsTo)).size)}
lines that lead to 1 to ${mostCovered}              ${pointing.length} (to none ${lines.filter(({ leadsTo }) => leadsTo.length === 0).length})`);
  if (rest.includes("--brief")) return;
  printLines("the emptiest lines", emptiest(lines, commits).slice(0, shown));
  printLines("random lines", createRandom(seed + 1).sample(lines, shown));
}

/** The ROOT.md for a copy of the folder, as of the day after its last log. */
function rootOf(folder, lastDay) {
  const dir = join(temporaryFolder(), "journal");
  cpSync(join(folder, "memory"), join(dir, "memory"), { recursive: true });
  const today = new Date(Date.parse(`${lastDay}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const bin = option("--bin", program);
  const run = (...args) =>
    runNode([bin, ...args, "--dir", dir, "--today", today, "--time-zone", "UTC", "--json"]).stdout;
  run("compact", "--quiet");
  return JSON.parse(run("root", "--max-tokens", option("--tokens", "3000")));
}

/** The commits with an entry that the line traces to. */
function commitsOf({ sources }, commits) {
  const ranges = Map.groupBy(sources ?? [], ({ path }) => basename(path));
  return commits.filter(({ file, from, to }) =>
    ranges.get(file)?.some(({ lines: [first, last] }) => first <= to && from <= last),
  );
}

function reached(lines, commits, kind) {
  const found = new Set();
  for (const { words, leadsTo } of lines) {
    if (leadsTo.length > mostCovered) continue;
    for (const commit of leadsTo) if (sharedWords(words, commit[kind]) >= leastShared) found.add(commit);
  }
  return found;
}

function sharedWords(words, others) {
  return [...words].filter((word) => others.has(word)).length;
}

function chanceOf(lines, commits) {
  const random = createRandom(11);
  let sum = 0;
  for (let draw = 0; draw < draws; draw++) {
    const order = random.sample(lines, lines.length);
    const moved = lines.map((line, at) => ({ ...line, leadsTo: order[at].leadsTo }));
    sum += reached(moved, commits, "words").size;
  }
  return sum / draws;
}

/** The line without the parts that the program adds: type, age and pointer. */
function proseOf(text) {
  return text.replace(/ \[(?:project|feedback|user|reference), \d+d[^\]]*\]/u, "").replace(/ → \S+$/u, "");
}

function splitWords(text) {
  const parts = text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
  return parts.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** The stems of content words of at least three letters; identifiers and paths are split into their parts. */
function wordsOf(text) {
  const words = splitWords(text).filter((word) => word.length >= 3 && !functionWords.has(word));
  return new Set(words.map(stemOf));
}

function stemOf(word) {
  const plain = /(?:ss|us|is)$/u.test(word)
    ? word
    : word.replace(/ies$/u, "y").replace(/(?<=(?:s|x|z|ch|sh))es$|s$/u, "");
  const bare = plain.length > 5 ? plain.replace(/(?:ing|ed)$/u, "") : plain;
  const single = bare === plain ? bare : bare.replace(/([^aeiouls])\1$/u, "$1");
  return single.length > 3 ? single.replace(/e$/u, "") : single;
}

/** The lines with the fewest telling words (words in less than a tenth of the commits); among equals, those with more other words first. */
function emptiest(lines, commits) {
  const counts = new Map();
  for (const { words } of commits) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const telling = ({ words }) => [...words].filter((word) => (counts.get(word) ?? 0) < commits.length / 10).length;
  return lines.toSorted((a, b) => telling(a) - telling(b) || idle(b) - idle(a));
}

function idle({ text, words }) {
  return splitWords(proseOf(text)).length - words.size;
}

function printLines(name, list) {
  console.log(`\n${name}:`);
  for (const { line, text, leadsTo } of list) console.log(`  ${line} (${leadsTo.length}) ${text}`);
}
