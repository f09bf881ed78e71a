// Writes docs/api.md, the library reference, from the interfaces in src/api/, the result types they refer to, and the inputs of the built operations.
// Usage: node tools/api-reference.mjs [--check]. With --check it writes nothing and fails if the page is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, "docs/api.md");

const api = ["open-api", "api/memory", "api/review", "api/threads", "api/wire", "base/operation"];
const wire = [
  "tree/setup/init",
  "tree/logs/log-add",
  "tree/logs/log-promote",
  "tree/logs/log-change",
  "tree/run/idle",
  "operations/status",
  "operations/inbox",
  "tree/inspect/tree-view",
  "tree/inspect/report",
  "tree/root-run/root",
  "tree/root-run/topics",
  "tree/inspect/trace-places",
  "tree/inspect/verify",
  "tree/versions/diff",
  "tree/versions/pr-comment",
  "operations/undo",
  "postgres/copy",
  "postgres/manage",
  "forget/forget",
  "forget/searched",
  "operations/doctor",
  "operations/fixed-cost",
  "operations/doctor-tree",
  "recall/read/read",
  "recall/run/pin",
  "tree/inspect/verify-node",
  "tree/plan/late-sources",
  "recall/search/inputs-and-results",
  "recall/context/print",
  "recall/context/remembered",
  "agents/capture/append",
  "agents/capture/session",
  "agents/capture/run",
  "agents/sessions/list",
  "agents/sessions/trace-forward",
  "threads/run/results",
  "threads/model/context-renderings",
  "threads/plan/thread-state",
  "threads/plan/judge-frame",
  "threads/store/thread-store",
  "audit/run/audit-result",
  "audit/run/undo",
  "audit/run/history",
  "audit/run/history-format",
  "summaries/run/inputs-and-results",
  "audit/model/analyse",
  "audit/checks/memory-checks",
  "audit/checks/file-checks",
  "audit/checks/redundant-sections",
  "audit/model/finding",
  "audit/model/report",
  "base/errors",
  "base/memory-type",
  "recall/index/search-index",
  "agents/transcripts/transcripts",
  "tree/answers/ledger",
  "tree/answers/record",
  "threads/model/job-frames",
];
const groups = [
  ["Memory", "memory"],
  ["Log", "memory.log"],
  ["Topics", "memory.topics"],
  ["Inbox", "memory.inbox"],
  ["Pins", "memory.pins"],
  ["Tree", "memory.tree"],
  ["Threads", "memory.threads"],
  ["Audit", "memory.audit"],
  ["Summaries", "memory.summaries"],
  ["Store", "memory.store"],
];

