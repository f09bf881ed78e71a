/** A line of ROOT.md in its parts; `topic` is empty if the line does not name one. */
export interface RootLineParts {
  readonly topic: string;
  readonly type: string;
  /** What stands in brackets after the type, such as `3d, by agent`. */
  readonly about: string;
  readonly text: string;
}

const pattern = /^- (.+?)(?: \[(project|feedback|user|reference)(?:, ([^\]]*))?\])?(?::(?= )|$)(.*)$/u;

export function partsOfLine(line: string): RootLineParts {
  const [, topic = "", type = "", about = "", text = ""] = pattern.exec(line) ?? [];
  if (topic === "" || (type === "" && text === "")) return { topic: "", type: "", about: "", text: line };
  return { topic, type, about, text: text.trim() };
}

/** Two renderings of a line differ in the age of its topic from day to day. */
export function withoutAge(line: string): string {
  return line.replace(/ \[(project|feedback|user|reference), (?:\d+d|\d{4}-\d\d-\d\d)(?:, \?)?/u, " [$1");
}

export function dayOf(path: string): string | undefined {
  return /(\d{4}-\d\d-\d\d)/u.exec(path)?.[1];
}

export function placeOf({ path, lines }: { readonly path: string; readonly lines: readonly [number, number] }): string {
  return lines[0] === lines[1] ? `${path}:${lines[0]}` : `${path}:${lines[0]}-${lines[1]}`;
}

const speaker =
  /^(?:\*\*)?(User|Human|You|Assistant|AI|Agent|System|Tool|사용자|어시스턴트|ユーザー|アシスタント|用户|助手)(?:\*\*)?\s*[:：]/iu;
const person = /^(?:User|Human|You|사용자|ユーザー|用户)$/iu;

/** Who speaks in raw lines, as they name the speaker; `undefined` if they do not. */
export function speakerIn(text: string): { readonly name: string; readonly who: "person" | "other" } | undefined {
  const first = text.split("\n").find((line) => line.trim() !== "") ?? "";
  const name = speaker.exec(first)?.[1];
  return name === undefined ? undefined : { name, who: person.test(name) ? "person" : "other" };
}

export function periodOf(path: string): { readonly level: string; readonly period: string } | undefined {
  const [, folder = "", period = ""] =
    /^memory\/(daily|weekly|monthly)\/([^/]+?)(?:\.late-\d+)?\.md$/u.exec(path) ?? [];
  const levels: Readonly<Record<string, string>> = { daily: "Day", weekly: "Week", monthly: "Month" };
  return period === "" ? undefined : { level: levels[folder] ?? folder, period };
}

const names = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;

/** "Fri 5 Mar 2026" */
export function dayName(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", names).replaceAll(",", "");
}

/** The text of an entry as it was written: without its heading and what heartwood wrote below that, and with its lines not escaped. */
export function bodyOf(text: string): string {
  const body = text.replace(/^## [^\n]*\n/u, "").replace(/^<!-- hw [^\n]*-->\n(?:- corrects: [^\n]*\n)?/u, "");
  return body.trimEnd().replaceAll(escapedLine, "");
}

const escapedLine = /^\\(?=\\*(?:\s{0,3}#{1,2}(?:[ \t]|$)|<!-- hw |<{7}(?: |$)|\s*- corrects: ))/gmu;
