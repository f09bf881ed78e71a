// Measures the secret rules on labeled cases and on generated secrets and look-alikes; with --corpus <folder>, also their speed on clean text.
//   node bench/secrets.mjs [cases.json] [--seed <first>] [--corpus <folder>] [--misses]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { redact, ruleSetId } from "../src/text/redact/redact.ts";
import { isGone, samplesFrom } from "../test/fixtures/secrets/contexts.ts";
import { kinds } from "../test/fixtures/secrets/kinds.ts";
import { lookAlikesFrom } from "../test/fixtures/secrets/look-alikes.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string" },
    seed: { type: "string", default: "1" },
    misses: { type: "boolean", default: false },
  },
});
const casesPath = positionals[0] ?? join(root, "../shared/data/secrets/cases.json");
const failures = [];

function bound(name, value, least) {
  const ok = value >= least;
  console.log(`${ok ? "ok  " : "MISS"} ${name}: ${value.toFixed(4)} (must be >= ${least})`);
  if (!ok) failures.push(name);
}

function decoded(base64) {
  return Buffer.from(base64 ?? "", "base64").toString("utf8");
}

function judge(item) {
  const text = decoded(item.example_b64);
  const secret = item.secret_b64 ? decoded(item.secret_b64) : text.trim();
  const { text: out } = redact(text);
  const again = redact(out);
  return {
    item,
    hit: item.secret ? out !== text && !out.includes(secret) : out !== text,
    survives: item.secret && out.includes(secret),
    stable: again.text === out && again.found.length === 0 && out.split("\n").length === text.split("\n").length,
    out,
  };
}

function measureCases() {
  if (!existsSync(casesPath)) {
    console.log(`SKIPPED: no cases at ${casesPath}. Recall and precision were NOT measured.`);
    return;
  }
  const results = JSON.parse(readFileSync(casesPath, "utf8")).cases.map(judge);
  const sources = [...new Set(results.map(({ item }) => item.source))];
  for (const source of [undefined, ...sources]) report(source, results);
  const unstable = results.filter((result) => !result.stable);
  console.log(`not idempotent or lines changed: ${unstable.map(({ item }) => item.id).join(" ") || "none"}`);
  if (unstable.length > 0) failures.push("stability");
  if (values.misses) {
    for (const { item, hit, out } of results) {
      if (hit !== item.secret)
        console.log(
          `${item.secret ? "missed" : "false alarm"} ${item.id} ${item.rule}: ${JSON.stringify(out.slice(0, 160))}`,
        );
    }
  }
}

function report(source, results) {
  const own = results.filter(({ item }) => source === undefined || item.source === source);
  const secrets = own.filter(({ item }) => item.secret);
  const hits = secrets.filter(({ hit }) => hit).length;
  const alarms = own.filter(({ item, hit }) => !item.secret && hit).length;
  const name = source ?? "overall";
  const survivors = secrets.filter(({ survives }) => survives).length;
  console.log(
    `${name}: ${hits}/${secrets.length} found, ${alarms}/${own.length - secrets.length} false alarms, ${survivors} survivors`,
  );
  if (source === undefined) bound("recall", hits / secrets.length, 0.97);
  if (source === "synthetic-memory") bound(`recall ${name}`, hits / secrets.length, 0.99);
  if (source === undefined) bound("precision", hits / (hits + alarms), 0.99);
}

/** Measures every kind of secret in every context, and 400 look-alikes, for each of ten seeds. */
function measureMade(first) {
  const seeds = Array.from({ length: 10 }, (_, at) => first + at);
  const results = seeds
    .flatMap((seed) => samplesFrom(seed, kinds))
    .map((sample) => {
      const out = redact(sample.text).text;
      return { ...sample, out, hit: isGone(out, sample.secrets) };
    });
  const hits = (of) => of.filter(({ hit }) => hit).length;
  for (const key of ["kind", "context"]) {
    for (const name of new Set(results.map((one) => one[key]))) {
      const own = results.filter((one) => one[key] === name);
      console.log(`  ${key} ${name}: ${hits(own)}/${own.length} found`);
    }
  }
  const clean = seeds
    .flatMap((seed) => lookAlikesFrom(seed, 400))
    .map(({ form, text }) => ({ form, text, out: redact(text).text }));
  const alarms = clean.filter(({ text, out }) => out !== text);
  console.log(
    `made from seeds ${first} to ${seeds.at(-1)}: ${hits(results)}/${results.length} found, ${alarms.length}/${clean.length} false alarms`,
  );
  bound("recall of made secrets", hits(results) / results.length, 0.98);
  bound("made look-alikes that stay", 1 - alarms.length / clean.length, 1 - 1 / 400);
  if (!values.misses) return;
  for (const { kind, context, hit, out } of results)
    if (!hit) console.log(`missed ${kind} in ${context}: ${JSON.stringify(out.slice(0, 160))}`);
  for (const { form, out } of alarms) console.log(`false alarm ${form}: ${JSON.stringify(out.slice(0, 160))}`);
}

function measureSpeed(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".md"));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // CPU time, so other load on the machine does not count.
  const rates = [0, 1, 2, 3, 4].map(() => {
    const before = process.cpuUsage();
    for (const text of texts) redact(text);
    const { user, system } = process.cpuUsage(before);
    return bytes / (user + system);
  });
  const found = texts.flatMap((text, i) => redact(text).found.map((one) => `${files[i]}:${one.line} ${one.kind}`));
  console.log(
    `${(bytes / 1e6).toFixed(1)} MB: first pass ${rates[0].toFixed(0)}, best ${Math.max(...rates).toFixed(0)} MB/s; ${found.length} redactions`,
  );
  for (const line of found.slice(0, 40)) console.log(`  ${line}`);
  bound("MB/s", Math.max(...rates), 60);
}

console.log(`rules ${ruleSetId}`);
measureCases();
measureMade(Number(values.seed));
if (values.corpus === undefined) console.log("SKIPPED: no --corpus <folder>. Speed was NOT measured.");
else measureSpeed(values.corpus);
if (failures.length > 0) console.log(`FAILED: ${failures.join(", ")}`);
process.exitCode = failures.length > 0 ? 1 : 0;
