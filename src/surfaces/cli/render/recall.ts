import { standingOf } from "../../../base/memory-type.ts";
import type { ReadResult } from "../../../recall/read/read.ts";
import { printRecall } from "../../../recall/context/print.ts";
import {
  logsTold,
  type SearchHit,
  type SearchResult,
  type UnderstoodQuery,
  type RankedSessions,
  type RecallResult,
  type IndexResult,
} from "../../../recall/search/inputs-and-results.ts";
import type { EmbeddedCount } from "../../../recall/memory.ts";
import { counted, durationText, grouped, wrapTo, type Paint, type Screen } from "./layout.ts";

export function renderSearch(result: SearchResult, screen: Screen): string {
  const days = daysText(result.understood);
  const head = days === "" ? [] : [screen.paint.dim(days), ""];
  if (result.hits.length === 0) return [...head, ...nothingText(result, screen)].join("\n");
  const blocks = result.hits.flatMap((hit) => [...blockOf(hit, screen), ""]);
  return [...head, ...blocks, footOf(result, screen.paint)].join("\n");
}

/** How dates in the query were understood, and how to search for them as text. */
function daysText({ days_from: from, ...bounds }: UnderstoodQuery): string {
  if (from === null) return "";
  return `Days: ${boundsText(bounds)}, from “${from}”; quote it to search for it as text.`;
}

function boundsText({ since, until }: Pick<UnderstoodQuery, "since" | "until">): string {
  if (since === null) return `until ${until ?? ""}`;
  if (until === null) return `since ${since}`;
  return since === until ? since : `${since} to ${until}`;
}

function blockOf(hit: SearchHit, { columns, paint }: Screen): readonly string[] {
  const { source, date, age_days: age, type, origin, heading, snippet, score, warning, recall, why } = hit;
  const when = date === null ? [] : [age === null ? date : `${date}, ${ageText(age)}`];
  const tag = standingOf(type, origin ?? undefined).tag ?? type;
  const pin = recall === undefined ? [] : [recall === "first" ? "pinned" : "never recalled"];
  const about = [...when, tag, ...pin, ...(heading === "" ? [] : [heading])].join(" · ");
  const lines = wrapTo(snippet, Math.max(20, columns - 2));
  const parts = why?.map((part) => `${part.part} ${part.score.toFixed(2)}`).join(" + ");
  const explained = why === undefined ? [] : [paint.dim(`  score ${score.toFixed(2)} = ${parts === "" ? "0" : parts}`)];
  const until = warning === undefined ? [] : wrapTo(warning.says, Math.max(20, columns - 2));
  const marked = until.map((line) => paint.dim(`  ${line}`));
  return [`${paint.title(source)}  ${paint.dim(about)}`, ...withHits(lines, paint), ...marked, ...explained];
}

/** A match that spans two lines is highlighted in both. */
function withHits(lines: readonly string[], paint: Paint): readonly string[] {
  let isOpen = false;
  return lines.map((line) => {
    const painted = line.split(/([«»])/u).map((part) => {
      if (part === "«" || part === "»") {
        isOpen = part === "«";
        return "";
      }
      return isOpen && part !== "" ? paint.hit(part) : part;
    });
    return `  ${painted.join("")}`;
  });
}

/** `today`, `3 days ago`, `5 weeks ago`, `in 2 days`. */
function ageText(days: number): string {
  if (days === 0) return "today";
  const [count, unit] = unitsOf(Math.abs(days));
  if (days < 0) return `in ${counted(count, unit)}`;
  return days === 1 ? "yesterday" : `${counted(count, unit)} ago`;
}

function unitsOf(days: number): readonly [number, string] {
  if (days < 14) return [days, "day"];
  if (days < 61) return [Math.floor(days / 7), "week"];
  return days < 730 ? [Math.floor(days / 30.44), "month"] : [Math.floor(days / 365.25), "year"];
}

function footOf({ hits, more, took_ms: took, not_indexed: missing }: SearchResult, paint: Paint): string {
  const all = more ? `The best ${counted(hits.length, "hit")} (more with --limit)` : counted(hits.length, "hit");
  return paint.dim(`${all}, ${durationText(took)}${missing === 0 ? "" : `; ${missingText(missing)}`}`);
}

function missingText(missing: number): string {
  const are = missing === 1 ? "is" : "are";
  return `${counted(missing, "source")} ${are} not in the index yet (heartwood index)`;
}

