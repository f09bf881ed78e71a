import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ifMemoryError } from "../../src/base/errors.ts";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import { setUpGit } from "../../src/tree/git/setup.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import { openClones, type Clone } from "../fixtures/git-clones.ts";
import { repository } from "../fixtures/documents.ts";
import type { VerifyResult } from "../../src/tree/inspect/verify.ts";

/** Random histories of two to four clones, merged by the real git with the built program as its driver. */
if (!existsSync(join(repository, "dist", "bin.js"))) throw new Error("run `node tools/build.mjs` first");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

const days = ["2026-03-14", "2026-03-15", "2026-03-16", "2026-03-17"];
/** The day of the last merges, after all others. */
const end = "2026-03-18";
const core = "- the limiter is a token bucket with a burst of twenty requests and a refill of five per second";
const memoryFile = `# Long-Term Memory\n\n## Core (Static) — DO NOT compact or remove\n- name: Ada\n\n## Limiter\n${core}\n`;

interface History {
  readonly random: SeededRandom;
  readonly clones: readonly Clone[];
  /** The ids of the entries that must be in a log, by day. */
  readonly added: Map<string, Set<string>>;
  /** Lines that people wrote. */
  readonly notes: Map<string, Set<string>>;
  /** Entries that are not used any more. */
  readonly removed: Set<string>;
  /** Entries that are in no file any more. */
  readonly forgotten: Set<string>;
  /** Lines that are in no file any more, of entries that stay. */
  readonly lines: Set<string>;
  merges: number;
  resolved: number;
}

