import { parseInjections, printInjection } from "../../src/agents/sessions/record.ts";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { parseFixedRecords, printFixedRecord } from "../../src/tree/model/fixed-records.ts";
import { parseRecords, printRecord as printChange } from "../../src/tree/model/records-format.ts";
import * as answers from "../../src/tree/answers/record.ts";
import { readUserSettings } from "../../src/platform/user-settings.ts";
import type { ModelSettings } from "../../src/platform/user-settings/models.ts";
import { sha256 } from "../../src/base/digest.ts";
import { scanLines } from "../../src/base/markdown.ts";
import { parseRefSuffix, printRefSuffix } from "../../src/base/refs.ts";
import { rotationSummary, parseMoved, printMoved } from "../../src/tree/model/moved-format.ts";
import { parseRecord, printRecord } from "../../src/audit/run/history-format.ts";
import { runCompact } from "../../src/tree/run/compact.ts";
import { readConfiguration } from "../../src/tree/setup/configuration.ts";
import { journalPath, readJournal } from "../../src/tree/logs/archive.ts";
import { operations } from "../../src/operations/table.ts";
import { readStateFile, stateFilePath, writeStateFile } from "../../src/tree/run/tree-files.ts";
import { configurationText } from "../../src/tree/setup/init.ts";
import { localCommands } from "../../src/operations/local-commands.ts";
import { isEntryId, printEntry, type Entry } from "../../src/tree/model/entry-format.ts";
import { parseEntry } from "../fixtures/read-entry.ts";
import { type FrameType, isFrame, parseFrame, printFrame } from "../../src/threads/model/frame.ts";
import {
  parseLines,
  parseSummary as parseThreadSummary,
  printLine,
  printSummary as printThreadSummary,
} from "../../src/threads/model/summary.ts";
import { builtInRule, contentDigest, parseNode, printNode, type Node } from "../../src/tree/model/node-format.ts";
import { replaceCompactionRoot, parseRoot, printRoot } from "../../src/tree/root/root-format.ts";
import {
  daysCovered,
  nodeLabel,
  nodeLevels,
  type NodeName,
  parseLogFile,
  parseNodeFile,
  parseNodeLabel,
} from "../../src/tree/model/period.ts";
import { parseChoice, printChoice, type ChoiceRecord } from "../../src/summaries/choosing/choice.ts";
import { parseLedgerLine, printLedgerLine } from "../../src/tree/answers/ledger.ts";
import { parseRecordName, type AnswerRecord } from "../../src/tree/answers/record.ts";
import { basisOf } from "../../src/tree/plan/status.ts";
import { parseSource, printSource, parseTopics, printTopics } from "../../src/tree/model/node-sections.ts";
import { parseSummary, printSummary } from "../../src/tree/model/summary-format.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { type Document, documentAt, documents, type Example, repository, valueIn } from "../fixtures/documents.ts";

/**
 * Checks the documents against the code: format examples are parsed and printed again, the worked example is the result of a compaction, and links and
 * named files exist. HEARTWOOD_DOCS=write rewrites the examples; review them before committing.
 */
const mode = process.env["HEARTWOOD_DOCS"] === "write" ? "write" : "check";

const formats = documents.filter(({ path }) => path.startsWith("docs/formats/"));

describe.each(formats)("the examples of $path", (document) => {
  test("match what the parsers read and print", async () => {
    const story = await playStory(document);
    for (const example of [...document.examples].toReversed()) {
      const expected = await printedAgain(example, story);
      if (mode === "write" && expected !== example.text) replaceExample(document, example, expected);
      else expect(example.text, `${document.path}:${example.line} ${example.info}`).toBe(expected);
    }
  });
});

/** Replaces later examples before earlier ones, so that line numbers stay right. */
function replaceExample(document: Document, example: Example, text: string): void {
  const path = join(repository, document.path);
  const lines = readFileSync(path, "utf8").split("\n");
  lines.splice(example.line, example.text.split("\n").length - 1, ...text.split("\n").slice(0, -1));
  writeFileSync(path, lines.join("\n"));
}

type Story = ReadonlyMap<string, string>;

/**
 * The worked example: the document's raw logs, compacted on the next day. Lines from `late-from` are added after the first run. Returns the resulting
 * files, by path.
 */
