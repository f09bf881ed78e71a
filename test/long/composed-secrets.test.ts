import { describe, expect, it } from "vitest";
import { redact } from "../../src/text/redact/redact.ts";
import { runDoctor } from "../../src/operations/doctor.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, filesOf, logOf, longLog, rawFiles, textAt } from "../situations/scenario.ts";

/** Assembled here so that secret scanners do not flag this file. */
const password = ["Tr0ub4", "dor&3-xQ9!"].join("");
const token = ["zK7", "qW2mX9pL4vR8tY1nB6cD3"].join("");

const written = /^memory\/\d{4}-\d\d-\d\d[^/]*\.md$|^memory\/archive\//u;

/** Derived files that contain the text. */
function filesWith(tree: TestMemory, text: string): readonly string[] {
  return [...filesOf(tree)].filter(([path, said]) => !written.test(path) && said.includes(text)).map(([path]) => path);
}

async function secretsIn(tree: TestMemory): Promise<readonly string[]> {
  const { findings } = await runVerify(tree.memory, {});
  return findings.filter(({ code }) => code === "secret").map(({ message }) => message);
}

describe("text that becomes a secret when a node is composed", () => {
  it.each<[name: string, entry: readonly [string, ...string[]]]>([
    ["a heading names it and an item is the value", ["Wifi password [project]", `- ${password}`]],
    ["a heading names it and a field is the value", ["Wifi password [user]", `- decisions: ${password}`]],
    [
      "an item continues on the next line with the value",
      ["Router [project]", "- the admin password:", `  ${password}`],
    ],
    ["an item continues with is", ["Admin password", `- is ${password}`]],
    ["an item continues with lautet", ["Das Passwort von Bob", `- lautet ${password}`]],
    ["an item continues with es", ["La contraseña", `- es ${password}`]],
    ["an item continues with est", ["Le mot de passe", `- est ${password}`]],
    ["an item continues with é", ["A senha do Bob", `- é ${password}`]],
    ["an item continues with a dash", ["Пароль админа", `- — ${password}`]],
    ["a sentence is wrapped before the value", ["Router [feedback]", "- note that the password is", `  ${password}`]],
  ])("is in no derived file: %s", async (_, [heading, ...lines]) => {
    const day = logOf("2026-03-09", [heading, ...lines], ["Auth [project]", "- sessions moved"]);
    const long = `${longLog("2026-03-08", "Pump", 260)}\n## ${heading}\n${lines.join("\n")}\n`;
    const tree = openTestMemory({
      today: "2026-03-10",
      files: rawFiles({ "2026-03-09": day, "2026-03-08": long }),
    });
    await compact(tree);
    expect(await secretsIn(tree)).toEqual([]);
    expect(filesWith(tree, password)).toEqual([]);
    await expectSound(tree);
  });
});

describe("a secret below its heading", () => {
  it.each(["hunter2x", "Winter-2031!"])("is replaced there even if it does not look random: %s", async (weak) => {
    const day = logOf("2026-03-09", ["Wifi password", `- ${weak}`], ["Auth [project]", `- the word ${weak} here`]);
    const tree = openTestMemory({ today: "2026-03-10", files: rawFiles({ "2026-03-09": day }) });
    await compact(tree);
    expect(textAt(tree, "memory/daily/2026-03-09.md")).toContain("- [REDACTED:password]");
    expect(textAt(tree, "memory/daily/2026-03-09.md")).toContain(`- the word ${weak} here`);
    await expectSound(tree);
  });

  it("is replaced under the name of a secret access key", async () => {
    const key = ["wJalrXUtnFEMI/", "K7MDENG/bPxRfiCYq2Z8aB4cDx"].join("");
    const day = `${logOf("2026-03-09", ["AWS [project]", "- new account"])}\n### Secret access key\n\n- ${key}\n`;
    const tree = openTestMemory({ today: "2026-03-10", files: rawFiles({ "2026-03-09": day }) });
    await compact(tree);
    expect(filesWith(tree, key)).toEqual([]);
  });
});

