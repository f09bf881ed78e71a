import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Answer } from "../api.ts";
import { go, useAnswer, useAskedAhead, type Place } from "../live.ts";
import { Bar, Empty, Shown } from "../parts.tsx";
import { partsOfLine, withoutAge } from "../memory-text.ts";
import { Tabs } from "../tabs.tsx";
import { NotIncluded } from "./now-dropped.tsx";
import { RootLines, type RootValue } from "./now-lines.tsx";
import { LineDetail } from "./now-trace.tsx";

/** ROOT.md with the sources of each line, its budget, and what did not fit. */
export function NowView({ place }: { readonly place: Place }): JSX.Element {
  const root = useAnswer("tree.root");
  const { value: status } = useAnswer("memory.status");
  const tab = place.params.get("tab") === "dropped" ? "dropped" : "root";
  const numbers = (rootIn(root.value)?.lines ?? []).map(({ line }) => line).join(" ");
  const traces = useMemo(
    () => numbers.split(" ").map((line) => ["tree.trace", { text: `ROOT:${line}` }] as const),
    [numbers],
  );
  useAskedAhead(traces, numbers !== "");
  if (root.error?.code === "not_found")
    return (
      <Empty title="There is no ROOT.md yet.">
        Add an entry with <code>heartwood log add</code>, then run <code>heartwood compact</code>.
      </Empty>
    );
  return (
    <>
      <Shown of={root}>{(value) => ("text" in value ? <Budget root={value} status={status} /> : null)}</Shown>
      <Tabs
        label="ROOT.md"
        open={tab}
        onOpen={(name) => go("now", name === "root" ? {} : { tab: name })}
        tabs={[
          { name: "root", title: "ROOT.md" },
          { name: "dropped", title: "Did not fit", count: status?.root?.dropped },
        ]}
      />
      {tab === "dropped" ? <NotIncluded /> : <Root value={rootIn(root.value)} place={place} />}
    </>
  );
}

function rootIn(value: Answer<"tree.root"> | undefined): RootValue | undefined {
  return value !== undefined && "text" in value ? value : undefined;
}

function Budget({
  root,
  status,
}: {
  readonly root: RootValue;
  readonly status: Answer<"memory.status"> | undefined;
}): JSX.Element {
  const all = sharesOf(root);
  return (
    <section class="sheet now-budget" aria-label="Budget">
      <Bar label="Budget" parts={all} of={root.cap} />
      <p class="quiet small">
        {status === undefined || status.root === null
          ? "\u00a0"
          : `From ${status.raw.files.toLocaleString("en")} ${status.raw.files === 1 ? "log" : "logs"} of ${status.raw.days.toLocaleString("en")} ${status.raw.days === 1 ? "day" : "days"}, ${status.raw.first ?? ""} to ${status.raw.last ?? ""}. ${status.root.topics.toLocaleString("en")} topics, last updated ${status.root.last_updated}.`}
      </p>
    </section>
  );
}

/** The size of each section: its share of the bytes, since only the tokens of the whole are counted. */
function sharesOf({
  text,
  tokens,
}: RootValue): readonly { readonly name: string; readonly value: number; readonly tone?: string }[] {
  const size = (part: string): number => new TextEncoder().encode(part).length;
  const parts = text.split(/^(?=## )/mu).filter((part) => part.startsWith("## "));
  const shares = parts.map((part) => ({
    name: titleOf(part.slice(3).split("\n", 1)[0] ?? ""),
    value: Math.round((size(part) / size(text)) * tokens),
  }));
  const rest = tokens - shares.reduce((sum, { value }) => sum + value, 0);
  return rest > 0 ? [...shares, { name: "Front matter", value: rest, tone: "rest" }] : shares;
}

/** "Active Context (recent ~7 days)" without the brackets. */
function titleOf(section: string): string {
  return section.replace(/ \(.*\)$/u, "");
}

function Root({ value, place }: { readonly value: RootValue | undefined; readonly place: Place }): JSX.Element | null {
  const asked = Number(place.params.get("line"));
  const chosen = useChosen(value, asked);
  const row = useRef<number>(0);
  if (asked > 0) row.current = asked;
  useEffect(() => {
    // Back from the sheet of a line: to the line.
    if (asked === 0 && row.current > 0)
      document.querySelector<HTMLElement>(`[data-line="${row.current}"]`)?.focus({ preventScroll: false });
  }, [asked]);
  if (value === undefined) return null;
  return (
    <div class={`columns now-columns${asked > 0 ? " open" : ""}`}>
      <section class="sheet now-root" aria-label="Lines of ROOT.md">
        <RootLines root={value} chosen={chosen?.line ?? 0} />
      </section>
      <section class="sheet detail" aria-label="Sources of the line" tabIndex={-1}>
        {asked > 0 ? (
          <>
            <button type="button" class="plain small back" onClick={() => go("now")}>
              ← All lines
            </button>
            {chosen === undefined ? (
              <Empty title="This line is no longer in ROOT.md.">Choose another line.</Empty>
            ) : (
              <LineDetail key={chosen.text} line={chosen} />
            )}
          </>
        ) : (
          <Empty title="Choose a line.">
            Its sources appear here: the nodes it came through and the raw lines, word for word. Up and down move
            through the lines.
          </Empty>
        )}
      </section>
    </div>
  );
}

/** The chosen line. When ROOT.md changes, the line with the same words stays chosen, or else the one of its section with the same topic, as after a correction. */
function useChosen(value: RootValue | undefined, asked: number): RootLine | undefined {
  const kept = useRef<{ readonly line: RootLine; readonly of: RootValue } | undefined>(undefined);
  const at = value?.lines.find(({ line }) => line === asked);
  const before = kept.current;
  const isChanged = value !== undefined && before?.line.line === asked && before.of !== value;
  const found = isChanged ? sameLine(value.lines, before.line) : at;
  useEffect(() => {
    if (value === undefined || asked === 0) return;
    if (found !== undefined) kept.current = { line: found, of: value };
    if (found !== undefined && found.line !== asked) go("now", { line: found.line }, "replace");
  }, [value, asked, found]);
  return found;
}

type RootLine = RootValue["lines"][number];

function sameLine(lines: readonly RootLine[], before: RootLine): RootLine | undefined {
  const inPlace = lines.toSorted((a, b) => Math.abs(a.line - before.line) - Math.abs(b.line - before.line));
  const { topic } = partsOfLine(before.text);
  return (
    inPlace.find(({ text }) => withoutAge(text) === withoutAge(before.text)) ??
    inPlace.find(({ text, section }) => topic !== "" && section === before.section && partsOfLine(text).topic === topic)
  );
}
