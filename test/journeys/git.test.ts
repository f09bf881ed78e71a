import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DoctorResult } from "../../src/operations/doctor.ts";
import { setUpGit, undoGitSetup } from "../../src/tree/git/setup.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import { repository } from "../fixtures/documents.ts";
import { openClones, type Clone, type Clones } from "../fixtures/git-clones.ts";

/** Sharing a memory through git, with the real git and the built program as its merge driver. */
const today = "2026-03-16";
const log = "memory/2026-03-16.md";
let hub: Clones;
let ann: Clone;
beforeEach(async () => {
  hub = openClones();
  ann = hub.clone("ann");
  await ann.run(today, "memory.init", { platform: "plain" });
});
afterEach(() => rmSync(hub.folder, { recursive: true, force: true, maxRetries: 20 }));

function publish(clone: Clone): void {
  clone.git("add", "-A");
  clone.tryGit("commit", "-qm", "work");
  clone.git("push", "-q", "origin", "HEAD:main");
}

const add = (clone: Clone, id: string, body = "- done"): Promise<unknown> =>
  clone.run(today, "log.add", { topic: `Topic ${id}`, body, id });

const idsIn = (text: string | undefined): readonly string[] =>
  [...(text ?? "").matchAll(/ id=(\S+) /gu)].map(([, id = ""]) => id);

async function gitChecks(clone: Clone): Promise<readonly string[]> {
  const { checks } = (await clone.run(today, "memory.doctor", {})) as DoctorResult;
  return checks.filter(({ name }) => name === "git").map(({ state, message }) => `${state}: ${message}`);
}

/** A second clone with the first one's log, before either is set up. */
async function bobAfter(id: string): Promise<Clone> {
  await add(ann, id);
  publish(ann);
  return hub.clone("bob");
}

