import type { JSX } from "preact";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { dayName } from "../memory-text.ts";
import { bytes, counted } from "../parts.tsx";
import { enterRow, isWithOthers, keepOneStop } from "../rows.tsx";
import {
  addDays,
  monthName,
  monthsBetween,
  shadeOf,
  shadesOf,
  type CalendarNode,
  type Month,
  type Nodes,
} from "./tree-calendar-model.ts";

interface Given {
  readonly nodes: Nodes;
  readonly chosen: string | undefined;
  /** Days whose log is not compacted yet, or has late entries without an addendum. */
  readonly waiting: ReadonlySet<string>;
  readonly onChoose: (period: string) => void;
}

/** Months of weeks of days, newest first. Years are folded if there are several. */
export function Calendar(given: Given & { readonly first: string; readonly last: string }): JSX.Element {
  const { first, last, nodes, chosen } = given;
  const years = useMemo(
    () => [...Map.groupBy(monthsBetween(first, last), ({ period }) => period.slice(0, 4))],
    [first, last],
  );
  const shades = useMemo(() => shadesOf(nodes), [nodes]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([last.slice(0, 4), ...(chosen === undefined ? [] : [chosen.slice(0, 4)])]),
  );
  const choose = useRef(given.onChoose);
  choose.current = given.onChoose;
  const onChoose = useCallback((period: string) => choose.current(period), []);
  const toggle = (year: string): void =>
    setOpened((known) => new Set(known.has(year) ? [...known].filter((one) => one !== year) : [...known, year]));
  const box = useRef<HTMLDivElement>(null);
  // The days are one tab stop: the chosen one, else the newest.
  useLayoutEffect(() => {
    const days = [...(box.current?.querySelectorAll<HTMLElement>("[data-day]") ?? [])];
    const isChosen = days.some((day) => day.dataset["day"] === chosen);
    const newest = days.toSorted((a, b) => (a.dataset["day"] ?? "").localeCompare(b.dataset["day"] ?? "")).at(-1);
    keepOneStop(days, isChosen ? null : (newest ?? null));
  });
  const inYear = (year: string): number => [...nodes.daily.keys()].filter((day) => day.startsWith(year)).length;
  return (
    <div class="calendar" ref={box} onKeyDown={moveByDays}>
      {years.map(([year, months]) => {
        const isOpen = years.length === 1 || opened.has(year);
        return (
          <section key={year} aria-label={year}>
            {years.length === 1 ? null : (
              <h2>
                <button type="button" class="plain year" aria-expanded={isOpen} onClick={() => toggle(year)}>
                  {isOpen ? "▾" : "▸"} {year} <span class="quiet small">{counted(inYear(year), "day")}</span>
                </button>
              </h2>
            )}
            {isOpen ? (
              <div class="months">
                {months.map((month) => (
                  <MonthBlock
                    key={month.period}
                    nodes={nodes}
                    waiting={given.waiting}
                    shades={shades}
                    month={month}
                    chosen={chosen !== undefined && isIn(month, chosen) ? chosen : undefined}
                    onChoose={onChoose}
                  />
                ))}
              </div>
            ) : null}
          </section>
        );
      })}
      <Legend />
    </div>
  );
}