async function playStory({ examples }: Document): Promise<Story> {
  const logs = examples.filter(({ info }) => info.includes("markdown raw="));
  const early = logs.map(
    ({ info, text }) => [pathOfLog(info), untilLine(text, Number(valueIn(info, "late-from") || 0))] as const,
  );
  const tree = openTestMemory({ files: Object.fromEntries(early), today: "2026-03-16" });
  await runCompact(tree.memory, {}, {});
  for (const { info, text } of logs) if (info.includes("late-from=")) tree.write(pathOfLog(info), text);
  await runCompact(tree.memory, {}, {});
  return new Map(tree.list().map((path) => [path, tree.read(path) ?? ""]));
}

function pathOfLog(info: string): string {
  return `memory/${valueIn(info, "raw")}.md`;
}

function untilLine(text: string, line: number): string {
  return line === 0
    ? text
    : text
        .split("\n")
        .slice(0, line - 1)
        .map((part) => `${part}\n`)
        .join("");
}

/** The expected text of the example, by its kind. An unknown kind is an error in the document. */
async function printedAgain({ info, text }: Example, story: Story): Promise<string> {
  const kind = info.replace(/=.*$/u, "");
  if (info.startsWith("text digested=")) return digested(valueIn(info, "digested"), story);
  if (info.endsWith(" worked")) {
    const path = kind === "markdown root worked" ? "memory/ROOT.md" : `memory/${valueIn(info, "node")}.md`;
    const worked = story.get(path) ?? `the worked example has no ${path}\n`;
    expect(kind === "markdown node" ? printedNode(valueIn(info, "node"), worked) : printedRoot(worked)).toBe(worked);
    return worked;
  }
  const print = printers[kind];
  if (print === undefined) throw new Error(`no test knows what an example "${info}" is`);
  return print(text, info, story);
}

/** The bytes that a digest covers, for the node or ROOT.md that records it. */
function digested(label: string, story: Story): string {
  const front = (key: string): string => new RegExp(`^${key}: (.*)$`, "mu").exec(text)?.[1] ?? "";
  const text = story.get(`memory/${label}.md`) ?? "";
  const body = text.slice(text.indexOf("\n---\n") + 5);
  if (label === "ROOT") {
    const months = [...story]
      .filter(([path]) => path.startsWith("memory/monthly/"))
      .map(([path, node]) => `${path} ${/^content: (.*)$/mu.exec(node)?.[1] ?? ""}`);
    const inputs = ["root-4", builtInRule, 3000, ...months].join("\n");
    expect(sha256(inputs).slice(0, 8) + sha256(body).slice(0, 8)).toBe(front("made-from"));
    return `${inputs}\n`;
  }
  const bytes = `${front("type")}\n${label.slice(label.indexOf("/") + 1)}\n${front("topics")}\n${front("spans")}\n\n${body}`;
  expect(sha256(bytes)).toBe(front("content"));
  return bytes;
}