describe("heartwood git setup", () => {
  test("is undone byte for byte, whatever was in the files before", async () => {
    ann.write(".gitattributes", "*.png binary");
    ann.write(".gitignore", "node_modules/\n\n");
    ann.write(".git/info/attributes", "*.lock -diff\n");
    const seen = () =>
      [".gitattributes", ".gitignore", ".git/info/attributes", ".git/config"].map((path) => ann.read(path));
    const before = seen();
    await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    const once = seen();
    expect(once.every((text, index) => text !== before[index])).toBe(true);
    const again = await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    expect(again.changed).toEqual([]);
    expect(seen()).toEqual(once);
    await ann.with(today, undoGitSetup);
    expect(seen()).toEqual(before);
  });

  test("stops tracking the state of this machine and, if asked, derived files", async () => {
    await add(ann, "a");
    await ann.run(today, "tree.compact", {});
    ann.git("add", "-A", "-f");
    ann.git("commit", "-qm", "everything");
    expect((await gitChecks(ann))[0]).toMatch(/^note: git tracks \d+ files of this machine: /u);
    const result = await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    expect(result.untracked).toContain("memory/.compaction-state.json");
    expect(result.untracked).toContain("memory/ROOT.md");
    ann.git("add", "-A");
    ann.git("commit", "-qm", "set up");
    const tracked = ann.git("ls-files");
    expect(tracked).toContain(log);
    expect(tracked).not.toMatch(/compaction-state|ROOT|daily\/2026|\.heartwood\/(?!\.gitignore)/u);
    expect(ann.read("memory/ROOT.md")).toBeDefined();
  });

  test("asks for a commit only of what it changed for every clone", async () => {
    const setup = (clone: Clone, ...words: readonly string[]): string | undefined =>
      execFileSync(
        process.execPath,
        [join(repository, "dist", "bin.js"), "git", "setup", ...words, "--derived", "ignored", "-C", clone.dir],
        { encoding: "utf8" },
      )
        .split("\n")
        .find((line) => line.startsWith("Commit"));
    const rest = "and run `heartwood git setup` once in every clone.";
    expect(setup(ann)).toBe(`Commit .gitattributes and .gitignore, ${rest}`);
    const bob = await bobAfter("a");
    expect(setup(bob)).toBeUndefined();
    expect(setup(ann)).toBeUndefined();
    await add(ann, "b");
    await ann.run(today, "tree.compact", {});
    ann.git("add", "-A", "-f");
    expect(setup(ann)).toBe(`Commit the staged removals, ${rest}`);
    ann.write(".gitignore", "");
    ann.write(".gitattributes", "");
    ann.git("add", "-A", "-f");
    expect(setup(ann)).toBe(`Commit .gitattributes, .gitignore and the staged removals, ${rest}`);
  });

  test("is found by doctor in each clone, also when the program is gone", async () => {
    expect(await gitChecks(ann)).toEqual([]);
    const bob = await bobAfter("a");
    expect(await gitChecks(ann)).toEqual([
      "note: git tracks a file of this machine: memory/.compaction-state.json",
      "note: git tracks the memory, and two branches of one day will conflict",
    ]);
    await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    publish(ann);
    expect(await gitChecks(ann)).toEqual(["ok: logs and records are merged entry by entry"]);
    bob.git("pull", "-q");
    expect((await gitChecks(bob))[0]).toContain("line by line");
    ann.git("config", "merge.heartwood.driver", "'/gone/node' '/gone/bin.js' git merge-driver %O %A %B %P");
    expect(await gitChecks(ann)).toEqual(["problem: the merge driver is gone: /gone/node, /gone/bin.js"]);
  });

  test("works for a memory in a folder below the top, with any name, beside another", async () => {
    const name = "päck ages [1]/a";
    mkdirSync(join(ann.dir, name), { recursive: true });
    const inFolder = (clone: Clone, use: string[]): string =>
      execFileSync(process.execPath, [join(repository, "dist", "bin.js"), ...use, "-C", join(clone.dir, name)], {
        encoding: "utf8",
      });
    inFolder(ann, ["init"]);
    inFolder(ann, ["git", "setup", "--derived", "ignored"]);
    await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    inFolder(ann, ["log", "add", "--topic", "A", "--body", "- a", "--date", today]);
    publish(ann);
    const bob = hub.clone("bob");
    inFolder(bob, ["git", "setup"]);
    for (const clone of [ann, bob])
      inFolder(clone, ["log", "add", "--topic", "B", "--body", `- ${clone.dir}`, "--date", today]);
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(0);
    expect(idsIn(bob.read(`${name}/${log}`))).toHaveLength(3);
    await ann.with(today, undoGitSetup);
    expect(ann.git("config", "--get", "merge.heartwood.driver")).toContain("merge-driver");
  });
});

describe("a merge", () => {
  async function setUpBoth(): Promise<Clone> {
    await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    const bob = await bobAfter("a");
    await bob.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    return bob;
  }

  test("of two branches of one day has the entries of both, in the order of their time; so has a rebase", async () => {
    const bob = await setUpBoth();
    await add(bob, "b");
    await add(ann, "c");
    await add(bob, "d");
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    bob.git("branch", "other");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(0);
    expect(idsIn(bob.read(log))).toEqual(["a", "b", "c", "d"]);
    const merged = bob.read(log);
    bob.git("checkout", "-q", "other");
    expect(bob.tryGit("rebase", "-q", "origin/main").status).toBe(0);
    expect(bob.read(log)).toBe(merged);
  });

  test("of notes that two clones shortened differently stops, and `git resolve` makes them whole", async () => {
    const core = "- the limiter is a token bucket with a burst of twenty requests and a refill of five per second";
    ann.write("MEMORY.md", `# Long-Term Memory\n\n## Limiter\n${core}\n`);
    const bob = await setUpBoth();
    for (const clone of [ann, bob]) {
      await add(clone, `${clone === ann ? "ann" : "bob"}`, core);
      await clone.run(today, "audit.run", { apply: true });
      expect(clone.read("memory/archive/moved.json")).toContain(log);
    }
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(1);
    const { left } = await bob.resolve(today);
    expect(left).toEqual([]);
    expect(bob.git("status", "--porcelain", "-uno")).not.toMatch(/^(?:U|.U|AA|DD)/mu);
    bob.git("commit", "-q", "--no-edit");
    expect(idsIn(bob.read(log))).toEqual(["a", "ann", "bob"]);
    expect(bob.read(log)?.split(core)).toHaveLength(3);
    expect(((await bob.run(today, "tree.verify", {})) as { ok: boolean }).ok).toBe(true);
  });

  test("into a note that one clone shortened adds the other's entry once", async () => {
    const core = "- the limiter is a token bucket with a burst of twenty requests and a refill of five per second";
    ann.write("MEMORY.md", `# Long-Term Memory\n\n## Limiter\n${core}\n`);
    const bob = await setUpBoth();
    await add(bob, "bob");
    await add(ann, "ann", core);
    await ann.run(today, "audit.run", { apply: true });
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(0);
    const whole = await bob.with(today, async (memory) => {
      const { files } = await withLogicalLogs(memory);
      return Buffer.from((await files.read(log))?.bytes ?? []).toString("utf8");
    });
    expect(idsIn(whole).toSorted()).toEqual(["a", "ann", "bob"]);
    expect(whole.split(core)).toHaveLength(2);
  });
});

