import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestList, expectGolden, expectSplit, pretty, splitValue, type Split } from "./golden.ts";
import { bytesAt, filesIn, openScene, samples, sceneFiles, shared, type Scene } from "./scene.ts";

/** What an audit reports, and the bytes after it is applied and undone. */
const workspace = join(shared, "data/audit-sample/workspace");
const isThere = existsSync(workspace);
if (!isThere) console.warn(`NOT RUN: there is no audit sample at ${workspace}; give a folder with HEARTWOOD_SHARED`);

const modes = [[], ["--aggressive"], ["--aggressive", "--max-memory-kb", "1"]] as const;

/** Every file of the folder, the archive and the record of the audit included. */
function bytesOf(scene: Scene): string {
  const paths = scene.list().filter((path) => !/^\.heartwood\/(?:cache|locks|search|threads)\/|\.lock/u.test(path));
  return digestList(paths.map((path) => [path, bytesAt(scene, path)]));
}

async function audited(open: () => Scene): Promise<Split> {
  const [structure, prose]: [string[], string[]] = [[], []];
  let last: Readonly<Record<string, unknown>> = {};
  const record = async (scene: Scene, ...words: readonly string[]): Promise<void> => {
    const { status, out } = await scene.run(["audit", ...words, "--json"]);
    const result = JSON.parse(out) as Readonly<Record<string, unknown>>;
    const { value, prose: told } = splitValue(unlike(result, last));
    last = result;
    const head = `\n## heartwood audit ${words.join(" ")} → ${status}\n`;
    structure.push(`${head}${pretty(value)}\n`);
    prose.push(head + told);
  };
  for (const mode of modes) {
    const scene = open();
    const before = bytesOf(scene);
    await record(scene, ...mode);
    expect(bytesOf(scene), "a report changes nothing").toBe(before);
    await record(scene, "--apply", ...mode);
    structure.push(`\n# files\n${bytesOf(scene)}`);
    await record(scene, "history");
    await record(scene, "undo");
    structure.push(`\n# files after undo\n${bytesOf(scene)}`);
  }
  return { structure: structure.join(""), prose: prose.join("") };
}

/** The values that are not the same in the result before; of those that are, the key. */
function unlike(result: Readonly<Record<string, unknown>>, before: typeof result): typeof result {
  const entries = Object.entries(result).map(([key, value]) =>
    JSON.stringify(value) === JSON.stringify(before[key]) && typeof value === "object"
      ? [key, "as before"]
      : [key, value],
  );
  return Object.fromEntries(entries);
}

const knowledge = Object.values(samples)
  .slice(0, 3)
  .map((bytes) => Buffer.from(bytes).toString("utf8"));

test("an audit of the samples with a MEMORY.md that repeats them", async () => {
  const memory = `# Memory\n\n${knowledge.join("\n").replaceAll(/^# .*$/gmu, "")}`;
  await expectSplit("audit-samples", await audited(() => openScene({ ...sceneFiles, "MEMORY.md": memory })));
});

test("the report as Markdown", async () => {
  const scene = openScene();
  const { out } = await scene.run(["audit", "--markdown", "-"]);
  await expectGolden("audit-markdown.prose.txt", out);
});

describe.skipIf(!isThere)("the audit sample", () => {
  test("is audited, changed and restored", async () => {
    await expectSplit("audit-shared", await audited(() => openScene(filesIn(workspace), "2026-01-10")));
  });
});
