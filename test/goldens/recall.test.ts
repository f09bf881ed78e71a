import { test } from "vitest";
import { expectGolden, digestOf } from "./golden.ts";
import { compact, openScene, type Scene } from "./scene.ts";

/** What search and recall find, in which order and with which score. */
const questions = [
  "Which limiter did we take for payments?",
  "Why were 300 payment messages refused?",
  "How does the user like answers to be written?",
  "When is the user in Lisbon?",
  "What time zone does the user work in?",
  "Which paper size do invoices have?",
  "What did the customer in Osaka ask for?",
  "How much memory does one PDF page take?",
  "What is still open for right-to-left invoices?",
  "Who works in Tel Aviv?",
  "What happened on March 19?",
  "What did we decide last week about the audit log?",
  "What was done in the first week of March?",
  "what about the bank import and camt.053",
  "What is the DB_PASSWORD of staging?",
  "CI is flaky again, what did we find out?",
  "Should I run the migration on staging now?",
  "인증 서버는 어떻게 되었나요?",
  "대의 러너",
  "請求書の端数処理はどうしますか",
  "Which font licence do we have?",
  "What is the address of the incident page?",
  "How many minutes did the backup drill take?",
  "tax rounding Kuwaiti dinar",
  "What changed about the rate limit since the incident?",
  "Which tea is beside the keyboard?",
  "What should be deleted later?",
  "Who is the lead developer?",
  "Remind me of the checks before a release",
  "ok",
];

const queries = [
  "limiter",
  '"token bucket"',
  "+limit* -importer",
  "bucket burst request",
  "2026-03-19 payments",
  "last week invoice",
  "in March DKIM",
  "camt.053",
  "DB_PASSWORD",
  "resolve.ts",
  "러너",
  "인증",
  "請求書",
  "invoice*",
  "+invoice +Hebrew",
  "nothingofthesort",
  "feedback answer length",
  "Lisbon",
  "bank 30 calls a second",
  "measure refused",
];

async function remembering(): Promise<Scene> {
  const scene = openScene();
  await compact(scene);
  await scene.run(["index", "--quiet"]);
  return scene;
}

interface Found {
  readonly source: string;
  readonly text?: string;
  readonly snippet?: string;
  readonly score: number;
  readonly date: string | null;
  readonly type: string;
  readonly warning?: { readonly is: string } | null;
}

function lineOf({ source, score, date, type, text = "", snippet = "", warning }: Found): string {
  const marked = warning === undefined || warning === null ? "" : ` ${warning.is}`;
  return `  ${score.toFixed(3)} ${source} ${date ?? "-"} ${type}${marked} ${digestOf(text + snippet).slice(0, 12)}\n`;
}

test("recall with a tree and without one", async () => {
  const scenes = [
    ["with the tree", await remembering()],
    ["logs alone", openScene()],
  ] as const;
  let golden = "";
  for (const [name, scene] of scenes) {
    await scene.run(["index", "--quiet"]);
    for (const question of questions)
      for (const budget of name === "logs alone" ? ["700"] : ["300", "2000"]) {
        const { out } = await scene.run(["recall", question, "--budget", budget, "--explain", "--json"]);
        const found = JSON.parse(out) as { context: readonly Found[]; tokens: number; steps: readonly Step[] };
        const steps = found.steps.map(({ step, candidates, kept }) => `${step} ${candidates}/${kept}`).join(", ");
        golden += `\n## ${question} [${name}, ${budget}]\n${found.tokens} tokens; ${steps}\n${found.context.map(lineOf).join("")}`;
      }
  }
  await expectGolden("recall-samples.txt", golden);
});

interface Step {
  readonly step: string;
  readonly candidates: number;
  readonly kept: number;
}

test("search", async () => {
  const scene = await remembering();
  let golden = "";
  for (const query of queries)
    for (const where of [[], ["--in", "raw"], ["--type", "project", "--level", "weekly"]]) {
      const { out } = await scene.run(["search", ...where, "--limit", "8", "--json", "--", query]);
      const { hits, more } = JSON.parse(out) as { hits: readonly Found[]; more: boolean };
      golden += `\n## ${query} ${where.join(" ")}${more ? " (more)" : ""}\n${hits.map(lineOf).join("")}`;
    }
  await expectGolden("search-samples.txt", golden);
});
