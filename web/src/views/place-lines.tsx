import type { JSX, RefObject } from "preact";
import { hrefOf, useAnswer, type Asked } from "../live.ts";
import { useEffect, useRef } from "preact/hooks";
import { Lines, PlaceLink, Shown } from "../parts.tsx";

/** Lines of a file, or messages of a thread. */
export interface PlaceParts {
  readonly path: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** `memory/2026-03-15.md:12-18` in its parts. */
export function partsOf(place: string): PlaceParts {
  const [, path = place, first, last] = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/su.exec(place) ?? [];
  const from = first === undefined ? undefined : Number(first);
  return { path, from, to: last === undefined ? from : Number(last) };
}

const linesAround = 5;

/** The lines at a place and some around them, with what can be done with them. */
export function PlaceLines({ place }: { readonly place: string }): JSX.Element {
  const { path, from, to } = partsOf(place);
  const isThread = path.startsWith("thread:");
  const first = from === undefined ? undefined : isThread ? from : Math.max(1, from - linesAround);
  const around = first === undefined ? path : `${path}:${first}-${(to ?? first) + (isThread ? 0 : linesAround)}`;
  const read = useAnswer("memory.read", { place: around });
  const box = useInView(place, read.value !== undefined);
  return (
    <div ref={box}>
      <h2 class="place-title">
        <PlaceLink place={place} />
      </h2>
      <Shown of={read}>
        {({ text, next, date }) => (
          <>
            {isThread ? (
              <pre class="lines message-text" dir="auto">
                {text}
              </pre>
            ) : (
              <Lines text={text} first={first ?? 1} marked={from === undefined ? undefined : [from, to ?? from]} />
            )}
            <p class="row small">
              {next === null ? null : <a href={hrefOf("read", { place: next })}>More</a>}
              {date === null ? null : <a href={hrefOf("tree", { period: date })}>The day in the tree</a>}
              {isThread ? <a href={hrefOf("threads", { thread: path.slice(7), seq: from })}>Open the thread</a> : null}
              <a href={hrefOf("sessions", { trace: place })}>What comes from it</a>
              <a href={hrefOf("health", { tab: "forget", place })}>Forget…</a>
            </p>
          </>
        )}
      </Shown>
    </div>
  );
}

/** Brings what was chosen into view: the marked lines in the detail beside a list, or the detail itself if it is below the list. */
export function useInView(place: string, isThere: boolean): RefObject<HTMLDivElement> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const detail = box.current?.closest<HTMLElement>(".detail");
    if (!isThere || detail === null || detail === undefined) return;
    if (getComputedStyle(detail).position !== "sticky") detail.scrollIntoView({ block: "start" });
    const marked = box.current?.querySelector<HTMLElement>(".marked, .gone");
    if (marked) detail.scrollTop = Math.max(0, marked.offsetTop - detail.offsetTop - detail.clientHeight / 3);
  }, [place, isThere]);
  return box;
}

/** Moves the focus back to the row of a place (`data-place`) when its lines are closed, as on a narrow screen, where they hide the list. */
export function useReturn(at: string): void {
  const last = useRef("");
  useEffect(() => {
    const place = last.current;
    last.current = at;
    // A new query closes them too, while the person types.
    if (at !== "" || place === "" || document.activeElement !== document.body) return;
    const rows = [...document.querySelectorAll<HTMLElement>("[data-place]")];
    rows.find((row) => row.dataset["place"] === place)?.focus();
  }, [at]);
}

/** `memory/2026-03-15.md:12`, without the end of the range if it has one line. */
export function shortPlace(path: string, lines: readonly [number, number] | null): string {
  if (lines === null) return path;
  return lines[0] === lines[1] ? `${path}:${lines[0]}` : `${path}:${lines.join("-")}`;
}

/** An answer that stays on the screen until the next one is there. */
export function useKept<Value>(asked: Asked<Value>): Asked<Value> {
  const kept = useRef<Value | undefined>(undefined);
  if (asked.value !== undefined) kept.current = asked.value;
  return asked.error === undefined ? { ...asked, value: asked.value ?? kept.current } : asked;
}

/** Texts between « and » are what was found. */
export function Snippet({ text }: { readonly text: string }): JSX.Element {
  return (
    <span dir="auto">
      {text.split(/«([^»]*)»/u).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}
    </span>
  );
}

/** "today", "3 days ago". */
export function ago(days: number | null): string {
  if (days === null) return "";
  if (days === 0) return "today";
  if (days < 0) return `in ${-days} ${days === -1 ? "day" : "days"}`;
  return days === 1 ? "1 day ago" : `${days} days ago`;
}