const printers: Readonly<Record<string, (text: string, info: string, story: Story) => string | Promise<string>>> = {
  "markdown raw": (text, info) => {
    expect(parseLogFile(`${valueIn(info, "raw")}.md`).state).toBe("log");
    return entriesIn(text).map(printedEntry).join("");
  },
  "markdown entry": (text) => printedEntry(text),
  "markdown node": (text, info) => printedNode(valueIn(info, "node"), text),
  "markdown root": (text) => printedRoot(text),
  "markdown memory-file": (text, _info, story) => {
    const root = parseRoot(story.get("memory/ROOT.md") ?? "");
    return replaceCompactionRoot(text, root.state === "ours" ? root.root.body : []);
  },
  "text topics": (text) => linesOf(text, (line) => printTopics(parseTopics(line))),
  "text summary-lines": (text) =>
    linesOf(text, (line) => {
      const lines = ["## Notes", line];
      const passages = parseSummary({ lines, firstLine: 1, spans: [], fallback: [], near: "2026-03-15" });
      return printSummary("daily", "2026-03-15", passages).body.slice(1).join("\n");
    }),
  // FORM => the same in the canonical form
  "text topics-read": (text) =>
    linesOf(
      text,
      (line) => `${line.split(" => ")[0] ?? ""} => ${printTopics(parseTopics(line.split(" => ")[0] ?? ""))}`,
    ),
  "text refs": (text, info) =>
    linesOf(text, (line) => {
      const read = parseRefSuffix(line, valueIn(info, "refs"));
      expect(read.refs.length, line).toBeGreaterThan(0);
      return `${read.text}${printRefSuffix(read.refs)}`;
    }),
  "yaml sources": (text) =>
    linesOf(text, (line) => {
      const source = parseSource(line.slice(4));
      return line === "sources:" ? line : `  - ${source === undefined ? "no source" : printSource(source)}`;
    }),
  "text layout": (text) => linesOf(text, layoutLine),
  "json configuration": async (text, info) => {
    const { memory } = openTestMemory({ files: { "heartwood.config.json": text } });
    const { configuration, warnings } = await readConfiguration(memory);
    expect(warnings).toEqual([]);
    return info.endsWith("=defaults") ? configurationText(configuration.platform) : text;
  },
  "json state": async (text) => {
    const tree = openTestMemory({ files: { [stateFilePath]: text } });
    await writeStateFile(tree.memory, await readStateFile(tree.memory));
    return tree.read(stateFilePath) ?? "";
  },
  "json settings": async (text) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-docs-")));
    mkdirSync(join(home, "heartwood"));
    writeFileSync(join(home, "heartwood", "config.json"), text);
    const before = process.env["XDG_CONFIG_HOME"];
    process.env["XDG_CONFIG_HOME"] = home;
    try {
      const { qmd, model, summaries, embedders, recall, chooser } = await readUserSettings();
      const read: Readonly<Record<string, unknown>> = {
        qmd,
        summaries: { ...summaries, ...model, ...keyNames(model) },
        recall: { ...recall, chooser: { ...chooser, ...keyNames(chooser) } },
        embedders: Object.fromEntries(
          [...(embedders ?? [])].map(([name, one]) => {
            const { query: queryPrefix, passage: passagePrefix } = one.prefixes ?? {};
            return [name, { ...one, queryPrefix, passagePrefix }];
          }),
        ),
      };
      return `${JSON.stringify(asWritten(JSON.parse(text), read), null, 2)}\n`;
    } finally {
      if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
      else process.env["XDG_CONFIG_HOME"] = before;
    }
  },
  "json frame": (text) =>
    linesOf(text, (line) => {
      const frame = parseFrame(line);
      if (!isFrame(frame)) throw new Error(`${line}: ${frame.reason}`);
      const { id, seq, thread_id, timestamp_ms, type, fields } = frame;
      const payload = Object.fromEntries(Object.entries(fields).slice(7));
      return printFrame({ id, timestamp_ms, type: type as FrameType, payload }, { thread_id, seq });
    }),
  "json artifact": (text) =>
    linesOf(text, (line) => {
      const summary = parseThreadSummary(Buffer.from(line));
      if ("fault" in summary) throw new Error(`${line}: ${summary.fault}`);
      return Buffer.from(printThreadSummary(summary)).toString();
    }),
  "json session-line": (text) => {
    const [injection] = parseInjections(text);
    return injection === undefined ? "not a line of a session" : printInjection(injection);
  },
  "json fixed": (text) =>
    parseFixedRecords(text)
      .map((record) => `${printFixedRecord(record)}\n`)
      .join(""),
  "json records": (text) =>
    parseRecords(text)
      .map((record) => `${printChange(record)}\n`)
      .join(""),
  "json moved": (text) => printMoved(parseMoved(text)),
  "text summary-line": (text) => linesOf(text, (line) => parseLines(line, 0).map(printLine).join("\n")),
  "json history": (text) => {
    const record = parseRecord(text);
    return typeof record === "string" ? `${record}\n` : printRecord(record);
  },
  // Size and digest are those of the whole log; the example shows only its beginning.
  "markdown rotated": (text, info) => {
    const begins = [...text.matchAll(/^> (#.*|- .*)$/gmu)].map(([, line]) => `${line}\n`).join("");
    const [, part = ""] = /moved to (\S+) by/u.exec(text) ?? [];
    const path = `memory/${valueIn(info, "rotated")}.md`;
    const made = Buffer.from(rotationSummary({ path, bytes: Buffer.from(begins), part })).toString();
    const [, figures = ""] = /^(> size: .*\n> sha256: .*)$/mu.exec(text) ?? [];
    return made.replace(/^> size: .*\n> sha256: .*$/mu, figures);
  },
  "text basis": (text) => {
    const [, level = "", label = "", ...lines] = text.split("\n").slice(0, -1);
    const name = parseNodeLabel(level as NodeName["level"], label) as NodeName;
    const sources = lines.flatMap((line) => parseSource(line.replace(/\}$/u, ", sections: }")) ?? []);
    expect(basisOf(name, sources)).toBe(sha256(text));
    return text;
  },
  "json request": (text) => {
    expect(JSON.parse(text)).toHaveLength(5);
    return text;
  },
  "json answer-record": (text) => {
    const record = { ...(JSON.parse(text) as AnswerRecord), ...digestsInDocument() };
    const printed = answers.printRecord(record);
    expect(answers.parseRecord(printed)).toMatchObject({ label: record.label });
    expect(answers.parseRecord(text), "its checksum").toEqual(
      mode === "check" ? answers.parseRecord(printed) : expect.anything(),
    );
    expect(record.summary.map((line) => parseRefSuffix(line, record.label).text)).toContain("## Topics");
    return printed;
  },
  "json choice-record": (text) => {
    const printed = printChoice(JSON.parse(text) as ChoiceRecord);
    expect(parseChoice(printed)).toMatchObject({ state: "accepted" });
    return printed;
  },
  "json ledger": (text) =>
    linesOf(text, (line) => {
      const read = parseLedgerLine(line);
      return read === undefined ? "no line of a ledger" : printLedgerLine(read).trimEnd();
    }),
  "json journal": async (text) => {
    const { memory } = openTestMemory({ files: { [journalPath]: text } });
    return (await readJournal(memory)).map(({ entry }) => `${JSON.stringify(entry)}\n`).join("");
  },
};

/** The digests in a record are those of the example basis and request above it. */
function digestsInDocument(): Pick<AnswerRecord, "basis" | "digest"> {
  const { examples } = documentAt("docs/formats/summaries.md");
  const textOf = (kind: string): string => examples.find(({ info }) => info === kind)?.text ?? "";
  return { basis: sha256(textOf("text basis")), digest: sha256(JSON.stringify(JSON.parse(textOf("json request")))) };
}

/** The path of a key, as in the file. */
function keyNames(model: ModelSettings | undefined): Readonly<Record<string, string>> {
  const key = model !== undefined && "key" in model ? model.key : undefined;
  if (key === undefined) return {};
  return "env" in key ? { keyEnv: key.env } : { keyFile: key.file };
}

/** The keys that are in the file. All others have their defaults. */
function asWritten(file: unknown, read: unknown): unknown {
  if (typeof file !== "object" || file === null || Array.isArray(file)) return read;
  return Object.fromEntries(
    Object.entries(file).map(([key, value]) => [key, asWritten(value, Reflect.get(Object(read), key))]),
  );
}

function linesOf(text: string, print: (line: string) => string): string {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => `${print(line)}\n`)
    .join("");
}