describe("a log that one clone shortened and the other changed", () => {
  const day = "2026-03-10";
  const path = `memory/${day}.md`;
  const core = "- the limiter is a token bucket with a burst of twenty requests and a refill of five per second";
  const filler = Array.from(
    { length: 500 },
    (_, index) => `- line ${index} about window ${index * 7} and other things`,
  );
  const changes: Readonly<Record<string, (clone: Clone) => Promise<unknown>>> = {
    "forgot a line": (clone) => clone.run(today, "memory.forget", { text: "walrus-4471", yes: true }),
    "forgot an entry": (clone) => clone.run(today, "memory.forget", { entry: "door", yes: true }),
    "forgot a note": (clone) => clone.run(today, "memory.forget", { text: "vault", yes: true }),
    "edited a line": async (clone) =>
      clone.write(path, (clone.read(path) ?? "").replace("- the door code is walrus-4471", "- the door code is new")),
  };
  const gone: Readonly<Record<string, string>> = { "forgot an entry": "hw id=door", "forgot a note": "vault" };
  const ways = ["rotated", "cut"].flatMap((shortened) =>
    ["driver", "no driver"].flatMap((driver) =>
      Object.keys(changes).flatMap((change, index) =>
        (index === 0 ? ["changed", "shortened"] : [["changed", "shortened"][index % 2] ?? ""]).map((merging) => ({
          shortened,
          driver,
          change,
          merging,
        })),
      ),
    ),
  );

  async function wholeLog(clone: Clone): Promise<string> {
    return clone.with(today, async (memory) => {
      const { files } = await withLogicalLogs(memory);
      return Buffer.from((await files.read(path))?.bytes ?? []).toString("utf8");
    });
  }

  const treeOf = (clone: Clone): unknown =>
    [...clone.files("memory")].filter(([one]) => /^memory\/(?:\d|daily|weekly|monthly|ROOT)/u.test(one));

  test.each(ways)("has each entry once: $shortened, $change, with $driver, $merging pulls", async (way) => {
    ann.write("MEMORY.md", `# Long-Term Memory\n\n## Limiter\n${core}\n`);
    const entries: readonly (readonly [string, string])[] = [
      ["door", "- the door code is walrus-4471\n- the lock is green"],
      ["limiter", core],
      ...(way.shortened === "rotated" ? [["filler", filler.join("\n")] as const] : []),
    ];
    for (const [id, body] of entries) await ann.run(today, "log.add", { topic: `Topic ${id}`, body, id, date: day });
    ann.write(path, `${ann.read(path) ?? ""}\n## Thoughts\nThe vault is below.\nThe roof is red.\n`);
    await ann.run(today, "tree.compact", {});
    await ann.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    publish(ann);
    const bob = hub.clone("bob");
    await bob.with(today, (memory) => setUpGit(memory, { derived: "ignored" }));
    await bob.run(today, "tree.compact", {});
    if (way.driver === "no driver") for (const clone of [ann, bob]) clone.remove(".git/info/attributes");
    await bob.run(today, "audit.run", { apply: true, aggressive: way.shortened === "rotated" });
    expect(bob.read("memory/archive/moved.json")).toContain(path);
    await changes[way.change]?.(ann);
    for (const [id, clone] of [
      ["ann", ann],
      ["bob", bob],
    ] as const)
      await clone.run(today, "log.add", { topic: "Since", body: `- ${id}`, id, date: day });
    const [first, second] = way.merging === "changed" ? [bob, ann] : [ann, bob];
    publish(first);
    second.git("add", "-A");
    second.git("commit", "-qm", "second");
    const stopped = second.tryGit("pull", "-q", "--no-rebase").status !== 0;
    if (stopped || way.driver === "no driver") {
      expect((await second.resolve(today)).left).toEqual([]);
      expect((await second.resolve(today)).merged).toEqual([]);
    }
    expect(second.git("ls-files", "-u")).toBe("");
    // A note that is whole again has no audit to undo.
    if (second.read("memory/archive/moved.json")?.includes(path) !== true)
      expect(await second.run(today, "audit.history", {})).toMatchObject({ audits: [] });
    for (const [from, to] of [
      [second, first],
      [first, second],
      [second, first],
    ] as const) {
      await from.run(today, "tree.compact", {});
      publish(from);
      expect(to.tryGit("pull", "-q", "--no-rebase").status).toBe(0);
    }
    for (const clone of [ann, bob]) {
      // What a person edited counts in a fixed node once it is accepted.
      await clone.run(today, "tree.compact", way.change === "edited a line" ? { accept: "all" } : {});
      const whole = await wholeLog(clone);
      const ids = [...entries.map(([id]) => id), "ann", "bob"];
      expect(idsIn(whole).toSorted()).toEqual(
        ids.filter((id) => way.change !== "forgot an entry" || id !== "door").toSorted(),
      );
      expect(whole.split(core)).toHaveLength(2);
      expect(whole.split("The roof is red.")).toHaveLength(2);
      const lost = gone[way.change] ?? "walrus-4471";
      expect(whole).not.toContain(lost);
      expect(((await clone.run(today, "tree.verify", {})) as { ok: boolean }).ok).toBe(true);
      if (way.change === "edited a line") continue;
      const files = [...clone.files("memory"), ...clone.files(".heartwood")];
      expect(files.filter(([, text]) => text.includes(lost)).map(([one]) => one)).toEqual([]);
      expect(((await clone.run(today, "tree.verify", { forgotten: true })) as { ok: boolean }).ok).toBe(true);
    }
    expect(treeOf(ann)).toEqual(treeOf(bob));
  });
});

