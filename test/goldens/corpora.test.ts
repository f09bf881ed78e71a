import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { composeYear } from "../../bench/corpora/year.mjs";
import { redact } from "../../src/text/redact/redact.ts";
import { digestOf, expectGolden } from "./golden.ts";
import { compact, filesIn, openScene, shared, writtenIn, type Scene } from "./scene.ts";

/** Large corpora: a made-up year, and what lies in the shared folder. Digests alone; nothing of the texts is stored. */
const memaware = join(shared, "data/memaware");
const cases = join(shared, "data/secrets/cases.json");
for (const path of [memaware, cases])
  if (!existsSync(path)) console.warn(`NOT RUN: there is no ${path}; give a folder with HEARTWOOD_SHARED`);

interface Found {
  readonly source: string;
  readonly score: number;
  readonly text?: string;
  readonly snippet?: string;
}

function lineOf({ source, score, text = "", snippet = "" }: Found): string {
  return `  ${score.toFixed(3)} ${source} ${digestOf(text + snippet).slice(0, 12)}\n`;
}

test("a developer's year", async () => {
  const { logs, truth } = composeYear({ seed: 1 });
  const files = logs.map(([day, lines]) => [`memory/${day}.md`, `${lines.join("\n")}\n`]);
  const scene = openScene(Object.fromEntries(files), truth.today);
  await compact(scene);
  const recalled: string[] = [];
  await scene.run(["index", "--quiet"]);
  for (const { question } of truth.facts) recalled.push(await recall(scene, question));
  await expectGolden("tree-year.txt", `${writtenIn(scene)}\n${recalled.join("")}`);
});

/** Passages of a question that are listed; the rest is a digest. */
const mostShown = 8;

async function recall(scene: Scene, question: string, shown = question): Promise<string> {
  const { out } = await scene.run(["recall", question, "--json"]);
  const { context, tokens } = JSON.parse(out) as { context: readonly Found[]; tokens: number };
  const lines = context.map(lineOf);
  const rest = lines.slice(mostShown).join("");
  const more = rest === "" ? "" : `  and ${lines.length - mostShown} more, sha256 ${digestOf(rest)}\n`;
  return `\n## ${shown}: ${tokens} tokens\n${lines.slice(0, mostShown).join("")}${more}`;
}

describe.skipIf(!existsSync(memaware))("91 days of conversations", () => {
  test("the tree, and what recall and search find for sixty questions", async () => {
    const logs = Object.entries(filesIn(memaware, "corpus")).map(([path, bytes]) => [
      path.replace("corpus/", "memory/"),
      bytes,
    ]);
    const questions = readFileSync(join(memaware, "dev.questions.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { question_id: string; question: string });
    const scene = openScene(Object.fromEntries(logs), "2023-07-15");
    await scene.run(["index", "--quiet"]);
    const found = ["# logs alone\n"];
    const step = Math.floor(questions.length / 60);
    const chosen = questions.filter((_, at) => at % step === 0).slice(0, 60);
    expect(chosen.length).toBe(60);
    for (const { question_id, question } of chosen) found.push(await recall(scene, question, question_id));
    await compact(scene);
    await scene.run(["index", "--quiet"]);
    found.push("\n# with the tree\n");
    for (const { question_id, question } of chosen) found.push(await recall(scene, question, question_id));
    found.push("\n# search\n");
    for (const { question_id, question } of chosen.slice(0, 20)) {
      const { out } = await scene.run([
        "search",
        "--limit",
        "5",
        "--json",
        "--",
        question.replaceAll(/[^\p{L} ]/gu, " "),
      ]);
      found.push(`\n## ${question_id}\n${(JSON.parse(out) as { hits: readonly Found[] }).hits.map(lineOf).join("")}`);
    }
    await expectGolden("tree-conversations.txt", writtenIn(scene));
    await expectGolden("recall-conversations.txt", found.join(""));
  });
});

describe.skipIf(!existsSync(cases))("labelled secrets", () => {
  test("are replaced as before", async () => {
    const { cases: all } = JSON.parse(readFileSync(cases, "utf8")) as { cases: { id: string; example_b64: string }[] };
    const lines = all.map(({ id, example_b64 }) => {
      const text = Buffer.from(example_b64, "base64").toString("utf8");
      const { text: shown } = redact(text);
      return `${id} ${shown === text ? "as it was" : digestOf(shown)}\n`;
    });
    await expectGolden("secrets.txt", lines.join(""));
  });
});
