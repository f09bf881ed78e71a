import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** What can be chosen in a list. */
const row = ".choose";
const chosen = ":is([aria-pressed=true], [aria-current=true])";
/** What shows the chosen row: beside the list. */
const detail = ".detail";

type Key = JSX.TargetedKeyboardEvent<HTMLElement>;

/**
 * A list that is one tab stop: the arrow keys, Home and End move among its rows, which have the class `choose`. Enter chooses one and moves on to what is beside the
 * list. `onMove`: the row that was moved to is chosen at once.
 */
export function Rows({
  as: Tag = "ul",
  onMove,
  children,
  label,
  ...given
}: {
  readonly as?: "ul" | "ol" | "div";
  readonly class: string;
  readonly label?: string | undefined;
  readonly onMove?: (row: HTMLElement) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const box = useRef<HTMLElement | null>(null);
  const last = useRef<Element | null>(null);
  const settle = (): void => keepOneStop(rowsIn(box.current), last.current);
  useLayoutEffect(settle);
  const move = (event: Key): void => {
    if (isWithOthers(event)) return;
    if (enterRow(event)) return;
    const rows = rowsIn(event.currentTarget);
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = at < 0 ? undefined : rows[stepOf(event.key, at, rows.length) ?? at];
    if (next === undefined || next === rows[at]) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
    onMove?.(next);
  };
  return (
    <Tag
      {...given}
      aria-label={label}
      ref={(element: HTMLElement | null) => void (box.current = element)}
      onKeyDown={move}
      onFocusCapture={({ target }: FocusEvent) => {
        if (!(target instanceof Element) || !target.matches(row)) return;
        last.current = target;
        settle();
      }}
    >
      {children}
    </Tag>
  );
}

function rowsIn(box: HTMLElement | null): readonly HTMLElement[] {
  return box === null ? [] : [...box.querySelectorAll<HTMLElement>(row)];
}

/** Of these, Tab reaches one: this one if it is there, else the chosen one, else the first. */
export function keepOneStop(rows: readonly HTMLElement[], wanted: Element | null): void {
  const stop = rows.find((one) => one === wanted) ?? rows.find((one) => one.matches(chosen)) ?? rows[0];
  for (const one of rows) one.tabIndex = one === stop ? 0 : -1;
}

/** The index of the row that a key moves to; `undefined` if it moves to none. */
export function stepOf(key: string, at: number, count: number): number | undefined {
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[key];
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next));
}

export function isWithOthers({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

/** Enter on a row chooses it, and the focus moves to what is beside the list, or to what replaces the list. */
export function enterRow(event: Key): boolean {
  const from = document.activeElement;
  if (event.key !== "Enter" || !(from instanceof HTMLElement) || !from.matches(`${row}, [data-day]`)) return false;
  event.preventDefault();
  const beside = from.closest(".columns, .beside")?.querySelector<HTMLElement>(detail);
  from.click();
  (beside ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
  return true;
}

/** From what is beside a list, back to its chosen row. */
export function backToRow(): "moved" | "stayed" {
  const list = document.activeElement?.closest(detail)?.closest(".columns, .beside");
  const found = [...(list?.querySelectorAll<HTMLElement>(chosen) ?? [])].find((one) => one.closest(detail) === null);
  found?.focus();
  return found === undefined ? "stayed" : "moved";
}
