import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { operations } from "../../src/operations/table.ts";
import { localCommands } from "../../src/operations/local-commands.ts";
import { expectGolden, expectSplit, pretty, splitValue } from "./golden.ts";
import { openScene, sceneFiles, writtenIn, type Ran, type Scene } from "./scene.ts";

/** Every command of the command line in one script, with `--json` and for people, over the same memory. */
const transcripts = join(import.meta.dirname, "../fixtures/transcripts");
const files = {
  ...sceneFiles,
  "imports/chatgpt.json": readFileSync(join(transcripts, "chatgpt.json")),
  "imports/codex.jsonl": readFileSync(join(transcripts, "codex.jsonl")),
};

const frame = (type: string, seq: number, payload: object): string =>
  `${JSON.stringify({ id: `00000000-0000-7000-8000-00000000000${seq}`, thread_id: "imported", seq, timestamp_ms: 1_775_000_000_000 + seq, type, ...payload })}\n`;
const imported =
  frame("continuity_created", 0, { workspace: "w", title: "Imported" }) +
  frame("continuity_message_appended", 1, { actor_id: "user", origin: "chat", content: "Ship on Friday" });
const batch = Array.from({ length: 40 }, (_, at) =>
  JSON.stringify({
    content: `message ${at + 1}: the limiter takes ${at + 1} requests. Decision: token bucket ${at}. ${"It refuses the rest with 429. ".repeat(12)}`,
    actor_id: at % 2 === 0 ? "user" : "assistant",
    timestamp_ms: 1_775_000_000_000 + at,
  }),
).join("\n");
const by = "--actor user --origin cli";

