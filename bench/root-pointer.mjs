// Measures how much ROOT.md points at in corpora of different kinds, and what each part of its choice adds in each of them.
// Usage: node bench/root-pointer.mjs [--shared DIR] [--memaware DIR] [--locomo DIR] [--realtalk DIR] [--beam DIR] [--rows FILE] [--part N/M] [--base] [--write]
// --shared: the folder with eval/lib/facts.mjs, which defines the words. --rows: keeps what was measured, and continues from there. --base: without
// the variants. --part: every Mth variant only, from the Nth. --write updates bench/root-pointer.md.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { finder } from "./league/conversations.mjs";
import { program, repository, runNode, temporaryFolder } from "./harness.mjs";
import { generator } from "./recall-conversation-score.mjs";
import { buildVariant, variants } from "./root-ablations.mjs";
import { corpora } from "./root-pointer-corpora.mjs";
import { effectsOf, printEffects, printLevels, writePointerReport } from "./root-pointer-report.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
/** Tokens of ROOT.md per session: 3,000 and 10,000 for the 1,307 sessions of MemAware. Every corpus gets as many per session. */
const tokensPerSession = [3000 / 1307, 10_000 / 1307];
/** A line that leads to more sessions points nowhere. */
const mostSessions = 12;
/** A line shows a reader the way if it has this many of the words wanted. */
const leastWords = 2;
const draws = 20;

const words = join(shared, "eval", "lib", "facts.mjs");
if (existsSync(words)) await measure(await import(pathToFileURL(words).href));
else console.log(`SKIPPED: ${words} does not exist; give its folder with --shared DIR`);

async function measure({ factTerms, textTerms }) {
  const read = corpora.flatMap((corpus) => readCorpus(corpus, factTerms));
  if (read.length === 0) return;
  const file = option("--rows");
  const rows = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const measured = (name, bin) => {
    rows[name] ??= {};
    for (const corpus of read) rows[name][corpus.name] ??= scoresOf(corpus, bin, textTerms);
    if (file !== undefined) writeFileSync(file, JSON.stringify(rows));
    console.error(`measured: ${name === "" ? "the program as it is" : name}`);
  };
  measured("", program);
  printLevels(read, rows[""]);
  const [part, parts] = (option("--part") ?? "1/1").split("/").map(Number);
  const missing = process.argv.includes("--base")
    ? []
    : variants.filter(({ name }, at) => at % parts === part - 1 && !read.every((corpus) => rows[name]?.[corpus.name]));
  for (const variant of missing) measured(variant.name, await buildVariant(variant));
  const effects = effectsOf(read, rows, variants);
  printEffects(read, effects);
  if (process.argv.includes("--write"))
    writePointerReport(join(repository, "bench", "root-pointer.md"), { corpora: read, base: rows[""], effects });
}

function readCorpus({ name, option: folderOption, read }, factTerms) {
  const given = option(folderOption) ?? (name === "MemAware" ? join(shared, "data", "memaware") : undefined);
  if (given === undefined || !existsSync(given)) {
    console.log(`SKIPPED: ${name}; give its folder with ${folderOption} DIR`);
    return [];
  }
  const corpus = read(resolve(given));
  const questions = corpus.questions.map((one) => ({ ...one, wanted: factTerms(one.wanted) }));
  const caps = tokensPerSession.map((tokens) => Math.round(tokens * corpus.places.length));
  return [{ ...corpus, name, questions, caps }];
}

/** For each cap, what each question gets: 1 or 0, less its chance. */
function scoresOf(corpus, bin, textTerms) {
  const dir = join(temporaryFolder(), corpus.name);
  for (const [file, text] of corpus.logs) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const run = (...args) => runNode([bin, ...args, "--dir", dir, "--today", corpus.today, "--time-zone", "UTC"]).stdout;
  run("compact", "--quiet");
  const sessionsAt = finder(corpus.places);
  const scores = corpus.caps.map((cap) => {
    const { lines } = JSON.parse(run("root", "--json", "--max-tokens", String(cap)));
    const read = lines.map(({ text, sources }) => ({
      terms: textTerms(text),
      sessions: new Set(
        (sources ?? []).flatMap(({ path, lines: [from, to] }) =>
          sessionsAt(`memory/${basename(path)}:${from}-${to}`).map(({ id }) => id),
        ),
      ),
    }));
    return score(read, corpus.questions);
  });
  rmSync(dir, { recursive: true });
  return scores;
}

function score(lines, questions) {
  const shows = questions.map(({ wanted }) =>
    lines.flatMap(({ terms }, at) => (wanted.filter((word) => terms.has(word)).length >= leastWords ? [at] : [])),
  );
  const own = lines.map(({ sessions }) => sessions);
  const real = pointed(shows, own, questions);
  const random = generator(11);
  const chance = questions.map(() => 0);
  for (let draw = 0; draw < draws; draw++)
    pointed(shows, shuffled(own, random), questions).forEach((hit, at) => (chance[at] += hit / draws));
  return { real, chance: chance.map((value) => Number(value.toFixed(3))) };
}

/** Whether a line that shows the words leads to the evidence, for each question. */
function pointed(shows, sessions, questions) {
  return questions.map(({ sessions: evidence }, at) =>
    Number(
      shows[at].some((line) => sessions[line].size <= mostSessions && evidence.some((id) => sessions[line].has(id))),
    ),
  );
}

function shuffled(list, random) {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
  }
  return mixed;
}
