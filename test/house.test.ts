import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** The rules of the house that a machine can check, over the import lines and the words of src/. */
const SRC = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

interface Import {
  readonly from: string;
  readonly kind: "value" | "type" | "lazy";
}

interface SourceFile {
  /** Relative to src/, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Without comments and the contents of strings, for rules about words. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const files = filesBelow(SRC).map(readSource);
const products = files.filter(({ path }) => !path.endsWith(".test.ts"));

describe("who may import whom", () => {
  const DOMAINS = ["tree", "thread", "recall", "summarize", "audit"];
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    base: ["base"],
    tree: ["tree", "base"],
    thread: ["thread", "base"],
    recall: ["recall", "base"],
    summarize: ["summarize", "base"],
    audit: ["audit", "base", "tree"],
    ports: ["ports", "base", ...DOMAINS],
    engine: ["engine", "base", "ports", ...DOMAINS],
    adapters: ["adapters", "base", "ports", ...DOMAINS],
    surfaces: ["surfaces", "base", "engine"],
    api: ["api", "base", "engine", "ports", ...DOMAINS],
    testing: ["testing", "base", "ports", ...DOMAINS],
  };

  test("the import lines are read at all", () => {
    const text =
      'import { a } from "./a.ts";\nimport type {\n  B,\n} from "./b.ts";\nexport * from "./c.ts";\nconst d = await import("./d.ts");\nimport "./e.ts";\n';
    const found = importsOf(text).map(({ from, kind }) => `${kind} ${from}`);
    expect(found).toEqual(["value ./a.ts", "type ./b.ts", "value ./c.ts", "value ./e.ts", "lazy ./d.ts"]);
    expect(localImports().length).toBeGreaterThan(100);
  });

  test("every folder imports only from the folders it may know", () => {
    const wrong = localImports().filter(({ file, target, kind }) => {
      const allowed = ALLOWED[roomOf(file.path)];
      // A faulty disk stands below an adapter and has its shape.
      if (roomOf(file.path) === "testing" && roomOf(target) === "adapters" && kind === "type") return false;
      if (allowed === undefined || isSurfaceMain(file.path)) return false;
      return !allowed.includes(roomOf(target));
    });
    expect(wrong.map(described)).toEqual([]);
  });

  test("no folder stands in src/ that the table does not name", () => {
    const rooms = new Set(files.filter(({ path }) => path.includes("/")).map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => ALLOWED[room] === undefined)).toEqual([]);
  });

  test("ports import types only", () => {
    const wrong = localImports().filter(({ file, kind }) => roomOf(file.path) === "ports" && kind !== "type");
    expect(wrong.map(described)).toEqual([]);
  });

  test("an adapter does not import another adapter, a surface not another surface", () => {
    const wrong = localImports().filter(({ file, target }) => {
      const room = roomOf(file.path);
      if (room !== roomOf(target) || !["adapters", "surfaces"].includes(room)) return false;
      return implementationOf(file.path) !== implementationOf(target);
    });
    expect(wrong.map(described)).toEqual([]);
  });

  test("only the main.ts of a surface and the entry points of the library open a memory, and open.ts knows no surface", () => {
    const entries = ["open-api.ts", "operations.ts"];
    const openers = localImports()
      .filter(({ target }) => target === "open.ts")
      .map(({ file }) => file.path);
    expect(openers.filter((path) => !isSurfaceMain(path) && !entries.includes(path))).toEqual([]);
    const opened = localImports().filter(
      ({ file, target }) => file.path === "open.ts" && roomOf(target) === "surfaces",
    );
    expect(opened.map(described)).toEqual([]);
  });

  test.each(["index.ts", "ports.ts", "operations.ts"])("src/%s has no logic: only export lines", (entry) => {
    const lines = files
      .find(({ path }) => path === entry)
      ?.text.trimEnd()
      .split("\n");
    expect(lines?.filter((line) => !line.startsWith("export "))).toEqual([]);
  });

  test("values are imported without a cycle", () => {
    expect(cyclesAmong(products)).toEqual([]);
  });
});

describe("rule 1: the core is pure", () => {
  const PURE = ["base", "tree", "thread", "recall", "summarize", "audit"];
  /** Node modules that neither look at the world nor change it. */
  const PURE_MODULES = ["node:crypto", "node:util", "node:buffer", "node:string_decoder"];