/** A line, and its standard input. `{job}` and `{audit}` stand for what earlier results named. */
const script: readonly (readonly [line: string, stdin?: string])[] = [
  ["status"],
  ["init"],
  ["init --platform openclaw"],
  [
    'log add --topic "Payment flow" --body "- decisions: token bucket, bursts must pass" --id 01KJXRTDYRW5MYX3V4AKRQGKP1',
  ],
  [
    'log add --topic "Payment flow" --body "- decisions: token bucket, bursts must pass" --id 01KJXRTDYRW5MYX3V4AKRQGKP1',
  ],
  [
    'log add --topic "Short answers" --type feedback --rule "three sentences" --why "reads on a phone" --how-to-apply chat',
  ],
  ["log add --topic Key --type reference", "- token: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"],
  ['log add --topic Earlier --date 2026-03-05 --origin user --body "- note: written later"'],
  ["log promote memory/2026-03-05.md:99"],
  ["compact --dry-run"],
  ["compact --if-due"],
  ["compact --cycles 2"],
  ["compact"],
  ["compact"],
  ["compact --if-due"],
  ["index"],
  ["index"],
  ["status"],
  ["tree"],
  ["show 2026-03-05"],
  ["show 2026-W11"],
  ["show 2026-03"],
  ["show ROOT"],
  ["show --as-of 2026-03-10"],
  ["root"],
  ["root --max-tokens 500"],
  ["root --max-chars 1200"],
  ["root --dropped"],
  ["trace ROOT:12"],
  ['trace "Rate limiting"'],
  ["trace --forward memory/2026-03-05.md:1-8"],
  ["diff 2026-03-08 2026-03-12"],
  ["verify"],
  ["doctor"],
  ["doctor --fix"],
  ["search limiter"],
  ['search "\\"token bucket\\" -importer" --limit 3'],
  ["search +limit* --level raw --since 2026-03-10 --until 2026-03-20 --type project"],
  ["search nothingofthesort"],
  ['recall "Which limiter did we take for payments?"'],
  ['recall "Which limiter did we take for payments?" --explain --budget 600'],
  ["recall --budget 300", "What happened on March 19?"],
  [
    "recall --batch --budget 400",
    '{"question_id":"a","question":"Which limiter?"}\n{"question_id":"b","question":"인증"}\n',
  ],
  ["pin add memory/2026-03-05.md:8"],
  ["pin never memory/2026-03-10.md:37"],
  ["pin list"],
  ['recall --budget 300 "Which limiter did we take for payments?"'],
  ["pin remove memory/2026-03-01.md:1"],
  ["pin remove memory/2026-03-05.md:1-40"],
  ["read memory/2026-03-05.md:1-8"],
  ["read 2026-03-05"],
  ["read memory/2026-03-11.md"],
  ["read ROOT"],
  ["audit"],
  ["audit --fail-on low --max-memory-kb 1"],
  ["audit --apply"],
  ["audit history"],
  ["audit undo"],
  ["audit --apply --aggressive --max-memory-kb 1"],
  ["audit history"],
  ["audit undo {audit}"],
  ["compact --reopen 2026-03-05"],
  ["undo"],
  ["undo"],
  ['log edit memory/2026-03-05.md:99 --topic "Earlier"'],
  ["log remove memory/2026-03-05.md:99"],
  ['topic rename "Nothing" "Something"'],
  ['topic merge "Nothing" "Something"'],
  ["log undo"],
  ["topic list"],
  ['topic show "Rate limiting"'],
  ["inbox"],
  ["inbox dismiss 0123456789abcdef"],
  ["report --html report.html"],
  ['forget "token bucket" --dry-run'],
  ['forget "token bucket"'],
  ["forget"],
  ["verify --forgotten"],
  ["summaries pending"],
  ["summaries pending --open --kind daily --limit 2"],
  ["summaries pending --open"],
  ["summaries pending --open --job {job}"],
  ["summaries submit {job} --file - --by golden", "## Active Context\n- Rate limiting: 99 rockets went to Mars\n"],
  ["summaries submit {job} --file - --by golden", "## Active Context\n- Right-to-left invoices: Arabic sample\n"],
  ["summaries ledger"],
  ["summaries drop {job}"],
  ["summaries run --dry-run"],
  ["summaries run"],
  ['thread create --id release-4 --title "Release 4" --workspace /srv/app'],
  ["thread create"],
  [`thread append release-4 ${by} --content first`],
  [`thread append release-4 ${by} --batch`, batch],
  [`thread append release-4 ${by} --content "second" --expected-seq 41`],
  ["thread list"],
  ["thread get release-4"],
  ["thread events release-4 --from-seq 40"],
  ["thread cut-points release-4 --stride-messages 8 --limit 32"],
  [`thread compact release-4 --stride-messages 8 --max-new-checkpoints 2 --dry-run ${by}`],
  [`thread compact release-4 --stride-messages 8 --max-new-checkpoints 2 ${by}`],
  [`thread schedule release-4 --stride-messages 8 --no-execute ${by}`],
  ["thread run-pending"],
  [`thread schedule --all --stride-messages 8 ${by}`],
  [`thread checkpoint release-4 --to-seq 5 --summary-file - ${by}`, "- so far: ship on Friday\n"],
  ["thread status release-4 --stride-messages 8"],
  ["thread compile release-4 --budget 900"],
  [`thread compile release-4 --budget 900 --build --record ${by}`],
  ["thread compile release-4 --budget 900 --render openai"],
  ["thread compile release-4 --budget 900 --strategy recent_messages_v1 --render anthropic"],
  ["thread import -", imported],
  ["thread import -", imported],
  [`thread branch release-4 ${by}`],
  [`thread handoff release-4 --title Next ${by}`],
  ["thread export release-4"],
  ["thread verify"],
  ["store status"],
  ["import chatgpt {dir}/imports/chatgpt.json --dry-run"],
  ["import chatgpt {dir}/imports/chatgpt.json"],
  ["capture codex {dir}/imports/codex.jsonl --ended session"],
  ["capture codex {dir}/imports/codex.jsonl"],
  ["sessions"],
  ["replay 5f0c3a52"],
  ["thread list"],
  ["compact"],
  ["status"],
  ["demo"],
  ["install claude-code codex --dry-run"],
  ["install claude-code codex gemini copilot cursor windsurf opencode openclaw --yes"],
  ["install claude-code --yes"],
  ["uninstall claude-code --dry-run"],
  ["uninstall claude-code codex gemini copilot cursor windsurf opencode openclaw --yes"],
  ["git resolve"],
  ["git setup"],
  ["trust --list"],
  ["trust"],
  ["trust --remove"],
];

