// Makes a workspace for the audit: a year of notes and a MEMORY.md that repeats some of them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes 365 notes of about 11.8 kB, English and CJK, and a MEMORY.md of 40 sections, some of which also occur in the notes. */
export function writeWorkspace(dir) {
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