  test("base and the domains import no effectful module of Node", () => {
    const wrong = products
      .filter(({ path }) => PURE.includes(roomOf(path)))
      .flatMap((file) =>
        file.imports
          .filter(({ from }) => from.startsWith("node:") && !PURE_MODULES.includes(from))
          .map(({ from }) => `${file.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });

  test("base and the domains use no randomness and no network", () => {
    expect(
      usesOf(/\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bfetch\(/, (path) => PURE.includes(roomOf(path))),
    ).toEqual([]);
  });
});

describe("rule 2: one clock, one file system, no ambient state", () => {
  test("the clock, the environment and the exit are touched by adapters and main.ts only", () => {
    expect(
      usesOf(/\bDate\.now\(|\bnew Date\(\)|\bprocess\.(env|exit|argv|cwd|stdout|stderr|stdin)\b/, outsideAdapters),
    ).toEqual([]);
  });

  test("files, processes and sockets are touched by adapters only", () => {
    const EFFECTS = ["fs", "fs/promises", "child_process", "net", "http", "https", "os", "sqlite", "worker_threads"];
    const wrong = products
      .filter(({ path }) => outsideAdapters(path))
      .flatMap((file) =>
        file.imports
          .filter(({ from }) => EFFECTS.includes(from.replace(/^node:/, "")))
          .map(({ from }) => `${file.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("rules 7 and 8: what a module shows", () => {
  test("named exports only", () => {
    expect(usesOf(/^export default\b/m, () => true)).toEqual([]);
  });

  test("no exported function takes a boolean", () => {
    expect(
      usesOf(/^export (?:async )?function\*? \w+(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\w\??: boolean\b/m, () => true),
    ).toEqual([]);
  });

  test("no any, no enum", () => {
    expect(usesOf(/\bas any\b|: any\b|<any>|\bany\[\]|^(?:export )?(?:const )?enum\b/m, () => true)).toEqual([]);
  });
});

describe("lists of any length", () => {
  /** Values of an SQL statement and parts of a path: the code fixes how many, not the data. */
  const FIXED = ["run", "get", "all", "join"];

  test("the calls that spread a list are found at all", () => {
    const spread = (code: string): readonly string[] => spreadCallsIn(code);
    expect(spread("all.push(...lines);\nMath.max(0, ...sizes)")).toEqual(["push", "max"]);
    expect(spread("lists.at(-1)?.push(first, ...(b ? c : []))")).toEqual(["push"]);
    expect(
      spread("new Set([...a, ...b]); f({ ...a }, [...b]); (...all: string[]) => 1; function g(...b: B) {}"),
    ).toEqual([]);
    expect(products.flatMap(({ code }) => spreadCallsIn(code)).length).toBeGreaterThan(5);
  });

  test("no call takes a spread list, whose length would have to fit on the stack", () => {
    const wrong = products.flatMap(({ path, code }) =>
      spreadCallsIn(code)
        .filter((callee) => !FIXED.includes(callee))
        .map((callee) => `${path}: ${callee}(...)`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("rule 9: size and names", () => {
  const LONGEST = 350;

  test(`no file is longer than ${LONGEST} lines`, () => {
    const long = products
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > LONGEST);
    expect(long).toEqual([]);
  });

  test("no folder or file has a name that says nothing", () => {
    const EMPTY_WORDS = /(^|\/)([a-z0-9-]+-)?(utils?|helpers?|common|managers?|misc)(\/|\.)|(^|\/)services?(\/|\.)/;
    expect(files.map(({ path }) => path).filter((path) => EMPTY_WORDS.test(path))).toEqual([]);
  });

  test("file names are kebab-case", () => {
    expect(
      files.map(({ path }) => path).filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.test|\.bench)?\.ts$/.test(path)),
    ).toEqual([]);
  });
});

function filesBelow(dir: string): readonly string[] {
  return readdirSync(dir)
    .toSorted()
    .flatMap((name) => {
      const path = join(dir, name);
      if (statSync(path).isDirectory()) return filesBelow(path);
      return name.endsWith(".ts") ? [path] : [];
    });
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return { path: relative(SRC, path).replaceAll("\\", "/"), text, code: withoutWords(text), imports: importsOf(text) };
}

function importsOf(text: string): readonly Import[] {
  const fixed = [...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;"'`]*?\sfrom\s+)?["']([^"']+)["']/gm)].map(
    ([, type, from]): Import => ({ from: from ?? "", kind: type === undefined ? "value" : "type" }),
  );
  const lazy = [...text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)].map(([, from]): Import => ({
    from: from ?? "",
    kind: "lazy",
  }));
  return [...fixed, ...lazy];
}

/** Good enough for rules about words: a string keeps its quotes, a comment leaves nothing. */
function withoutWords(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gm, (found) =>
    found.startsWith("/") ? "" : '""',
  );
}

function usesOf(pattern: RegExp, concerns: (path: string) => boolean): readonly string[] {
  return products
    .filter(({ path }) => concerns(path))
    .flatMap(({ path, code }) => {
      const found = pattern.exec(code);
      return found === null ? [] : [`${path}: ${found[0].slice(0, 80)}`];
    });
}

/** The names of what is called with `...list` among its arguments. A rest parameter, with a type after its name, is not a call. */
function spreadCallsIn(code: string): readonly string[] {
  return [...code.matchAll(/\.\.\.(?!\w+\??:)/g)].flatMap(({ index }) => {
    const open = bracketAround(code, index);
    return code[open] === "(" ? [/\w*$/.exec(code.slice(0, open))?.[0] ?? ""] : [];
  });
}

/** Where the innermost bracket around a place opens; -1 outside all brackets. */
function bracketAround(code: string, place: number): number {
  let depth = 0;
  for (let at = place - 1; at >= 0; at -= 1) {
    if (")]}".includes(code[at] ?? "")) depth += 1;
    else if ("([{".includes(code[at] ?? "")) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}

interface LocalImport {
  readonly file: SourceFile;
  readonly target: string;
  readonly kind: Import["kind"];
}

/** Imports of product code; what a test imports is its own affair. */
function localImports(): readonly LocalImport[] {
  return products.flatMap((file) =>
    file.imports
      .filter(({ from }) => from.startsWith("."))
      .map(({ from, kind }) => ({ file, target: join(dirname(file.path), from), kind })),
  );
}

function described({ file, target }: LocalImport): string {
  return `${file.path} imports ${target}`;
}

function roomOf(path: string): string {
  return path.split("/")[0] ?? "";
}

function outsideAdapters(path: string): boolean {
  return roomOf(path) !== "adapters" && !isSurfaceMain(path) && roomOf(path) !== "testing";
}

function isSurfaceMain(path: string): boolean {
  return /^surfaces\/[^/]+\/main\.ts$/.test(path);
}

/** `adapters/node-files/read.ts` and `adapters/node-files.ts` are of one adapter. */
function implementationOf(path: string): string {
  return (path.split("/")[1] ?? "").replace(/\.ts$/, "");
}

/** Lazy imports may close a circle, values that are needed at load time may not. */
function cyclesAmong(sources: readonly SourceFile[]): readonly string[] {
  const targets = new Map(
    sources.map((file) => [
      file.path,
      file.imports
        .filter(({ from, kind }) => kind === "value" && from.startsWith("."))
        .map(({ from }) => join(dirname(file.path), from)),
    ]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (trail.includes(path) || finished.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}