/** Lines that are refused. */
const refused: readonly string[] = [
  "git merge-driver base ours theirs notes.md",
  "store migrate",
  "store copy --to postgres",
  "",
  "statsu",
  "thread",
  "thread creat",
  "compact --cycles x",
  "compact --cycles 0",
  "compact --nope",
  "compact --reopen yesterday",
  "compact --accept yesterday",
  "show --as-of 2026-02-30",
  "trace --forward memory/2026-01-01.md:3",
  "diff nowhere",
  "diff 2026-02-30",
  "forget x",
  "forget x --day 2026-03-05",
  "forget --day 2026-02-30",
  "forget --day 2026-03-05 --lines 9-4",
  "forget --day 2026-03-05 --lines 9000 --yes",
  "forget --day 2001-03-05 --yes",
  "log remove memory/2026-03-05.md:1-1",
  "forget --entry nothing",
  "forget --topic Nothing",
  "log edit nothing --body x",
  'topic rename "Rate limiting" ""',
  'topic show "Rate limitting"',
  "pin add MEMORY.md:3",
  "pin never memory/2026-03-05.md:900",
  "pr-comment --x",
  "show 2026-02-30",
  "show 2026-01-01",
  "show 2026-W11 more",
  "root --max-tokens 5",
  "trace nothingofthesort",
  "trace ROOT:9999",
  "read memory/none.md:1-2",
  "read /etc/passwd",
  "read memory/2026-03-05.md:900-901",
  "search",
  "search --limit 5000 x",
  "search x --type odd",
  "search -x",
  "recall --budget 5 x",
  "log add --body x",
  "log add --topic x",
  "log add --topic x --type feedback --body y",
  "log add --topic x --type user --origin tool --body y",
  "log add --topic x --date 2026-02-30 --body y",
  "audit undo never",
  "summaries submit nothing --file -",
  "summaries drop nothing",
  "summaries ledger --since x",
  "thread get nobody",
  "thread append nobody --actor user --origin cli --content x",
  "thread append t --content x",
  "thread compile nobody",
  "thread compile t --strategy odd",
  "thread import none.jsonl",
  "capture odd",
  "capture cursor x",
  "import chatgpt {dir}/none.json",
  "install odd",
  "uninstall claude-code",
  "completion tcsh",
  "mcp --json",
  "serve --json",
  "hook claude-code SessionStart extra",
  "status --today 2026-13-01",
  "status --time-zone Mars",
  "audit --markdown -",
];

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/gu)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('\\"', '"'),
  );
}

interface Played {
  readonly line: string;
  readonly ran: Ran;
}

/** Values that depend on the machine. */
function withoutMachine(value: unknown, line: string): unknown {
  if (Array.isArray(value)) return value.map((part) => withoutMachine(part, line));
  if (typeof value !== "object" || value === null) return value;
  const isIndexBytes = (key: string): boolean => key === "bytes" && line.startsWith("index");
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "took_ms" || key === "duration_ms" || isIndexBytes(key) ? 0 : withoutMachine(part, line),
    ]),
  );
}

const played: Played[] = [];
const shown: Played[] = [];
let filesAtTheEnd = "";
const faults: Played[] = [];

async function play(scene: Scene, line: string, more: readonly string[], stdin: string): Promise<Played> {
  const words = wordsOf(line.replaceAll("{dir}", scene.memory.dir));
  return { line, ran: await scene.run([...words, ...more], { stdin }) };
}

beforeAll(async () => {
  const [first, second] = [openScene(files), openScene(files)];
  const known: Record<string, string> = {};
  for (const [template, stdin = ""] of script) {
    const line = template.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => known[name] ?? `{${name}}`);
    const one = await play(first, line, ["--json"], stdin);
    played.push(one);
    const document = parsed(one.ran.out) as { jobs?: { job_id?: string }[]; id?: string | null } | undefined;
    if (line.startsWith("summaries pending")) known["job"] ??= document?.jobs?.[0]?.job_id ?? "";
    if (line.startsWith("audit --apply")) known["audit"] = document?.id ?? "";
    shown.push(await play(second, line, [], stdin));
  }
  filesAtTheEnd = writtenIn(first);
  for (const line of refused) faults.push(await play(second, line, ["--json"], ""), await play(second, line, [], ""));
});