/** The parts of a log: the text before the first entry, and each entry. */
function entriesIn(text: string): readonly string[] {
  const lines = text.split("\n").slice(0, -1);
  const kinds = scanLines(lines).lines;
  const parts: string[][] = [[]];
  lines.forEach((line, index) => {
    if (kinds[index]?.level === 2) parts.push([]);
    parts.at(-1)?.push(`${line}\n`);
  });
  return parts.map((part) => part.join(""));
}

/** An entry with a heartwood comment is printed again. Other entries and text before the first one are only parsed. */
function printedEntry(text: string): string {
  const lines = text.split("\n").slice(0, -1);
  if (!(lines[0] ?? "").startsWith("## ")) return text;
  const blank = lines.length - lines.findLastIndex((line) => line !== "") - 1;
  const entry = parseEntry(lines.slice(0, lines.length - blank));
  expect(entry.topic).not.toBe("");
  if (entry.id === undefined) return text;
  expect(isEntryId(entry.id)).toBe(true);
  return [...printEntry(entry as Entry), ...lines.slice(lines.length - blank)].map((line) => `${line}\n`).join("");
}

function printedNode(label: string, text: string): string {
  const level = nodeLevels.find((candidate) => label.startsWith(`${candidate}/`));
  const name = level === undefined ? undefined : parseNodeLabel(level, label.slice(level.length + 1));
  if (name === undefined) throw new Error(`${label} is no node`);
  const reading = parseNode(name, text);
  if (reading.state !== "ours") throw new Error(`${label} is ${reading.state}: ${JSON.stringify(reading)}`);
  if (mode === "check") expect(reading.recorded, `the content digest of ${label}`).toBe(contentDigest(reading.node));
  return printNode({ ...reading.node, ...printedBody(name, reading.node) });
}