/** Two days that name a secret, and places where it occurs without its name. */
function bareLogs(value: string): Readonly<Record<string, string>> {
  return {
    "2026-02-10": logOf("2026-02-10", [`Seen ${value} again [project]`, "- in the heading"]),
    "2026-03-08": logOf("2026-03-08", ["Router [user]", `- used ${value} here`, `- \`${value}\`, and (${value})`]),
    "2026-03-09": logOf(
      "2026-03-09",
      ["Notes [reference]", `- ${value}, https://example.org/?q=${value}&x=1`],
      ["Login [project]", `- password: ${value}`],
    ),
    "2026-03-10": `${longLog("2026-03-10", `Pump ${value}`, 260)}\n## Keys [project]\n- ${value}\n- ${value} worked\n`,
  };
}

describe("a secret named once", () => {
  it.each([password, token])(
    "is replaced in every derived file, even where it occurs without its name: %#",
    async (value) => {
      const tree = openTestMemory({ today: "2026-03-11", files: rawFiles(bareLogs(value)), disk: "folder" });
      await compact(tree);
      await runIndex(tree.memory, {}, {});
      expect(tree.list()).toContain(".heartwood/search/index.sqlite");
      expect(filesWith(tree, value)).toEqual([]);
      expect(textAt(tree, "memory/daily/2026-03-08.md")).toContain("- used [REDACTED:password] here");
      expect(await secretsIn(tree)).toEqual([]);
      await expectSound(tree);
    },
  );

  it("gives the same bytes however the work is split", async () => {
    const whole = openTestMemory({ today: "2026-03-11", files: rawFiles(bareLogs(password)) });
    const split = openTestMemory({ today: "2026-03-11", files: rawFiles(bareLogs(password)) });
    await compact(whole);
    for (let run = 0; run < 8; run++) await compact(split, undefined, { cycles: 1 });
    const nodes = (tree: TestMemory): readonly (readonly [string, string])[] =>
      [...filesOf(tree)].filter(([path]) => /^memory\/(?:daily|weekly|monthly|ROOT)/u.test(path));
    expect(nodes(split)).toEqual(nodes(whole));
  });

  it("stays out of nodes of other days after its name is deleted from its log", async () => {
    const tree = openTestMemory({ today: "2026-03-11", files: rawFiles(bareLogs(password)) });
    await compact(tree);
    tree.write("memory/2026-03-09.md", logOf("2026-03-09", ["Login [project]", "- moved to the vault"]));
    const { findings } = await runVerify(tree.memory, {});
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    await compact(tree, "2026-03-12");
    expect(filesWith(tree, password)).toEqual([]);
  });

  it("is reported in a node that was fixed before, and --fix takes it out of every derived file", async () => {
    const day = logOf("2026-03-03", [`Router ${token} [user]`, `- used ${token} here`], ["Auth [project]", "- moved"]);
    const tree = openTestMemory({ today: "2026-03-04", files: rawFiles({ "2026-03-03": day }), disk: "folder" });
    await compact(tree);
    await runIndex(tree.memory, {}, {});
    expect(filesWith(tree, token)).not.toEqual([]);
    tree.write("memory/2026-04-20.md", logOf("2026-04-20", ["Login [project]", `- api_key = "${token}"`]));
    await compact(tree, "2026-04-20");
    expect((await secretsIn(tree)).join("\n")).toContain("memory/daily/2026-03-03.md contains a secret (token)");
    expect(filesWith(tree, token)).not.toContain("memory/ROOT.md");
    expect((await runDoctor(tree.memory, { fix: true })).ok).toBe(true);
    expect(filesWith(tree, token)).toEqual([]);
    await compact(tree);
    expect(filesWith(tree, token)).toEqual([]);
    await expectSound(tree, ["source_edited"]);
  });

  it("is removed from ROOT.md and the nodes around the fixed node that names it", async () => {
    const tree = openTestMemory({
      today: "2026-03-11",
      files: rawFiles({ "2026-03-09": longLog("2026-03-09", "Pump", 20) }),
    });
    await compact(tree);
    tree.write("memory/weekly/2026-W05.md", `# Week\n\n- password: ${password}\n`);
    tree.write("memory/ROOT.md", textAt(tree, "memory/ROOT.md").replace("## Recent", `- seen: ${password}\n## Recent`));
    await runDoctor(tree.memory, { fix: true });
    expect(filesWith(tree, password)).toEqual(["memory/weekly/2026-W05.md"]);
  });

  it.each(["admin", "test", "4711", "202603", "20260301", "sunrise", "blue-green", "v1.2", "hunter2x", "node22x!"])(
    "does not remove the common word or number %s from other text",
    async (word) => {
      const files = rawFiles({
        "2026-03-08": logOf("2026-03-08", ["Router [user]", `- the word ${word} here`]),
        "2026-03-09": logOf("2026-03-09", ["Login [project]", `- password: "${word}"`, `- token = ${word}`]),
      });
      const tree = openTestMemory({ today: "2026-03-10", files });
      await compact(tree);
      expect(textAt(tree, "memory/daily/2026-03-08.md")).toContain(`the word ${word} here`);
    },
  );
});

