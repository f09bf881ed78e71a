import { hotFiles } from "../../tree/setup/init.ts";
import { shareOfLines, type Share } from "./space.ts";

/** A hot file as it may be shown. */
export interface HotText {
  readonly path: string;
  readonly lines: readonly string[];
}

const comment = /<!--[^]*?-->/gu;

/** What a hot file says besides its template, whose comments are left out; no lines when that is nothing. */
export function hotLines(path: string, text: string): readonly string[] {
  const template = hotFiles.find((file) => file.path === path)?.text ?? "";
  const own = [...template.matchAll(comment)].reduce((rest, [one]) => rest.replaceAll(one, ""), text);
  const given = new Set(template.split("\n").map((line) => line.trim()));
  const says = own
    .replaceAll(comment, "")
    .split("\n")
    .some((line) => line.trim() !== "" && !line.trim().startsWith("#") && !given.has(line.trim()));
  if (!says) return [];
  const lines = own.split("\n").map((line) => line.trimEnd());
  return lines
    .filter((line, at) => line !== "" || (at > 0 && lines[at - 1] !== ""))
    .join("\n")
    .trim()
    .split("\n");
}

/** The file under its name, whole or its first lines and how many more there are; nothing when not even one fits. */
export function fitHot({ path, lines }: HotText, share: Share, most: number): readonly string[] {
  if (lines.length === 0) return [];
  const title = `# ${path}`;
  if (shareOfLines(share, [title, ...lines]) <= most) return [title, ...lines];
  const moreOf = (count: number): string => `(${count} more ${count === 1 ? "line" : "lines"} in ${path})`;
  let taken = shareOfLines(share, [title, moreOf(lines.length)]);
  let count = 0;
  for (const line of lines) {
    taken += share(`${line}\n`);
    if (taken > most) break;
    count += 1;
  }
  return count === 0 ? [] : [title, ...lines.slice(0, count), moreOf(lines.length - count)];
}