const { operations } = await import(join(root, "dist/operations.js"));
/** The names of operations by the names of their inputs. */
const operationOf = new Map(
  ["table", "tree", "changes", "review", "threads"].flatMap((file) =>
    [...sourceOf(`operations/${file}`).matchAll(/name: "([\w.]+)",(?:(?!name: ")[^])*?input: (?:i\.)?(\w+),/gu)].map(
      ([, name, input]) => [input, name],
    ),
  ),
);
const wireTypes = typesIn(wire);
const apiTypes = typesIn(api);
const wireNames = new Set([
  ...[...wireTypes.values()].flatMap(({ text }) => [...text.matchAll(/readonly (\w+)\??:/gu)].map(([, name]) => name)),
  "if_due",
  "max_tokens",
  "max_chars",
]);

const printed = printPage();
if (!process.argv.includes("--check")) writeFileSync(page, printed);
else if (readFileSync(page, "utf8") !== printed) {
  console.error("docs/api.md is not up to date: run node tools/api-reference.mjs");
  process.exitCode = 1;
}

function printPage() {
  const opening = /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport async function openMemory/u.exec(sourceOf("open-api"));
  const lines = [
    "# API",
    "",
    "<!-- Written by tools/api-reference.mjs from src/api/. -->",
    "",
    "## openMemory",
    "",
    ...fenced("function openMemory(options?: OpenOptions): Promise<Memory>;"),
    proseOf(opening[1]),
    "",
  ];
  const shown = ["OpenOptions"];
  for (const [type, name] of groups) {
    const { doc, text } = apiTypes.get(type);
    lines.push(`## ${name}`, "", proseOf(doc), "");
    for (const [, said, method, signature] of text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}((\w+)[<(][^;]+;)/gu)) {
      lines.push(`### ${name}.${signature}`, "", ...fenced(outdent(method)), proseOf(said), "");
      shown.push(...namesIn(method));
    }
  }
  lines.push("## Types", "");
  for (const type of reachedFrom(shown)) lines.push(`### ${type}`, "", ...fenced(printType(type)));
  return `${lines.join("\n").trimEnd()}\n`;
}

/** The names of types reachable from these names, sorted. */
function reachedFrom(names) {
  const reached = new Set();
  const visit = (name) => {
    const isType = apiTypes.has(name) || wireTypes.has(name);
    if (!isType || reached.has(name) || groups.some(([type]) => type === name)) return;
    reached.add(name);
    for (const inner of namesIn(printType(name))) visit(inner);
  };
  for (const name of [...names, "MemoryError", "ErrorCode"]) visit(name);
  return [...reached].toSorted();
}

function namesIn(code) {
  return code.replaceAll(/\/\*\*[^]*?\*\//gu, "").match(/\b[A-Z]\w+/gu) ?? [];
}

/** A type as users of the API see it: results have camelCase names and include inherited fields. */
function printType(name) {
  const own = apiTypes.get(name);
  if (own === undefined) return camelText(commented(wireTypes.get(name)));
  if (own.text.includes("OptionsOf<")) return optionsText(own);
  const from = /extends (?:Omit<)?Camel<\w+\.(\w+)>(?:, "(\w+)">)? \{([^]*)\}$/u.exec(own.text);
  if (from === null) return commented(own);
  const [, source, omitted, added] = from;
  const fields = camelText(wireTypes.get(source).text);
  const kept = omitted === undefined ? fields : fields.replace(memberNamed(omitted), "");
  const head = own.text.slice(0, own.text.search(/ extends (?:Omit|Camel)</u));
  const body = kept
    .replace(/^export interface \w+/u, () => head)
    .replace(/\}$/u, () => `${added.replace(/^\n/u, "")}}`);
  return commented({ doc: own.doc, text: body });
}

/** An options type that is the input of an operation, with the help text of each field. */
function optionsText({ doc, text }) {
  const [, input, without = "", added] = /OptionsOf<(?:Input\.)?(\w+)(?:, ([^>]*))?> \{([^]*)\}$/u.exec(text);
  const left = new Set(without.replace("Named", '"thread_id" | "actor_id" | "origin"').match(/\w+/gu));
  const name = operationOf.get(input[0].toLowerCase() + input.slice(1));
  const fields = operations
    .find((one) => one.name === name)
    .fields.filter((field) => !left.has(field.name))
    .flatMap(({ name: of, kind, presence, summary, meaning = summary }) => [
      `  /** ${sentenceOf(meaning)}${limitsOf(kind, meaning)} */`,
      `  readonly ${camelName(of)}${presence === "required" ? "" : "?"}: ${typeOf(kind)};`,
    ]);
  const head = text.slice(0, text.indexOf(" {\n") < 0 ? text.indexOf(" {}") : text.indexOf(" {\n"));
  const above = head.replace(/(?:,| extends)\s+OptionsOf<[^>]*>$/u, "").replaceAll(/\s+/gu, " ");
  return commented({ doc, text: `${above} {\n${fields.join("\n")}${added.trimEnd()}\n}` });
}

/** A help text as a sentence, with option names instead of command-line flags. */
function sentenceOf(said) {
  const named = said.replaceAll(/--([a-z-]+)/gu, (_, option) => `\`${camelName(option.replaceAll("-", "_"))}\``);
  return `${named[0].toUpperCase()}${named.slice(1)}.`;
}

/** Limits and defaults that the help text does not mention. */
function limitsOf({ kind, min, max, given }, said) {
  if (kind === "flag") return given === "off" || said.includes("default") ? "" : " Default `false`.";
  return kind !== "integer" || max === Number.MAX_SAFE_INTEGER || said.includes(max) ? "" : ` From ${min} to ${max}.`;
}

function typeOf(kind) {
  if (kind.kind === "choice") return kind.values.map((value) => JSON.stringify(value)).join(" | ");
  return { text: "string", integer: "number", flag: "boolean" }[kind.kind];
}

function memberNamed(name) {
  return new RegExp(`(?: {2}/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)? {2}readonly ${name}\\??:[^;]*;\\n`, "u");
}

function commented({ doc, text }) {
  return `${doc === "" ? "" : `/**${doc}*/\n`}${text.replace(/^export /u, "").replaceAll(/\bWire\./gu, "")}`;
}

/** Converts names of fields to camelCase, in code and in comments. */
function camelText(code) {
  return code
    .replaceAll(/readonly (\w+)(\??:)/gu, (_, name, end) => `readonly ${camelName(name)}${end}`)
    .replaceAll(/(?:Pick|Omit)<[^>]*>/gu, (names) => names.replaceAll(/"(\w+)"/gu, (_, name) => `"${camelName(name)}"`))
    .replaceAll(/`(\w+)`/gu, (whole, name) => (wireNames.has(name) ? `\`${camelName(name)}\`` : whole));
}

function camelName(name) {
  return name === "actor_id" ? "actor" : name.replaceAll(/_(.)/gu, (_, letter) => letter.toUpperCase());
}

/** The interfaces and types of these files by name. The first one with a name counts. */
function typesIn(files) {
  const found = new Map();
  const exported =
    /(?:^\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^((?:export )?(?:interface (\w+)[^]*?(?:^\}|\{\}$)|type (\w+)(?:<[^=]*>)? =[^]*?;$(?!\n {2})))/gmu;
  for (const file of files)
    for (const [, doc = "", text, face, alias] of sourceOf(file).matchAll(exported))
      if (!found.has(face ?? alias)) found.set(face ?? alias, { doc, text });
  return found;
}

function sourceOf(file) {
  return readFileSync(join(root, "src", `${file}.ts`), "utf8");
}

/** The text of a comment, with the operation and the errors on separate lines. */
function proseOf(comment) {
  const said = comment.replaceAll(/\n\s*\* ?/gu, " ").trim();
  return said
    .replace(/ ?(Operation: )/u, "\n\n$1")
    .replace(/ (Errors: )/u, "  \n$1")
    .trim();
}

function outdent(code) {
  return code.replaceAll(/\n {2}/gu, "\n");
}

function fenced(code) {
  return ["```ts", code, "```", ""];
}
