import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conversation } from "../../bench/corpora/thread.mjs";
import { appendAll, createDrafts, messageDraft, placed, plantRungs, type Said } from "../fixtures/planted-thread.ts";
import { digestOf, expectGolden, pretty } from "./golden.ts";
import { openScene, shared, type Scene } from "./scene.ts";

/** Exports, cut points, checkpoints and compiled contexts, byte for byte. */
const by = ["--actor", "user", "--origin", "golden"];
const renders = ["json", "text", "openai", "anthropic"] as const;
const strategies = [
  "covering_summaries_v1",
  "recent_messages_v1",
  "summaries_recent_messages_v1",
  "hierarchical_summaries_recent_messages_v1",
];

async function output(scene: Scene, ...words: readonly string[]): Promise<string> {
  const { status, out, err } = await scene.run(words);
  expect([status, err], words.join(" ")).toEqual([0, ""]);
  return out;
}

/** What a thread compiles to, in every way and some budgets: each as JSON in one line, with a digest where it is long. */
async function compiled(scene: Scene, thread: string, budgets: readonly number[]): Promise<string> {
  const parts: string[] = [];
  for (const budget of budgets)
    for (const strategy of strategies)
      for (const render of renders) {
        const words = ["thread", "compile", thread, "--budget", String(budget), "--strategy", strategy];
        const out = await output(scene, ...words, "--render", render, "--json");
        const { rendered, items, ...rest } = JSON.parse(out) as Record<string, unknown>;
        const head = `\n## ${strategy}, ${budget} tokens, as ${render}\nsha256 ${digestOf(out)}\n`;
        const shown = render === "json" ? { ...rest, items: (items as readonly object[]).map(withoutText) } : rendered;
        parts.push(
          head +
            (typeof shown === "string" ? `${digestOf(shown)} of ${shown.length} characters\n` : `${pretty(shown)}\n`),
        );
      }
  return parts.join("");
}

function withoutText(item: object): object {
  const { content, ...rest } = item as { readonly content?: unknown };
  return content === undefined ? rest : { ...rest, content: digestOf(JSON.stringify(content)) };
}

test("a planted thread: export, cut points, checkpoints, contexts", async () => {
  const scene = openScene({ "heartwood.config.json": "{}\n" });
  const { memory } = scene;
  const drafts = createDrafts();
  const roles: Readonly<Record<string, string>> = { user: "user", assistant: "assistant", tool: "tool:shell" };
  const said: Said[] = [...conversation({ seed: 3, count: 600, every: 40, bytes: 160 })].map(({ role, text }) => ({
    actor_id: roles[role] ?? role,
    content: text,
  }));
  const messages = said.map((one) => messageDraft(drafts, one));
  await appendAll(memory, "planted", [
    drafts("continuity_created", { workspace: "/w", title: "Planted" }),
    ...messages,
  ]);
  const list = placed(said.map((one, at) => ({ ...one, seq: at + 1, id: messages[at]?.id ?? "" })));
  const rungs = await plantRungs(memory, "planted", { messages: list, drafts });
  await appendAll(memory, "planted", rungs);
  await expectGolden("thread-planted-contexts.txt", await compiled(scene, "planted", [600, 3000]));
  await expectGolden(
    "thread-planted-context.txt",
    await output(scene, "thread", "compile", "planted", "--budget", "900"),
  );
  const exported = await output(scene, "thread", "export", "planted");
  const points = await output(
    scene,
    "thread",
    "cut-points",
    "planted",
    "--stride-messages",
    "64",
    "--limit",
    "32",
    "--json",
  );
  await expectGolden(
    "thread-planted.txt",
    `export ${digestOf(exported)} of ${exported.split("\n").length - 1} frames\n${exported.slice(0, 3000)}\n\n${pretty(JSON.parse(points))}`,
  );
});

test("summaries that the built-in summarizer makes: artifacts, frames, bundles", async () => {
  const scene = openScene({ "heartwood.config.json": "{}\n" });
  await output(scene, "thread", "create", "--id", "made", "--title", "Made");
  const lines = [...conversation({ seed: 5, count: 240, every: 12, bytes: 300 })].map(({ role, text }) =>
    JSON.stringify({ content: text, actor_id: role === "tool" ? "tool:shell" : role }),
  );
  const { status } = await scene.run(["thread", "append", "made", ...by, "--batch"], { stdin: lines.join("\n") });
  expect(status).toBe(0);
  await output(scene, "thread", "schedule", "made", "--stride-messages", "50", ...by);
  await output(scene, "thread", "compact", "made", "--stride-messages", "80", "--max-new-checkpoints", "2", ...by);
  await output(scene, "thread", "compile", "made", "--budget", "1500", "--build", "--record", ...by);
  const branch = JSON.parse(await output(scene, "thread", "branch", "made", ...by, "--json")) as { thread_id: string };
  await output(scene, "thread", "append", branch.thread_id, ...by, "--content", "goes on elsewhere");
  await output(scene, "thread", "handoff", "made", "--title", "Next", ...by);
  const exported = await output(scene, "thread", "export", "made");
  const frames = exported.split("\n").filter((line) => line !== "" && !line.includes('"continuity_message_appended"'));
  await expectGolden(
    "thread-made.txt",
    [
      `export ${digestOf(exported)}`,
      ...frames,
      ...artifactsIn(scene),
      await output(scene, "thread", "verify", "--json"),
    ].join("\n"),
  );
  await expectGolden("thread-made-contexts.txt", await compiled(scene, branch.thread_id, [1500]));
  await expectGolden("thread-made.summary.txt", newestSummary(scene, exported));
});

function artifactsIn(scene: Scene): readonly string[] {
  const paths = scene.list().filter((path) => path.startsWith(".heartwood/artifacts/"));
  return paths.map((path) => `${digestOf(readFileSync(join(scene.memory.dir, path)))}  ${path}`);
}

function newestSummary(scene: Scene, exported: string): string {
  const id = [...exported.matchAll(/"summary_artifact_id":"([0-9a-f]{64})"/gu)].at(-1)?.[1] ?? "";
  return scene.read(`.heartwood/artifacts/${id.slice(0, 2)}/${id}.json`) ?? "";
}

const fixture = join(shared, "data/thread-fixture/events.jsonl");
const isThere = existsSync(fixture);
if (!isThere) console.warn(`NOT RUN: there is no thread at ${fixture}; give a folder with HEARTWOOD_SHARED`);

describe.skipIf(!isThere)("the thread of another implementation", () => {
  test("import, export, cut points, status and contexts", async () => {
    const scene = openScene({ "heartwood.config.json": "{}\n" });
    const text = readFileSync(fixture, "utf8");
    const imported = await scene.run(["thread", "import", "-", "--json"], { stdin: text });
    const list = JSON.parse(await output(scene, "thread", "list", "--json")) as { threads: { thread_id: string }[] };
    const parts = [`import → ${imported.status}`, pretty(JSON.parse(imported.out))];
    for (const { thread_id } of list.threads.toSorted((a, b) => (a.thread_id < b.thread_id ? -1 : 1))) {
      parts.push(`\n# ${thread_id}`, `export ${digestOf(await output(scene, "thread", "export", thread_id))}`);
      for (const what of ["cut-points", "status"]) {
        const out = await output(scene, "thread", what, thread_id, "--stride-messages", "8", "--json");
        parts.push(pretty(JSON.parse(out)));
      }
      parts.push(await compiled(scene, thread_id, [1000]));
    }
    await expectGolden("thread-fixture.txt", parts.join("\n"));
  });
});