function parsed(out: string): unknown {
  try {
    return JSON.parse(out);
  } catch {
    return undefined;
  }
}

function ended(text: string): string {
  return text === "" ? "" : `${text.trimEnd()}\n`;
}

function sectionOf({ line, ran }: Played): { readonly structure: string; readonly prose: string } {
  const head = `\n## heartwood ${line} → ${ran.status}\n`;
  const document = parsed(ran.out);
  // A stream of JSON lines.
  if (document === undefined) return { structure: head + ran.out, prose: ran.err === "" ? "" : head + ended(ran.err) };
  expect(ran.out, `${line} prints one line of JSON`).toBe(`${JSON.stringify(document)}\n`);
  const { value, prose } = splitValue(withoutMachine(document, line));
  const told = ended(prose) + ended(ran.err);
  return { structure: `${head}${pretty(value)}\n`, prose: told === "" ? "" : head + told };
}

test("what each command prints with --json", async () => {
  const sections = played.map(sectionOf);
  await expectSplit("cli-json", {
    structure: sections.map(({ structure }) => structure).join(""),
    prose: sections.map(({ prose }) => prose).join(""),
  });
});

test("what each command prints for people", async () => {
  const measured = /^(?:Compacted for|Nothing|[\d,]+ chunks and) .*/gmu;
  const withoutFigures = (text: string): string =>
    text.replaceAll(measured, (line) => line.replaceAll(/\b[\d.,]+ (?:ms|s|kB|MB)\b/gu, "N units"));
  const sections = shown.map(({ line, ran: { status, out, err } }) => {
    return `\n## heartwood ${line} → ${status}\n${withoutFigures(out)}${err === "" ? "" : `-- standard error\n${err}`}`;
  });
  await expectGolden("cli-text.prose.txt", sections.join(""));
});

test("the files after all commands", async () => {
  await expectGolden("cli-files.txt", filesAtTheEnd);
});

test("both forms of a command end with the same status", () => {
  expect(shown.map(({ line, ran }) => [line, ran.status])).toEqual(played.map(({ line, ran }) => [line, ran.status]));
});

test("what is refused", async () => {
  const documents = faults.filter((_, at) => at % 2 === 0).map(sectionOf);
  const texts = faults.filter((_, at) => at % 2 === 1);
  await expectSplit("cli-refused", {
    structure: documents.map(({ structure }) => structure).join(""),
    prose: texts
      .map(({ line, ran }) => `\n## heartwood ${line} → ${ran.status}\n${ran.out}-- standard error\n${ran.err}`)
      .join(""),
  });
});

test("no command is missing in the scripts", () => {
  const lines = [...script.map(([line]) => line), ...refused].map((line) => `${line} `);
  const missing = [...operations, ...localCommands]
    .map(({ command }) => command.join(" "))
    .filter((name) => !lines.some((line) => line.startsWith(`${name} `)));
  expect(missing).toEqual([]);
});

test("the help of each command", async () => {
  const scene = openScene({});
  const names = [...operations, ...localCommands].map(({ command }) => command.join(" "));
  const sections: string[] = [];
  for (const name of ["", "thread", "summaries", ...names]) {
    const { status, out, err } = await scene.run(["help", ...name.split(" ").filter((word) => word !== "")]);
    expect([status, err], name).toEqual([0, ""]);
    sections.push(`\n## heartwood help ${name}\n${out}`);
  }
  await expectGolden("cli-help.prose.txt", sections.join(""));
  await expectGolden("cli-commands.txt", names.join("\n"));
});

test("the completion script of each shell", async () => {
  const scene = openScene({});
  for (const shell of ["bash", "zsh", "fish"]) {
    const { status, out } = await scene.run(["completion", shell]);
    expect(status).toBe(0);
    await expectGolden(`completion-${shell}.prose.txt`, out);
  }
});