function nothingText(result: SearchResult, { input }: Screen): readonly string[] {
  const { query, understood, not_indexed: missing } = result;
  const filters = ["in", "level", "type"].flatMap((name) =>
    input[name] === undefined ? [] : [`--${name} ${String(input[name])}`],
  );
  const hasBounds = understood.since !== null || understood.until !== null;
  const where = [...(hasBounds ? [boundsText(understood)] : []), ...filters].join(", ");
  const help = [
    ...(understood.phrases.length > 0 ? ["words without quotes"] : []),
    ...(understood.must.length + understood.must_not.length > 0 ? ["fewer + and -"] : []),
    ...(understood.words.length > 0 ? ["a prefix, such as config*"] : []),
    ...(hasBounds ? ["other days"] : []),
    ...(filters.length > 0 ? [`without ${filters.join(" ")}`] : []),
  ];
  return [
    `Nothing found for ${query}${where === "" ? "" : ` (${where})`}.`,
    ...(help.length === 0 ? [] : [`Try: ${help.join("; ")}.`]),
    ...(missing === 0 ? [] : [`The search was incomplete: ${missingText(missing)}.`]),
  ];
}

/** The text for a prompt; with `--explain`, also how each passage was found. With `--sessions`, a list for people. */
export function renderRecall(result: RecallResult | RankedSessions, screen: Screen): string {
  if ("sessions" in result) return renderSessions(result, screen);
  const { input, paint } = screen;
  const printed = [printRecall(result), ...notEmbeddedText(result)].join("\n");
  if (input["explain"] !== true) return printed;
  const steps = result.steps.map(({ step, took_ms, candidates, kept, notes }) => {
    const found = notes.length === 0 ? "" : `: ${notes.join(", ")}`;
    return `${step} (${took_ms} ms): ${candidates} candidates, ${kept} passages${found}`;
  });
  const why = result.context.map(({ source, score, why: parts = [] }, at) => {
    return `${at + 1}. ${source} ${score} = ${parts.map(({ part, score: own }) => `${part} ${own}`).join(", ")}`;
  });
  const sum = `${result.tokens} tokens of passages, ${result.tokens_printed} printed`;
  return [printed, "", paint.title("Why"), ...steps, ...why, sum].join("\n");
}

function renderSessions({ query, sessions, not_indexed: missing }: RankedSessions, { columns, paint }: Screen): string {
  const width = Math.max(20, columns - 2);
  const blocks = sessions.flatMap(({ source, date, age_days: age, heading, passages }) => {
    const about = [...(date === null ? [] : [`${date}, ${ageText(age ?? 0)}`]), ...(heading === "" ? [] : [heading])];
    const said = passages.flatMap(({ text }) => wrapTo(text, width).map((line) => `  ${line}`));
    return [`${paint.title(source)}  ${paint.dim(about.join(" · "))}`, ...said, ""];
  });
  const count = sessions.length === 0 ? `No session found for ${query}` : counted(sessions.length, "session");
  return [...blocks, paint.dim(`${count}${missing === 0 ? "" : `; ${missingText(missing)}`}`)].join("\n");
}

function notEmbeddedText({ embeddable = 0, not_embedded = 0 }: Partial<EmbeddedCount>): readonly string[] {
  if (not_embedded === 0) return [];
  const [missing, all] = [not_embedded, embeddable].map(grouped);
  const are = not_embedded === 1 ? "is" : "are";
  return [
    `${missing} of ${all} statements ${are} not yet found by meaning; \`heartwood index --embed\` does the rest.`,
  ];
}

/** The lines, followed by the paths of the day's logs and the command to continue, if there is more. */
export function renderRead(result: ReadResult, { paint }: Screen): string {
  const { text, next } = result;
  const below = [logsTold(result), next === null ? "" : `… heartwood read ${next}`].filter((line) => line !== "");
  return [text, ...below.map((line) => paint.dim(line))].join("\n");
}

export function renderIndex(result: IndexResult, _screen: Screen): string {
  const { indexed, unchanged, removed, not_indexed, sources, chunks, statements, bytes, took_ms } = result;
  const done = [
    `${indexed} indexed`,
    `${unchanged} unchanged`,
    ...(removed === 0 ? [] : [`${removed} removed`]),
    ...(not_indexed === 0 ? [] : [`${not_indexed} not indexed`]),
  ];
  return [
    `${counted(sources, "source")}: ${done.join(", ")}`,
    ...(result.embedded === undefined ? [] : [`${counted(result.embedded, "vector")} made`]),
    ...notEmbeddedText(result),
    `${counted(chunks, "chunk")} and ${counted(statements, "statement")}, ${(bytes / 1_000_000).toFixed(1)} MB, in ${took_ms} ms`,
    "",
  ].join("\n");
}
