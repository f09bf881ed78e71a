import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go, hrefOf, useAnswer, useAskedAhead, useLast, type Asked, type Place } from "../live.ts";
import { dayName } from "../memory-text.ts";
import { Empty, Failed } from "../parts.tsx";
import { RootLineText, sectionsOf } from "./now-lines.tsx";
import { addDays, daysBetween } from "./tree-calendar-model.ts";
import { Difference } from "./tree-difference.tsx";

/** A move within so many milliseconds after another one waits until none follows: not every day that a slider passes is asked for. */
const pause = 250;

/** ROOT.md as it was at the end of a day, or what changed between two days. */
export function ThroughTime({
  place,
  first,
  last,
}: {
  readonly place: Place;
  readonly first: string;
  readonly last: string;
}): JSX.Element {
  const within = (day: string | null): string | undefined =>
    day !== null && /^\d{4}-\d\d-\d\d$/u.test(day) ? (day < first ? first : day > last ? last : day) : undefined;
  const day = within(place.params.get("as_of")) ?? last;
  const other = within(place.params.get("with"));
  const compared = day === last ? (within(addDays(last, -7)) ?? first) : last;
  const show = (next: { readonly as_of?: string; readonly with?: string | undefined }): void =>
    go("tree", { as_of: day, with: other, ...next }, "replace");
  return (
    <>
      <section class="sheet time" aria-label="Days">
        <DayPicker
          label={other === undefined ? "As of" : "From"}
          day={day}
          first={first}
          last={last}
          onDay={(next) => show({ as_of: next })}
        />
        {other === undefined ? (
          <button type="button" class="small" onClick={() => show({ with: compared })}>
            Compare with another day
          </button>
        ) : (
          <>
            <DayPicker label="To" day={other} first={first} last={last} onDay={(next) => show({ with: next })} />
            <button type="button" class="small" onClick={() => show({ with: undefined })}>
              Show one day
            </button>
          </>
        )}
      </section>
      {other === undefined ? (
        <AsOf day={day} first={first} last={last} compared={compared} />
      ) : (
        <Compared from={day < other ? day : other} to={day < other ? other : day} />
      )}
    </>
  );
}

/** A slider from the first day to the last, with the day as text and a step back and forward. */
function DayPicker({
  label,
  day,
  first,
  last,
  onDay,
}: {
  readonly label: string;
  readonly day: string;
  readonly first: string;
  readonly last: string;
  readonly onDay: (day: string) => void;
}): JSX.Element {
  const [moved, setMoved] = useState(day);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const movedAt = useRef(-pause);
  // The other slider may have moved since the timer was set.
  const latest = useRef(onDay);
  latest.current = onDay;
  useEffect(() => setMoved(day), [day]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (next: string): void => {
    const kept = next < first ? first : next > last ? last : next;
    setMoved(kept);
    clearTimeout(timer.current);
    const now = performance.now();
    timer.current = setTimeout(() => latest.current(kept), now - movedAt.current < pause ? pause : 0);
    movedAt.current = now;
  };
  return (
    <div class="day-picker">
      <span class="day-picker-label">{label}</span>
      <button
        type="button"
        aria-label={`${label}: a day earlier`}
        disabled={moved <= first}
        onClick={() => move(addDays(moved, -1))}
      >
        ‹
      </button>
      <input
        type="range"
        aria-label={label}
        aria-valuetext={dayName(moved)}
        min={0}
        max={Math.max(1, daysBetween(first, last))}
        value={daysBetween(first, moved)}
        onInput={(event) => move(addDays(first, Number(event.currentTarget.value)))}
      />
      <button
        type="button"
        aria-label={`${label}: a day later`}
        disabled={moved >= last}
        onClick={() => move(addDays(moved, 1))}
      >
        ›
      </button>
      <input
        type="date"
        aria-label={`${label}: day`}
        min={first}
        max={last}
        value={moved}
        onChange={(event) => {
          if (event.currentTarget.value !== "") move(event.currentTarget.value);
        }}
      />
      <output>{dayName(moved)}</output>
    </div>
  );
}

/** What came last stays visible, and a sentence says that more is on its way. */
function Progress({ asked, text }: { readonly asked: Asked<unknown>; readonly text: string }): JSX.Element {
  return (
    <p class={`progress small${asked.waiting ? " on" : ""}`} role="status">
      {asked.waiting ? text : "\u00a0"}
    </p>
  );
}

function AsOf({
  day,
  first,
  last: newest,
  compared,
}: {
  readonly day: string;
  readonly first: string;
  readonly last: string;
  readonly compared: string;
}): JSX.Element {
  const asked = useAnswer("tree.show", { as_of: day });
  const last = useLast(asked);
  const next = useMemo(() => {
    const days = [addDays(day, -1), addDays(day, 1)].filter((one) => first <= one && one <= newest);
    const [from, to] = day < compared ? [day, compared] : [compared, day];
    return [...days.map((one) => ["tree.show", { as_of: one }] as const), ["memory.diff", { from, to }] as const];
  }, [day, first, newest, compared]);
  useAskedAhead(next, !asked.waiting);
  return (
    <section class="sheet" aria-label={`ROOT.md as of ${day}`} aria-busy={asked.waiting}>
      <div class="row spread">
        <h2>ROOT.md at the end of {dayName(day)}</h2>
        <a href={hrefOf("tree", { period: day })}>The day in the calendar</a>
      </div>
      <Progress asked={asked} text="Composing it from what had been recorded by then…" />
      {asked.error !== undefined ? (
        asked.error.code === "not_found" ? (
          <Empty title={asked.error.message} />
        ) : (
          <Failed error={asked.error} />
        )
      ) : last === undefined ? null : (
        <div class={asked.waiting ? "dimmed" : ""}>
          {sectionsOf(last.text).map(({ title, lines }) => (
            <section key={title} class="as-of">
              <h3>{title}</h3>
              {lines.length === 0 ? <p class="quiet small">Nothing yet.</p> : null}
              <ul class="plain-list">
                {lines.map(({ line, text }) => (
                  <li key={line}>
                    <RootLineText text={text} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </section>
  );
}

function Compared({ from, to }: { readonly from: string; readonly to: string }): JSX.Element {
  const asked = useAnswer("memory.diff", { from, to });
  const last = useLast(asked);
  return (
    <section class="sheet" aria-label={`From ${from} to ${to}`} aria-busy={asked.waiting}>
      <h2>
        From {dayName(from)} to {dayName(to)}
      </h2>
      <Progress asked={asked} text="Comparing what was known on both days…" />
      {asked.error !== undefined ? (
        <Failed error={asked.error} />
      ) : last === undefined ? null : (
        <div class={asked.waiting ? "dimmed" : ""}>
          <Difference diff={last} from={from} to={to} />
        </div>
      )}
    </section>
  );
}
