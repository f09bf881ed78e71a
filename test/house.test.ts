import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** House rules that can be checked by machine, from the imports and the text of src/. */
const SRC = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

interface Import {
  readonly from: string;
  readonly kind: "value" | "type" | "lazy";
}

interface SourceFile {
  /** Relative to src/, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Without comments and the contents of strings, for rules about identifiers and keywords. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const files = filesBelow(SRC).map(readSource);
const products = files.filter(({ path }) => !path.endsWith(".test.ts"));

/** Folders of src/ by rank: one imports only from lower ranks. Folders of the same rank do not import each other. */
const RANKS: readonly (readonly string[])[] = [
  ["base"],
  ["text"],
  ["platform"],
  ["tree"],
  ["threads", "recall", "audit"],
  ["summaries", "postgres"],
  ["agents"],
  ["forget"],
  ["operations"],
  ["api", "surfaces"],
];

/** Folders without side effects. */
const PURE: readonly string[] = [
  "base",
  "text",
  "tree/model",
  "tree/plan",
  "tree/compose",
  "tree/root",
  "tree/extract",
  "tree/answers",
  "tree/merge",
  "threads/model",
  "threads/plan",
  "threads/extract",
  "recall/query",
  "recall/rank",
  "recall/context",
  "recall/passages",
  "recall/snippets",
  "recall/vectors",
  "audit/model",
  "audit/checks",
  "audit/edits",
  "summaries/request",
  "summaries/check",
];

/** Code outside `platform/` that implements a port with Node, a database or the network. */
const EDGES: readonly string[] = [
  "threads/store/",
  "recall/index/sqlite-search",
  "recall/index/embedders/",
  "summaries/models/",
  "postgres/",
  "agents/transcripts/",
  "agents/install/node-client-files",
  "agents/hooks/session-notes",
  "surfaces/http/page",
  "surfaces/http/server",
];

describe("allowed imports", () => {
  test("import lines are parsed", () => {
    const text =
      'import { a } from "./a.ts";\nimport type {\n  B,\n} from "./b.ts";\nexport * from "./c.ts";\nconst d = await import("./d.ts");\nimport "./e.ts";\n';
    const found = importsOf(text).map(({ from, kind }) => `${kind} ${from}`);
    expect(found).toEqual(["value ./a.ts", "type ./b.ts", "value ./c.ts", "value ./e.ts", "lazy ./d.ts"]);
    expect(localImports().length).toBeGreaterThan(100);
  });

  test("every folder of src/ has a rank", () => {
    const known = [...RANKS.flat(), "testing"];
    const rooms = new Set(files.filter(({ path }) => path.includes("/")).map(({ path }) => roomOf(path)));
    expect([...rooms].filter((room) => !known.includes(room))).toEqual([]);
  });

  test("a folder imports only from lower ranks, types included", () => {
    const wrong = localImports().filter(({ file, target }) => {
      const [from, to] = [roomOf(file.path), roomOf(target)];
      if (from === to || rankOf(from) === undefined || isSurfaceMain(file.path)) return false;
      return (rankOf(to) ?? Infinity) >= (rankOf(from) ?? 0);
    });
    expect(wrong.map(described)).toEqual([]);
  });

  test("a surface does not import another surface", () => {
    const wrong = localImports().filter(
      ({ file, target }) =>
        roomOf(file.path) === "surfaces" &&
        roomOf(target) === "surfaces" &&
        file.path.split("/")[1] !== target.split("/")[1],
    );
    expect(wrong.map(described)).toEqual([]);
  });

  test("only the main.ts of a surface opens a memory, and open.ts imports no surface", () => {
    const openers = localImports()
      .filter(({ target }) => target === "open.ts")
      .map(({ file }) => file.path);
    expect(openers.filter((path) => !isSurfaceMain(path) && path.includes("/") && !path.endsWith(".test.ts"))).toEqual(
      [],
    );
    const opened = localImports().filter(
      ({ file, target }) => file.path === "open.ts" && roomOf(target) === "surfaces",
    );
    expect(opened.map(described)).toEqual([]);
  });

  test("what talks to PostgreSQL is loaded only when it is used", () => {
    const outside = localImports().filter(
      ({ file, target }) => roomOf(target) === "postgres" && roomOf(file.path) !== "postgres",
    );
    expect(outside.filter(({ kind }) => kind === "value").map(described)).toEqual([]);
    expect(outside.some(({ kind }) => kind === "lazy")).toBe(true);
  });

  test("src/index.ts contains only export lines", () => {
    const index = files.find(({ path }) => path === "index.ts");
    const lines = (index?.text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("export "));
    expect(lines).toEqual([]);
  });

  test("there are no import cycles, types included", () => {
    expect(cyclesAmong(products)).toEqual([]);
  });
});

describe("the pure core", () => {
  /** Node modules without side effects. */
  const PURE_MODULES = ["node:crypto", "node:util", "node:buffer", "node:string_decoder"];

  test("pure folders import only pure folders", () => {
    const wrong = localImports().filter(({ file, target }) => isPure(file.path) && !isPure(target));
    expect(wrong.map(described)).toEqual([]);
  });

  test("pure folders import no Node module with side effects", () => {
    const wrong = products
      .filter(({ path }) => isPure(path))
      .flatMap((file) =>
        file.imports
          .filter(({ from }) => from.startsWith("node:") && !PURE_MODULES.includes(from))
          .map(({ from }) => `${file.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });

  test("pure folders use no randomness and no network", () => {
    expect(usesOf(/\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bfetch\(/, isPure)).toEqual([]);
  });
});

describe("one clock, one file system, no ambient state", () => {
  test("only the edge uses the clock, the environment and the process", () => {
    expect(
      usesOf(/\bDate\.now\(|\bnew Date\(\)|\bprocess\.(env|exit|argv|cwd|stdout|stderr|stdin)\b/, insideTheEdge),
    ).toEqual([]);
  });

  test("only the edge uses files, processes and sockets", () => {
    const EFFECTS = ["fs", "fs/promises", "child_process", "net", "http", "https", "os", "sqlite", "worker_threads"];
    const wrong = products
      .filter(({ path }) => insideTheEdge(path))
      .flatMap((file) =>
        file.imports
          .filter(({ from }) => EFFECTS.includes(from.replace(/^node:/, "")))
          .map(({ from }) => `${file.path} imports ${from}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("what a module exports", () => {
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
  /** Values of an SQL statement and parts of a path: their number depends on the code, not on the data. */
  const FIXED = ["run", "get", "all", "join"];

  test("calls that spread a list are found", () => {
    const spread = (code: string): readonly string[] => spreadCallsIn(code);
    expect(spread("all.push(...lines);\nMath.max(0, ...sizes)")).toEqual(["push", "max"]);
    expect(spread("lists.at(-1)?.push(first, ...(b ? c : []))")).toEqual(["push"]);
    expect(
      spread("new Set([...a, ...b]); f({ ...a }, [...b]); (...all: string[]) => 1; function g(...b: B) {}"),
    ).toEqual([]);
    expect(products.flatMap(({ code }) => spreadCallsIn(code)).length).toBeGreaterThan(5);
  });

  test("no call spreads a list, because a long one would overflow the stack", () => {
    const wrong = products.flatMap(({ path, code }) =>
      spreadCallsIn(code)
        .filter((callee) => !FIXED.includes(callee))
        .map((callee) => `${path}: ${callee}(...)`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("size and names", () => {
  const LONGEST = 350;
  const MOST_FILES = 20;
  const MOST_FILES_IN_ALL = 530;

  test(`no file is longer than ${LONGEST} lines`, () => {
    const long = products
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > LONGEST);
    expect(long).toEqual([]);
  });

  test(`no folder has more than ${MOST_FILES} files`, () => {
    const folders = Map.groupBy(products, ({ path }) => dirname(path));
    const full = [...folders].filter(([, held]) => held.length > MOST_FILES).map(([path, held]) => [path, held.length]);
    expect(full).toEqual([]);
  });

  test(`src has at most ${MOST_FILES_IN_ALL} files without tests`, () => {
    expect(products.length).toBeLessThanOrEqual(MOST_FILES_IN_ALL);
  });

  test("no folder or file has a meaningless name", () => {
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

/** Good enough for these rules: strings keep only their quotes, and comments are removed. */
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

/** The names of functions called with `...list` among the arguments. A rest parameter, which has a type after its name, is not a call. */
function spreadCallsIn(code: string): readonly string[] {
  return [...code.matchAll(/\.\.\.(?!\w+\??:)/g)].flatMap(({ index }) => {
    const open = bracketAround(code, index);
    return code[open] === "(" ? [/\w*$/.exec(code.slice(0, open))?.[0] ?? ""] : [];
  });
}

/** The place of the innermost opening bracket around a place; -1 outside all brackets. */
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

/** Imports of product code. Tests may import anything. */
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

function rankOf(room: string): number | undefined {
  const rank = RANKS.findIndex((rooms) => rooms.includes(room));
  return rank === -1 ? undefined : rank;
}

function isPure(path: string): boolean {
  return PURE.some((folder) => path.startsWith(`${folder}/`)) && !EDGES.some((edge) => path.startsWith(edge));
}

function insideTheEdge(path: string): boolean {
  const edge = ["platform/", "testing/", ...EDGES];
  return !edge.some((folder) => path.startsWith(folder)) && !isSurfaceMain(path);
}

function isSurfaceMain(path: string): boolean {
  return /^surfaces\/[^/]+\/main\.ts$/.test(path);
}

/** Lazy imports may form cycles, because they are not needed to load a file. */
function cyclesAmong(sources: readonly SourceFile[]): readonly string[] {
  const targets = new Map(
    sources.map((file) => [
      file.path,
      file.imports
        .filter(({ from, kind }) => kind !== "lazy" && from.startsWith("."))
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