describe("heartwood git resolve", () => {
  test("merges a stopped merge, keeps what was logged since, and leaves other conflicts alone", async () => {
    ann.write("code.js", "1\n");
    const bob = await bobAfter("a");
    await add(bob, "b");
    bob.write("code.js", "2\n");
    await add(ann, "c");
    ann.write("code.js", "3\n");
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(1);
    expect(bob.read(log)).toContain("<<<<<<<");
    await add(bob, "since");
    const { left } = await bob.resolve(today);
    expect(left).toEqual(["code.js"]);
    expect(idsIn(bob.read(log))).toEqual(["a", "b", "c", "since"]);
    expect(bob.git("diff", "--name-only", "--diff-filter=U").trim()).toBe("code.js");
    expect(bob.read("code.js")).toContain("<<<<<<<");
    bob.git("add", "-A");
    bob.git("commit", "-qm", "merge");
    await bob.resolve(today);
    expect(idsIn(bob.read(log))).toEqual(["a", "b", "c", "since"]);
  });

  test("repairs the last merge if a union of lines tore its entries, and keeps later ones", async () => {
    ann.write(".gitattributes", "memory/*.md merge=union\n");
    const bob = await bobAfter("a");
    await add(bob, "b");
    await add(ann, "c");
    publish(ann);
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    expect(bob.tryGit("pull", "-q", "--no-rebase").status).toBe(0);
    expect(bob.read(log)?.split("- done")).toHaveLength(3);
    await add(bob, "later");
    await bob.resolve(today);
    expect(idsIn(bob.read(log))).toEqual(["a", "b", "c", "later"]);
    expect(bob.read(log)?.split("- done")).toHaveLength(5);
    const fixed = bob.read(log);
    expect((await bob.resolve(today)).merged).toEqual([]);
    expect(bob.read(log)).toBe(fixed);
  });

  test("removes markers that were committed, from logs and from nodes", async () => {
    await add(ann, "a");
    await ann.run("2026-03-18", "tree.compact", {});
    const text = ann.read(log) ?? "";
    ann.write(log, `${text}\n<<<<<<< HEAD\n## B\n- b\n=======\n## C\n- c\n>>>>>>> x\n`);
    const node = "memory/daily/2026-03-16.md";
    ann.write(node, `${ann.read(node) ?? ""}\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> x\n`);
    const { merged, removed } = await ann.resolve(today);
    expect([merged, removed]).toEqual([[{ path: log, from: "markers" }], [node]]);
    expect(ann.read(log)).toBe(`${text}\n## B\n- b\n\n## C\n- c\n`);
  });

  test("makes a node again that was fixed while its log had markers", async () => {
    ann.write(log, "# 2026-03-16\n\n## A\n- a\n\n<<<<<<< HEAD\n## B\n- b\n=======\n## C\n- c\n>>>>>>> x\n");
    await ann.run("2026-03-18", "tree.compact", {});
    const node = "memory/daily/2026-03-16.md";
    expect(ann.read(node)).toContain("status: fixed");
    await ann.resolve("2026-03-18");
    await ann.run("2026-03-18", "tree.compact", {});
    expect(ann.read(node)?.split("\n---\n")[1]).toBe("# 2026-03-16\n\n## A\n- a\n\n## B\n- b\n\n## C\n- c\n");
    expect([...ann.files("memory").keys()].filter((path) => path.includes("late"))).toEqual([]);
  });

  test("brings nothing back that was forgotten: a line in a conflict copy, a day that another clone added to", async () => {
    await add(ann, "a", "- first\n- the code of the safe is 4471");
    const copy = "memory/2026-03-16.sync-conflict-20260316-140500-ABCDEFG.md";
    ann.write(copy, ann.read(log) ?? "");
    await ann.run(today, "memory.forget", { text: "safe is 4471", yes: true });
    ann.write(
      copy,
      `# 2026-03-16\n\n## A\n<!-- hw id=a at=2026-03-16T10:00:00+00:00 origin=agent -->\n- the code of the safe is 4471\n`,
    );
    await ann.resolve(today);
    expect([...ann.files("memory")].filter(([, text]) => text.includes("4471"))).toEqual([]);
    const bob = await bobAfter("x");
    await ann.run(today, "memory.forget", { day: "2026-03-16", yes: true });
    publish(ann);
    await add(bob, "b");
    bob.git("add", "-A");
    bob.git("commit", "-qm", "bob");
    bob.tryGit("pull", "-q", "--no-rebase");
    expect((await bob.resolve(today)).left).toEqual([]);
    expect(bob.read(log)).toMatch(/^# 2026-03-16\n/u);
    expect(idsIn(bob.read(log))).toEqual(["b"]);
  });

  test("works without git, and has nothing to do in an intact memory", async () => {
    rmSync(join(ann.dir, ".git"), { recursive: true });
    await add(ann, "a");
    expect(await ann.resolve(today)).toEqual({ merged: [], removed: [], left: [] });
  });
});
