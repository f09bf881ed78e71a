import { join } from "node:path";
import { expect, test } from "vitest";
import { composeNotebook } from "../../bench/corpora/notebook.mjs";
import { expectGolden } from "./golden.ts";
import { compact, filesIn, openScene, samples, writtenIn, type Scene } from "./scene.ts";

/** The bytes of trees: a digest for every file that a compaction writes, and ROOT.md of the samples in full. */
const cjkNotes = filesIn(join(import.meta.dirname, "../fixtures"), "cjk-notes");

test("the samples in one run", async () => {
  const scene = openScene(samples, "2026-04-08", "memory");
  await compact(scene);
  await expectGolden("tree-samples.txt", writtenIn(scene));
  await expectGolden("tree-samples.ROOT.md", scene.read("memory/ROOT.md") ?? "");
  await expectGolden("tree-samples.month.md", scene.read("memory/monthly/2026-03.md") ?? "");
});

test("the samples day by day, with late notes, a reopened week and an undo", async () => {
  const scene = openScene({ "heartwood.config.json": "{}\n" }, "2026-03-01", "memory");
  for (const [path, bytes] of Object.entries(samples)) {
    const day = /\d{4}-\d\d-\d\d/u.exec(path)?.[0] ?? "";
    scene.setToday(day);
    scene.write(path, bytes);
    await compact(scene);
  }
  scene.setToday("2026-04-08");
  await compact(scene);
  const states = [`# on 2026-04-08\n${writtenIn(scene)}`];
  append(scene, "memory/2026-03-04.md", "\n## Limiter [project]\n- decisions: written late\n");
  await compact(scene);
  states.push(`# with a late note\n${writtenIn(scene)}`);
  await compact(scene, "--reopen", "2026-W10");
  states.push(`# with a week rebuilt\n${writtenIn(scene)}`);
  expect((await scene.run(["undo", "--quiet"])).status).toBe(0);
  states.push(`# with the last step undone\n${writtenIn(scene)}`);
  await expectGolden("tree-samples-by-day.txt", states.join("\n"));
  await expectGolden("tree-samples-by-day.ROOT.md", scene.read("memory/ROOT.md") ?? "");
});

test("the samples on the platform whose MEMORY.md contains the tree's root", async () => {
  const scene = openScene(
    { ...samples, "MEMORY.md": "# Memory\n\n- own line\n", "heartwood.config.json": '{"platform":"openclaw"}\n' },
    "2026-03-23",
    "memory",
  );
  await compact(scene);
  await expectGolden("tree-samples-openclaw.txt", writtenIn(scene));
  await expectGolden("tree-samples-openclaw.MEMORY.md", scene.read("MEMORY.md") ?? "");
});

test("Chinese, Japanese and Korean notes", async () => {
  const notes = Object.entries(cjkNotes)
    .filter(([path]) => path.endsWith(".md"))
    .map(([path, bytes]) => [path.replace("cjk-notes", "memory"), bytes]);
  const scene = openScene(Object.fromEntries(notes), "2026-03-02", "memory");
  await compact(scene);
  await expectGolden("tree-cjk.txt", writtenIn(scene));
  await expectGolden("tree-cjk.ROOT.md", scene.read("memory/ROOT.md") ?? "");
});

test("a bilingual notebook of a year", async () => {
  const { logs, truth } = composeNotebook({ seed: 1 });
  const files = logs.map(([day, lines]) => [`memory/${day}.md`, `${lines.join("\n")}\n`]);
  const scene = openScene(Object.fromEntries(files), truth.today, "memory");
  await compact(scene);
  await expectGolden("tree-notebook.txt", writtenIn(scene));
});

function append(scene: Scene, path: string, text: string): void {
  scene.write(path, `${scene.read(path) ?? ""}${text}`);
}