/** Parses the body of a summary into passages and prints it again. */
function printedBody(name: NodeName, node: Node): Pick<Node, "body" | "spans"> {
  if (node.madeBy !== builtInRule) return node;
  const near = daysCovered(name.level, name.period).first;
  const passages = parseSummary({ lines: node.body, firstLine: 1, spans: node.spans, fallback: [], near });
  return printSummary(name.level, nodeLabel(name), passages);
}

function printedRoot(text: string): string {
  const reading = parseRoot(text);
  if (reading.state !== "ours") throw new Error(`the example of ROOT.md is ${reading.state}`);
  return printRoot(reading.root);
}

/** A path, spaces, and a description. A path below memory/ must have a valid name. */
function layoutLine(line: string): string {
  const path = line.split(/ {2,}/u)[0] ?? "";
  const [folder = "", inner = "", file = ""] = path.split("/");
  const level = nodeLevels.find((candidate) => candidate === inner);
  const isLog = folder === "memory" && /^\d{4}/u.test(inner);
  if (isLog) expect(parseLogFile(inner).state, line).toBe("log");
  if (folder === "memory" && level !== undefined) expect(parseNodeFile(level, file), line).toBeDefined();
  if (/\/answers\/./u.test(path)) {
    const name = path.split("/").at(-1) ?? "";
    const filled = name
      .replace("<label>", "notes.120")
      .replaceAll(/<(\d+)>/gu, (_, digits) => "0".repeat(Number(digits)));
    expect(parseRecordName(filled), line).toBeDefined();
  }
  return line;
}

describe("links and names", () => {
  test("every relative link points to a file, and its anchor to a heading", () => {
    const broken = documents.flatMap((document) =>
      linksIn(document.text)
        .filter((link) => !leadsSomewhere(document.path, link))
        .map((link) => `${document.path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test("every project file named in backticks exists", () => {
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|test|bench|tools|docs|samples)\/[\w./-]+\.\w+)`/gu)]
        .map((match) => match[1] ?? "")
        .filter((named) => !existsSync(join(repository, named)))
        .map((named) => `${path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  test("every promise names a test", () => {
    const rows = documentAt("docs/guarantees.md")
      .text.split("\n")
      .filter((line) => /^\| \S/u.test(line) && !/^\| (?:promise|-)/u.test(line));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => !/`(?:src|test|packages)\/[\w./-]+\.test\.ts`/u.test(row))).toEqual([]);
  });
});

function linksIn(text: string): readonly string[] {
  const outsideFences = text.replaceAll(/^(`{3,}).*\n[^]*?\n\1\s*$/gmu, "");
  return [...outsideFences.matchAll(/\]\(([^)\s]+)\)/gu)]
    .map((match) => match[1] ?? "")
    .filter((link) => !/^[a-z]+:/u.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? join(repository, from) : join(repository, dirname(from), path);
  if (relative(repository, target).startsWith("..") || !existsSync(target)) return false;
  return anchor === undefined || anchorsOf(readFileSync(target, "utf8")).includes(anchor);
}

function anchorsOf(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const match = /^#{1,6} (.*)$/u.exec(line);
    return match === null
      ? []
      : [
          (match[1] ?? "")
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
            .replaceAll(" ", "-"),
        ];
  });
}

const settled = documents.flatMap(({ path, examples }) =>
  path.startsWith("docs/formats/")
    ? []
    : examples
        .filter(({ info }) => /^json (settings|configuration)/u.test(info))
        .map((example) => ({ path, ...example })),
);

test.each(settled)("the $info in $path:$line can be parsed", async ({ info, text }) => {
  expect(await printedAgain({ info, text, line: 0 }, new Map())).toBe(text);
});

describe("README.md", () => {
  test("has a table of exactly the existing commands", () => {
    const cells = [...documentAt("README.md").text.matchAll(/^\| (`heartwood [^|]+)/gmu)].map(([, cell = ""]) => cell);
    const rows = cells.flatMap((cell) =>
      [...cell.matchAll(/`(?:heartwood )?([a-z -]+?)`/gu)].map(([, command = ""]) => command),
    );
    expect(rows.toSorted()).toEqual(
      [...operations, ...localCommands].map(({ command }) => command.join(" ")).toSorted(),
    );
  });

  test("shows the two commands for a checkout, whose scripts exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const [command, script] of [
      ["npm ci && npm run demo", "demo"],
      ["npm ci && npm test", "test"],
    ] as const) {
      expect(documentAt("README.md").text).toContain(`\n${command}\n`);
      expect(scripts[script]).toBeDefined();
    }
  });
});