/** Arrow keys move by days and weeks. */
function moveByDays(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
  if (!isWithOthers(event) && enterRow(event)) return;
  const step = steps[event.key];
  const from = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["day"] : undefined;
  if (step === undefined || from === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  // To the next day that has a node, at most two months on.
  for (let at = 1; at <= 60; at++) {
    const next = event.currentTarget.querySelector<HTMLElement>(`[data-day="${addDays(from, step * at)}"]`);
    if (next === null) continue;
    next.focus();
    next.click();
    return;
  }
}

function isIn({ period, weeks }: Month, chosen: string): boolean {
  return chosen.startsWith(period) || weeks.some((week) => week.period === chosen);
}

interface MonthGiven extends Omit<Given, "chosen"> {
  readonly month: Month;
  readonly shades: readonly number[];
  /** What is chosen, if it is in this month. */
  readonly chosen: string | undefined;
}

/** Drawn again only if what it shows changes: there may be hundreds of months. */
function MonthBlock(given: MonthGiven): JSX.Element {
  const { month, nodes, shades, chosen, waiting, onChoose } = given;
  return useMemo(() => <MonthDays {...given} />, [month, nodes, shades, chosen, waiting, onChoose]);
}

function MonthDays({ month, nodes, shades, chosen, waiting, onChoose }: MonthGiven): JSX.Element {
  const name = monthName(month.period);
  const own = nodes.monthly.get(month.period);
  return (
    <div class="month">
      <h3>
        {own === undefined ? (
          <span>{name}</span>
        ) : (
          <button
            type="button"
            class={`plain period${markOf(own)}`}
            aria-pressed={chosen === month.period}
            aria-label={`${name} ${month.period.slice(0, 4)}: ${aboutNode(own)}`}
            title={aboutNode(own)}
            onClick={() => onChoose(month.period)}
          >
            {name}
          </button>
        )}
      </h3>
      <div class="weekdays quiet" aria-hidden="true">
        <span />
        {["M", "T", "W", "T", "F", "S", "S"].map((letter, at) => (
          <span key={at}>{letter}</span>
        ))}
      </div>
      {month.weeks.map(({ period, days }) => {
        const week = nodes.weekly.get(period);
        return (
          <div key={period} class="week">
            {week === undefined ? (
              <span class="quiet">{period.slice(5)}</span>
            ) : (
              <button
                type="button"
                class={`plain period${markOf(week)}`}
                aria-pressed={chosen === period}
                aria-label={`${period.slice(5)} of ${period.slice(0, 4)}: ${aboutNode(week)}`}
                title={aboutNode(week)}
                onClick={() => onChoose(period)}
              >
                {period.slice(5)}
              </button>
            )}
            {days.map((day, at) => {
              if (day === undefined) return <span key={at} />;
              const node = nodes.daily.get(day);
              const isWaiting = waiting.has(day);
              if (node === undefined && !isWaiting)
                return (
                  <span key={at} class="day none" title={`${dayName(day)}: no log`}>
                    {Number(day.slice(8))}
                  </span>
                );
              const about = node === undefined ? "not compacted yet" : aboutNode(node, isWaiting);
              const shade = node === undefined ? "due" : `shade-${shadeOf(node.node.bytes, shades)}${markOf(node)}`;
              return (
                <button
                  key={at}
                  type="button"
                  class={`day ${shade}${isWaiting ? " late" : ""}`}
                  data-day={day}
                  aria-pressed={chosen === day}
                  aria-label={`${Number(day.slice(8))} ${name} ${day.slice(0, 4)}: ${about}`}
                  title={`${dayName(day)}: ${about}`}
                  onClick={() => onChoose(day)}
                >
                  {Number(day.slice(8))}
                </button>
              );
            })}
          </div>
        );
      })}
    </div>
  );
}

function markOf({ node, late }: CalendarNode): string {
  return `${node.status === "tentative" ? " tentative" : ""}${late > 0 ? " late" : ""}`;
}

function aboutNode({ node, late }: CalendarNode, isWaiting = false): string {
  const parts = [
    node.status,
    bytes(node.bytes),
    ...(node.topics.length === 0 ? [] : [counted(node.topics.length, "topic")]),
    ...(late === 0 ? [] : [counted(late, "addendum", "addenda")]),
    ...(isWaiting ? ["not compacted yet"] : []),
  ];
  return parts.join(", ");
}

function Legend(): JSX.Element {
  return (
    <p class="calendar-legend quiet small">
      <span>
        smaller <i class="day shade-1" /> <i class="day shade-2" /> <i class="day shade-3" /> <i class="day shade-4" />{" "}
        larger
      </span>
      <span>
        <i class="day shade-2" /> fixed
      </span>
      <span>
        <i class="day shade-2 tentative" /> tentative
      </span>
      <span>
        <i class="day shade-2 late" /> late entries
      </span>
      <span>
        <i class="day due" /> not compacted
      </span>
    </p>
  );
}