describe("a weak secret named on one day", () => {
  it("does not change the text of other days", async () => {
    const said = [
      "- set POSTGRES_PASSWORD=$PG and REDIS_PASSWORD=$R in compose",
      "- moved to postgres16 and deployed checkout-v2 on staging-2",
    ];
    const files = rawFiles({
      "2026-03-01": logOf(
        "2026-03-01",
        ["Env", '- password: "node22x!"', "- `PASSWORD=`"],
        ["Compose", "- POSTGRES_PASSWORD=postgres16", "- DB_PASSWORD=staging-2", "- password: checkout-v2"],
      ),
      "2026-03-02": logOf("2026-03-02", ["Deploy [project]", ...said]),
    });
    const tree = openTestMemory({ today: "2026-03-04", files });
    await compact(tree);
    const node = textAt(tree, "memory/daily/2026-03-02.md");
    expect(said.filter((line) => !node.includes(line))).toEqual([]);
    await expectSound(tree);
  });
});

describe("a part of a secret named on another day", () => {
  const whole = ["Hj4!", "routerpw9"].join("");
  const bare = [`- used ${whole} at the router`, `- ${whole} worked again`, `- saw ${whole} in the output`];
  const long = `${longLog("2026-02-02", "Pump", 260)}\n## Router [project]\n${bare.join("\n")}\n`;
  const naming = logOf("2026-02-03", ["Login [project]", `- the router password is ${whole}`]);

  it("is not among the keywords of a summary or of ROOT.md", async () => {
    const tree = openTestMemory({
      today: "2026-03-20",
      files: rawFiles({ "2026-02-02": long, "2026-02-03": naming }),
    });
    await compact(tree);
    expect(textAt(tree, "memory/daily/2026-02-02.md")).toContain("made-by: built-in");
    expect(filesWith(tree, "routerpw9")).toEqual([]);
    await expectSound(tree);
    tree.write("memory/2026-02-03.md", logOf("2026-02-03", ["Login [project]", "- moved to the vault"]));
    expect((await runVerify(tree.memory, {})).findings.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("is reported in a node that was fixed before, and --fix takes it out of every derived file", async () => {
    const tree = openTestMemory({ today: "2026-02-10", files: rawFiles({ "2026-02-02": long }), disk: "folder" });
    await compact(tree);
    expect(filesWith(tree, "routerpw9")).not.toEqual([]);
    tree.write("memory/2026-03-03.md", naming.replaceAll("2026-02-03", "2026-03-03"));
    await compact(tree, "2026-03-20");
    const told = await secretsIn(tree);
    expect(new Set(told).size).toBe(told.length);
    expect(told.join("\n")).toContain("memory/daily/2026-02-02.md contains a secret (password)");
    await runDoctor(tree.memory, { fix: true });
    expect(await secretsIn(tree)).toEqual([]);
    await compact(tree);
    expect(filesWith(tree, "routerpw9")).toEqual([]);
    expect(await secretsIn(tree)).toEqual([]);
  });

  it("stays where the day uses it as an ordinary word", async () => {
    const word = ["Hj4!fallback", "Xq9"].join("");
    const said = long
      .replaceAll(whole, word)
      .replace("## Router", "## Fallback [project]\n- fallback works\n\n## Router");
    const other = logOf("2026-02-04", ["Plans [project]", "- the fallback is next"]);
    const named = naming.replaceAll(whole, word);
    const files = rawFiles({ "2026-02-02": said, "2026-02-03": named, "2026-02-04": other });
    const tree = openTestMemory({ today: "2026-03-20", files });
    await compact(tree);
    expect(textAt(tree, "memory/daily/2026-02-02.md")).toContain("Fallback [project]");
    await runDoctor(tree.memory, { fix: true });
    expect(textAt(tree, "memory/daily/2026-02-04.md")).toContain("- the fallback is next");
    expect(filesWith(tree, word)).toEqual([]);
  });
});

/** Kinds of values, and lines that name them. */
const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const names = [
  (value: string): string => `- password: ${value}`,
  (value: string): string => `- export DB_PASSWORD='${value}'`,
  (value: string): string => `api_key = "${value}"`,
  (value: string): string => `- see postgres://app:${value}@db.example.org/main`,
  (value: string): string => `- the token is ${value}`,
  (value: string): string => `curl -H "Authorization: Bearer ${value}" https://example.org`,
  (value: string): string => `| secret_key | ${value} |`,
];
const places = [
  (value: string): string => `- saw ${value} in the output`,
  (value: string): string => `- decisions: keep ${value}; then rotate`,
  (value: string): string => `it was ${value}, twice ${value}.`,
  (value: string): string => `### ${value}`,
  (value: string): string => `- [ ] remove "${value}" (${value})`,
  (value: string): string => `${value}`,
];

describe("random logs with planted secrets", () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
    "give derived files without any of them, and verify finds none: seed %i",
    async (seed) => {
      const random = createSeededRandom(seed);
      const { below } = random;
      const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
      const valueOf = (): string =>
        `${Array.from({ length: 14 + below(20) }, () => pick([...letters])).join("")}${below(10)}x${below(10)}`;
      const logs = new Map<string, string[]>();
      const planted: { readonly value: string; readonly line: string }[] = [];
      const add = (lines: readonly string[]): void => {
        const day = `2026-0${1 + below(3)}-${String(1 + below(28)).padStart(2, "0")}`;
        const log = logs.get(day) ?? [`# ${day}`, ""];
        const filler = Array.from({ length: below(8) === 0 ? 220 : 2 }, (_, n) => `- pump ${n} of ${below(90)} moved`);
        log.push(
          `## Topic ${below(12)} [${pick(["project", "user", "feedback", "reference"])}]`,
          ...filler,
          ...lines,
          "",
        );
        logs.set(day, log);
      };
      for (let n = 0; n < 12; n++) {
        const value = valueOf();
        const line = pick(names)(value);
        planted.push({ value, line });
        add([line]);
        for (let times = below(4); times > 0; times--) add([pick(places)(value)]);
      }
      const files = rawFiles(Object.fromEntries([...logs].map(([day, lines]) => [day, lines.join("\n")])));
      const tree = openTestMemory({ today: "2026-03-30", files });
      await compact(tree);
      const known = planted.filter(({ value, line }) => !redact(line).text.includes(value));
      expect(known.length).toBeGreaterThan(6);
      expect(known.flatMap(({ value, line }) => filesWith(tree, value).map((path) => `${path}: ${line}`))).toEqual([]);
      const pieces = known.flatMap(({ value }) =>
        Array.from({ length: value.length - 5 }, (_, at) => value.slice(at, at + 6)),
      );
      expect(pieces.flatMap((piece) => filesWith(tree, piece).map((path) => `${path}: ${piece}`))).toEqual([]);
      await expectSound(tree);
    },
  );
});
