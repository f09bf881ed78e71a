// Measures the audit. Usage: node bench/audit.mjs [--runs N]
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { difference, program, report, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const runs = Number(option("--runs") ?? 9);
const results = [];

/** Writes 365 notes of about 11.8 kB, English and CJK, and a MEMORY.md of 40 sections, some of which also occur in the notes. */
function writeWorkspace(dir) {
  const random = seeded(20260102);
  const words = readWords(random);
  const sentence = (length) => Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
  const cjk = (length) =>
    Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(random() * 3000))).join("");
  const topics = Array.from({ length: 40 }, (_, index) => ({
    heading: `## ${sentence(2)} ${index}`,
    lines: Array.from({ length: 8 }, (_line, at) => (at % 4 === 3 ? `- ${cjk(24)}` : `- ${sentence(11)}`)),
  }));
  mkdirSync(join(dir, "memory"), { recursive: true });
  const memory = ["# Memory", "", ...topics.flatMap(({ heading, lines }) => [heading, ...lines, ""])];
  writeFileSync(join(dir, "MEMORY.md"), memory.join("\n"));
  for (let day = 0; day < 365; day++) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    const sections = Array.from({ length: 14 }, (_, at) => {
      const copied = at === day % 14 && day % 5 === 0 ? topics[day % topics.length] : undefined;
      const lines =
        copied?.lines ??
        Array.from({ length: at % 2 === 0 ? 12 : 11 }, (_line, n) =>
          n % 5 === 4 ? `- ${cjk(20)}` : `- ${sentence(11)}`,
        );
      return [`## ${copied === undefined ? sentence(3) : "Again"}`, ...lines, ""].join("\n");
    });
    writeFileSync(join(dir, "memory", `${date}.md`), `# ${date}\n\n${sections.join("\n")}`);
  }
}

function readWords(random) {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const word = () =>
    Array.from({ length: 3 + Math.floor(random() * 6) }, () => letters[Math.floor(random() * 26)]).join("");
  return Array.from({ length: 4000 }, word);
}

/** Park–Miller generator, so the workspace is the same on every machine. */
function seeded(seed) {
  let state = seed % 2147483647;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state - 1) / 2147483646;
  };
}

const dir = join(temporaryFolder(), "year");
writeWorkspace(dir);
const notes = readdirSync(join(dir, "memory"));
const bytes = notes.reduce((sum, name) => sum + statSync(join(dir, "memory", name)).size, 0);
const sections = readFileSync(join(dir, "MEMORY.md"), "utf8").match(/^## /gmu)?.length;
console.log(`${notes.length} notes, ${(bytes / 1e6).toFixed(1)} MB; MEMORY.md of ${sections} sections`);
const command = (...more) => [program, "audit", "--dir", dir, "--today", "2026-01-02", "--time-zone", "UTC", ...more];
results.push(
  report("a year of notes, whole analysis", difference(command("--json"), { runs, statuses: [0, 1] }), 0.6, "s"),
);
results.push(
  report("a year of notes, report for a terminal", difference(command(), { runs, statuses: [0, 1] }), 0.6, "s"),
);
results.push(
  report(
    "a year of notes, aggressive",
    difference(command("--aggressive", "--json"), { runs, statuses: [0, 1] }),
    0.6,
    "s",
  ),
);
console.log(`${results.filter(Boolean).length} passed, ${results.filter((held) => !held).length} failed`);
process.exitCode = results.every(Boolean) ? 0 : 1;
