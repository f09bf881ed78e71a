import type { DismissResult, InboxItem, InboxResult } from "../../../operations/inbox.ts";
import type { PinListResult, PinResult, PinRow, UnpinResult } from "../../../recall/run/pin.ts";
import type { ReportResult } from "../../../tree/inspect/report.ts";
import type { LineRange } from "../../../tree/root-run/root.ts";
import type {
  PlacedStatement,
  ReplacedStatement,
  TopicListResult,
  TopicRow,
  TopicShowResult,
} from "../../../tree/root-run/topics.ts";
import { aligned, bytesText, counted, firstOf, paragraphs, placeOf, type Screen } from "./layout.ts";

/** More rows would push the headline off the screen; `--json` lists all. */
const ROWS = 40;
const PLACES = 3;

export function renderTopics({ topics }: TopicListResult, { paint }: Screen): string {
  if (topics.length === 0) return "No topics yet.";
  const rows = topics.map((row) => [
    row.in_root ? "*" : " ",
    `${row.topic} ${tagOf(row)}`,
    row.first_day === row.last_day ? row.last_day : `${row.first_day} – ${row.last_day}`,
    paint.dim(`${counted(row.days.length, "day")}, ${counted(row.entries, "entry", "entries")}`),
  ]);
  const inRoot = topics.filter((row) => row.in_root).length;
  const head = `${counted(topics.length, "topic")}, ${inRoot} in ROOT.md (*)`;
  return [paint.title(head), ...firstOf(aligned(rows), ROWS, "--json lists all")].join("\n");
}

function tagOf({ tag, type, progress }: TopicRow): string {
  return `[${tag ?? type}${progress === "done" ? ", done" : ""}]`;
}

export function renderTopic(result: TopicShowResult, { paint }: Screen): string {
  const { topic, first_day, last_day, days, entries, age_days, statements, ended, places, pointer } = result;
  const span = first_day === last_day ? last_day : `${first_day} – ${last_day}`;
  const facts = `${span}, ${counted(days.length, "day")}, ${counted(entries, "entry", "entries")}, ${age_days}d old`;
  const held = statements.flatMap((one) => [
    `  ${one.text} ${paint.dim(placeText(one))}`,
    ...one.replaced.map((was) => `    ${replacedText(was, paint)}`),
  ]);
  const over = ended.flatMap(({ by, ...was }) => [
    `  ${replacedText(was, paint)}`,
    `    by: ${by.text} ${paint.dim(placeText(by))}`,
  ]);
  return paragraphs([
    [
      `${paint.title(`${topic} ${tagOf(result)}`)} ${paint.dim(facts)}`,
      ...(pointer === null ? [] : [`  → ${pointer}`]),
    ],
    statements.length === 0 ? ["Nothing is said about it in words."] : held,
    over.length === 0 ? [] : [paint.title("No longer"), ...over],
    [
      paint.title("Entries"),
      ...firstOf(
        places.map((one) => `  ${rangeText(one)}`),
        ROWS,
        "--json lists all",
      ),
    ],
  ]);
}

function replacedText(was: ReplacedStatement, paint: Screen["paint"]): string {
  return `until ${was.until}: ${was.text} ${paint.dim(placeText(was))}`;
}

function placeText({ places }: PlacedStatement): string {
  const more = places.length - PLACES;
  return `(${places.slice(0, PLACES).map(rangeText).join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

function rangeText({ path, lines }: LineRange): string {
  return lines[0] === 0 ? path : placeOf(path, lines);
}

/** As many items as fit on a few screens; `--json` lists all. */
const ITEMS = 20;

export function renderInbox({ items, counts, left_out, dismissed }: InboxResult, { paint }: Screen): string {
  const hidden = dismissed === 0 ? "" : ` (${dismissed} dismissed)`;
  if (items.length === 0) return `Nothing needs you${hidden}.`;
  const kinds = [
    [counts.conflict_markers, "with conflict markers"],
    [counts.contradiction, "replaced"],
    [counts.spoken_rule, "said by the user"],
    [counts.stale_reference, "referring to nothing"],
  ] as const;
  const told = kinds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const more = items.length + left_out - ITEMS;
  return paragraphs([
    [paint.title(`${counted(items.length + left_out, "item")}: ${told.join(", ")}${hidden}`)],
    ...items.slice(0, ITEMS).map((item) => itemLines(item, paint)),
    more > 0 ? [`… and ${more} more (--json lists them)`] : [],
  ]);
}

function itemLines({ id, message, quotes, actions }: InboxItem, paint: Screen["paint"]): readonly string[] {
  const told = quotes.map(({ text, day, places }) => {
    const where = places.slice(0, PLACES).join(", ");
    return `  ${day === null ? "" : `${day}: `}${text === "" ? "" : `${text} `}${paint.dim(`(${where})`)}`;
  });
  return [`${paint.title(id)} ${message}`, ...told, paint.dim(`  → ${actions.map(({ label }) => label).join("; ")}`)];
}

export function renderDismiss({ action, message }: DismissResult): string {
  return `${action === "dismissed" ? "Dismissed" : "Already dismissed"}: ${message}`;
}

/** What was written, or the page itself. */
export function renderReport({ file, text, bytes, nodes, left_out }: ReportResult): string {
  if (text !== null) return text;
  const left = left_out.length === 0 ? "" : `; the texts of ${counted(left_out.length, "older node")} did not fit`;
  return `Wrote ${file ?? ""}: ${counted(nodes, "node")}, ${bytesText(bytes)}${left}`;
}

const useText = { first: "first in recall", never: "never recalled" } as const;

export function renderPin({ action, use, place, text, replaced }: PinResult, { paint }: Screen): string {
  return [
    `${action === "pinned" ? "Now" : "Already"} ${useText[use]}: ${paint.title(place)}`,
    `  ${text}`,
    ...(replaced.length === 0 ? [] : ["In place of:", ...replaced.flatMap((row) => pinLines(row, paint))]),
  ].join("\n");
}

export function renderUnpin({ removed }: UnpinResult, { paint }: Screen): string {
  return ["No longer pinned:", ...removed.flatMap((row) => pinLines(row, paint))].join("\n");
}

export function renderPins({ pins }: PinListResult, { paint }: Screen): string {
  if (pins.length === 0) return "Nothing is pinned.";
  return [paint.title(counted(pins.length, "pin")), ...pins.flatMap((row) => pinLines(row, paint))].join("\n");
}

function pinLines({ place, use, text }: PinRow, paint: Screen["paint"]): readonly string[] {
  return [`  ${place} ${paint.dim(useText[use])}`, `    ${text === "" ? "(nothing is left there)" : text}`];
}
