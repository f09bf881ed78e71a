import type { JSX } from "preact";
import type { Answer } from "../api.ts";
import { hrefOf } from "../live.ts";
import { dayName, partsOfLine, withoutAge } from "../memory-text.ts";
import { Chip, counted, Empty } from "../parts.tsx";
import { Some } from "../shown-more.tsx";
import { RootLineText } from "./now-lines.tsx";

type Diff = Answer<"memory.diff">;
type Line = Diff["root"]["added"][number];
type Change = Diff["topics"]["added"][number];

/** What changed about a topic: in its entries, and in its lines of ROOT.md. */
interface Compared {
  readonly topic: string;
  readonly type: string;
  readonly was_type?: string | undefined;
  readonly days: readonly string[];
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

/** What is different on two days: topic by topic, with the lines of ROOT.md of both days side by side. */
export function Difference({
  diff,
  from,
  to,
}: {
  readonly diff: Diff;
  readonly from: string;
  readonly to: string;
}): JSX.Element {
  const { added, changed, removed, others } = byTopic(diff);
  if (added.length + changed.length + removed.length + others.before.length + others.after.length === 0)
    return <Empty title="Nothing changed between these days." />;
  return (
    <div class="difference">
      <div class="sides quiet small" aria-hidden="true">
        <span>{dayName(from)}</span>
        <span>{dayName(to)}</span>
      </div>
      <Topics title="Changed" topics={changed} />
      <Topics title="New" topics={added} />
      <Topics title="Gone" topics={removed} />
      {others.before.length + others.after.length === 0 ? null : (
        <section aria-label="Other lines of ROOT.md">
          <h3>Other lines of ROOT.md</h3>
          <Sides before={others.before} after={others.after} />
        </section>
      )}
    </div>
  );
}

function byTopic({ topics, root }: Diff) {
  const { added, removed } = withoutMoved(root);
  const [before, after] = [Map.groupBy(removed, keyOf), Map.groupBy(added, keyOf)];
  const withLines = ({ topic, type, was_type, days }: Change): Compared => {
    const key = topic.toLocaleLowerCase();
    return { topic, type, was_type, days, before: before.get(key) ?? [], after: after.get(key) ?? [] };
  };
  const named = new Set(Object.values(topics).flatMap((all) => all.map(({ topic }) => topic.toLocaleLowerCase())));
  // A topic without new entries may come into ROOT.md or leave it.
  const only = [...new Set([...before.keys(), ...after.keys()])].filter((key) => key !== "" && !named.has(key));
  const inRootOnly = only.map((key): Compared => {
    const lines = { before: before.get(key) ?? [], after: after.get(key) ?? [] };
    const parts = [...lines.before, ...lines.after].map(({ text }) => partsOfLine(text));
    const type = parts.find((part) => part.type !== "")?.type ?? "";
    return { topic: parts[0]?.topic ?? key, type, days: [], ...lines };
  });
  return {
    added: linesFirst(topics.added.map(withLines)),
    changed: linesFirst([...topics.changed.map(withLines), ...inRootOnly]),
    removed: linesFirst(topics.removed.map(withLines)),
    others: { before: before.get("") ?? [], after: after.get("") ?? [] },
  };
}

/** The topic of a line of ROOT.md, in lower case; empty for the lines of other sections, which are about several. */
function keyOf({ section, text }: Line): string {
  return /^(?:Active Context|Topics Index)/u.test(section) ? partsOfLine(text).topic.toLocaleLowerCase() : "";
}

/** First what has lines on both days, then on one of them. */
function linesFirst(all: readonly Compared[]): readonly Compared[] {
  const sides = ({ before, after }: Compared): number => Math.min(before.length, 1) + Math.min(after.length, 1);
  return all.toSorted((a, b) => sides(b) - sides(a));
}

/** The day of a text that is not of today: `(03-09)`. */
const dayMark = / \(\d\d-\d\d\)(?=[;,.]|$| )/gu;

/** A line that only moved to another section, or has become older, is neither new nor gone. */
function withoutMoved({ added, removed }: Diff["root"]): Diff["root"] {
  const wordsOf = ({ text }: Line): string => withoutAge(text).replaceAll(dayMark, "");
  const [before, after] = [new Set(removed.map(wordsOf)), new Set(added.map(wordsOf))];
  return {
    added: added.filter((line) => !before.has(wordsOf(line))),
    removed: removed.filter((line) => !after.has(wordsOf(line))),
  };
}

function Topics({
  title,
  topics,
}: {
  readonly title: string;
  readonly topics: readonly Compared[];
}): JSX.Element | null {
  if (topics.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span class="quiet small">{counted(topics.length, "topic")}</span>
      </h3>
      <Some items={topics} first={20} label="more topics">
        {({ topic, type, was_type, days, before, after }) => (
          <article key={topic} class="compared" aria-label={topic}>
            <p class="row topic-change">
              <a href={hrefOf("topics", { topic })} dir="auto">
                {topic}
              </a>
              {type === "" ? null : <Chip type={type}>{was_type === undefined ? type : `${was_type} → ${type}`}</Chip>}
              {days.slice(0, 4).map((one) => (
                <a key={one} class="small" href={hrefOf("tree", { period: one })}>
                  {one}
                </a>
              ))}
              {days.length > 4 ? <span class="quiet small">and {counted(days.length - 4, "day")} more</span> : null}
            </p>
            {before.length + after.length === 0 ? null : <Sides before={before} after={after} />}
          </article>
        )}
      </Some>
    </section>
  );
}

/** Lines of the first day that the second does not have, and the other way round, side by side. */
function Sides({ before, after }: { readonly before: readonly Line[]; readonly after: readonly Line[] }): JSX.Element {
  return (
    <div class="sides">
      <Side label="Before" sign="−" lines={before} />
      <Side label="After" sign="+" lines={after} />
    </div>
  );
}

function Side({
  label,
  sign,
  lines,
}: {
  readonly label: string;
  readonly sign: "+" | "−";
  readonly lines: readonly Line[];
}): JSX.Element {
  if (lines.length === 0) return <p class="quiet small side-empty">{label}: not in ROOT.md</p>;
  return (
    <ul class={`plain-list ${sign === "+" ? "added" : "removed"}`} aria-label={label}>
      <Some items={lines} first={20} label="more lines">
        {({ section, text }, at) => (
          <li key={at} title={section}>
            <span class="sign" aria-hidden="true">
              {sign}
            </span>
            <RootLineText text={text} />
          </li>
        )}
      </Some>
    </ul>
  );
}