/** What happens in a clone between two merges. */
const actions: Readonly<Record<string, (history: History, clone: Clone, step: Step) => Promise<void>>> = {
  add: async (history, clone, { today, number }) => {
    // Some entries are late: they belong to a day whose node may be fixed.
    const day = history.random.chance(0.3) ? (days[history.random.below(days.indexOf(today) + 1)] ?? today) : today;
    const id = `e${number}`;
    const body = history.random.chance(0.3) ? `- done` : `- ${id} happened\n- done`;
    await clone.run(today, "log.add", { topic: `Topic ${history.random.below(4)}`, body, id, date: day });
    history.added.set(day, (history.added.get(day) ?? new Set()).add(id));
  },
  repeat: async (history, clone, { today, number }) => {
    const id = `r${number}`;
    await clone.run(today, "log.add", { topic: "Limiter", body: core, id });
    history.added.set(today, (history.added.get(today) ?? new Set()).add(id));
  },
  note: async (history, clone, { today, number }) => {
    const path = `memory/${today}.md`;
    const line = `A thought, number ${number}.`;
    clone.write(path, `${clone.read(path) ?? `# ${today}\n`}\n## Thoughts ${number}\n${line}\n`);
    history.notes.set(today, (history.notes.get(today) ?? new Set()).add(line));
  },
  audit: async (_history, clone, { today }) => void (await clone.run(today, "audit.run", { apply: true })),
  compact: async (_history, clone, { today }) => void (await clone.run(today, "tree.compact", {})),
  rename: async ({ random }, clone, { today, number }) => {
    const from = `Topic ${random.below(4)}`;
    // A clone may not have the topic yet.
    await clone
      .run(today, "topic.rename", { from, to: `Topic ${number} renamed` })
      .catch(ifMemoryError(() => undefined));
  },
  remove: async ({ random, removed }, clone, { today }) => {
    const ids = [...(clone.read(`memory/${today}.md`) ?? "").matchAll(/ id=(e\d+) /gu)].map(([, id = ""]) => id);
    const entry = ids[random.below(ids.length)];
    if (entry === undefined || removed.has(entry)) return;
    await clone.run(today, "log.remove", { entry });
    removed.add(entry);
  },
  forget: async ({ random, forgotten }, clone, { today }) => {
    const logs = days.map((day) => clone.read(`memory/${day}.md`) ?? "").join("");
    const ids = [...logs.matchAll(/ id=(e\d+) /gu)].map(([, id = ""]) => id);
    const entry = ids[random.below(ids.length)];
    if (entry === undefined) return;
    await clone.run(today, "memory.forget", { entry, yes: true });
    forgotten.add(entry);
  },
  forgetLine: async ({ random, lines }, clone, { today }) => {
    const logs = days.map((day) => clone.read(`memory/${day}.md`) ?? "").join("");
    const found = [...logs.matchAll(/^- (e\d+ happened)$/gmu)].map(([, text = ""]) => text);
    const text = found[random.below(found.length)];
    if (text === undefined) return;
    await clone.run(today, "memory.forget", { text, yes: true });
    lines.add(text);
  },
};

interface Step {
  readonly today: string;
  readonly number: number;
}

const likely = [
  "add",
  "add",
  "add",
  "add",
  "repeat",
  "note",
  "audit",
  "compact",
  "rename",
  "remove",
  "forget",
  "forgetLine",
];

async function live(seed: number, way: { readonly derived: "ignored" | "committed"; readonly driver: "all" | "none" }) {
  const random = createSeededRandom(seed);
  const hub = openClones();
  folders.push(hub.folder);
  const first = hub.clone("clone0");
  first.write("MEMORY.md", memoryFile);
  await first.run(days[0] ?? "", "memory.init", { platform: "plain" });
  await first.with(days[0] ?? "", (memory) => setUpGit(memory, { derived: way.derived }));
  first.git("add", "-A");
  first.git("commit", "-qm", "first");
  first.git("push", "-q", "origin", "main");
  const others = Array.from({ length: 1 + random.below(3) }, (_, index) => hub.clone(`clone${index + 1}`));
  const clones = [first, ...others];
  for (const clone of clones) {
    if (way.driver === "all") await clone.with(days[0] ?? "", (memory) => setUpGit(memory, { derived: way.derived }));
    else {
      clone.tryGit("config", "--remove-section", "merge.heartwood");
      clone.tryGit("config", "--remove-section", "merge.heartwood-derived");
      clone.remove(".git/info/attributes");
    }
  }
  const history: History = {
    random,
    clones,
    added: new Map(),
    notes: new Map(),
    removed: new Set(),
    forgotten: new Set(),
    lines: new Set(),
    merges: 0,
    resolved: 0,
  };
  let number = 0;
  for (const today of days)
    for (let round = 0; round < 2; round++) {
      for (const clone of clones)
        for (let act = random.below(4); act > 0; act--) {
          const name = likely[random.below(likely.length)] ?? "add";
          await actions[name]?.(history, clone, { today, number: (number += 1) });
        }
      for (const clone of clones) if (random.chance(0.8)) await sync(history, clone, { today, driver: way.driver });
    }
  for (const clone of [...clones, ...clones]) await sync(history, clone, { today: end, driver: way.driver });
  // What a clone finds to be late it records, for the others too.
  for (const clone of clones) await clone.run(end, "tree.compact", {});
  for (const clone of [...clones, ...clones]) await sync(history, clone, { today: end, driver: way.driver });
  return history;
}

/** Commits, merges what the others pushed, and pushes. A merge that stops is left to `git resolve` alone. */
async function sync(
  history: History,
  clone: Clone,
  { today, driver }: { readonly today: string; readonly driver: "all" | "none" },
) {
  clone.git("add", "-A");
  clone.tryGit("commit", "-qm", "work");
  clone.git("fetch", "-q");
  const heads = clone.git("rev-list", "--left-right", "--count", "HEAD...origin/main").trim().split(/\s+/u);
  const isReal = heads.every((count) => count !== "0");
  const { status, printed } = clone.tryGit("merge", "-q", "--no-edit", "origin/main");
  if (isReal) history.merges += 1;
  if (status !== 0 || (isReal && driver === "none")) {
    const { left } = await clone.resolve(today);
    expect(left, printed).toEqual([]);
    if (status !== 0) history.resolved += 1;
    clone.git("add", "-A");
    clone.tryGit("commit", "-q", "--no-edit", "-m", "merge");
  }
  expect(clone.git("ls-files", "-u")).toBe("");
  expect(clone.git("status", "--porcelain")).toBe("");
  clone.git("push", "-q", "origin", "HEAD:main");
}

async function expectOneMemory({ clones, added, notes, removed, forgotten }: History): Promise<void> {
  const logsOf = (clone: Clone) => [...clone.files("memory")].filter(([path]) => /^memory\/\d/u.test(path));
  const [first, ...others] = clones as readonly [Clone, ...Clone[]];
  for (const other of others) expect(logsOf(other)).toEqual(logsOf(first));
  for (const day of days) {
    const path = `memory/${day}.md`;
    const whole = await first.with(days.at(-1) ?? "", async (memory) => {
      const { files } = await withLogicalLogs(memory);
      return Buffer.from((await files.read(path))?.bytes ?? []).toString("utf8");
    });
    expect(whole).not.toMatch(/^(?:<{7}|={7}|>{7})/mu);
    for (const id of added.get(day) ?? [])
      expect(whole.split(`<!-- hw id=${id} `).length - 1, `${id} in ${whole}`).toBe(
        removed.has(id) || forgotten.has(id) ? 0 : 1,
      );
    for (const line of notes.get(day) ?? []) expect(whole.split(line).length - 1, `${line} in ${whole}`).toBe(1);
    // An entry is whole: its body has the length that its comment says.
    for (const [, bytes, body] of whole.matchAll(/ bytes=(\d+) -->\n((?:(?!\n\n## |\n## )[\s\S])*)/gu))
      expect(Buffer.byteLength((body ?? "").trimEnd()), body).toBe(Number(bytes));
  }
}

/** Nothing that one clone forgot is in a file of any. */
async function expectForgotten({ clones, forgotten, lines }: History): Promise<void> {
  for (const clone of clones) {
    const { ok, findings } = (await clone.run(end, "tree.verify", { forgotten: true })) as VerifyResult;
    // Only the clone that forgot something knows the words.
    expect([ok, findings.filter(({ code }) => code !== "words_not_known")]).toEqual([true, []]);
    for (const [path, text] of [...clone.files("memory"), ...clone.files(".heartwood")]) {
      for (const line of lines) expect(text.includes(`${line}\n`), `${line} in ${path}`).toBe(false);
      for (const id of forgotten)
        if (path !== "memory/records/changes.jsonl") expect(text, path).not.toMatch(new RegExp(`\\b${id}\\b`, "u"));
    }
  }
}

/** Until the tree is a function of logs and records alone, its nodes are built anew. */
async function expectOneTree({ clones }: History): Promise<void> {
  const trees: unknown[] = [];
  for (const clone of clones) {
    await clone.run(end, "tree.compact", {});
    trees.push([...clone.files("memory")].filter(([path]) => /^memory\/(?:daily|weekly|monthly|ROOT)/u.test(path)));
  }
  for (const tree of trees.slice(1)) expect(tree).toEqual(trees[0]);
}

const share = Number(process.env["HEARTWOOD_GIT_MERGES"] ?? 300);

describe.each([
  { derived: "ignored", driver: "all" },
  { derived: "committed", driver: "all" },
  { derived: "ignored", driver: "none" },
  { derived: "committed", driver: "none" },
] as const)("clones with derived files $derived and the driver in $driver of them", (way) => {
  test("lose nothing, have nothing twice, and have equal logs and trees", async () => {
    let [merges, resolved] = [0, 0];
    for (let seed = 1; merges < share / 4; seed++) {
      const history = await live(seed, way);
      await expectOneMemory(history);
      await expectOneTree(history);
      await expectForgotten(history);
      merges += history.merges;
      resolved += history.resolved;
    }
    // With the driver, git stops only for a note that one clone may have shortened and another changed or shortened too.
    if (way.driver === "all") expect(resolved).toBeLessThan(merges / 5 + 1);
  });
});
