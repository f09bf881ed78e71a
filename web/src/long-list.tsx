import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { enterRow, isWithOthers, stepOf } from "./rows.tsx";

/** A list of any length that renders only what is seen. All rows have the same height, in pixels. */
export function LongList({
  count,
  rowHeight,
  label,
  row,
  onNear,
  startAt = "top",
  shown,
  onMove,
}: {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  readonly row: (index: number) => ComponentChildren;
  /** Called with the first and last row that are seen, after scrolling. */
  readonly onNear?: (from: number, to: number) => void;
  /** `end`: the list stays at its end when it grows, unless it was scrolled away. */
  readonly startAt?: "top" | "end";
  /** A row to scroll to; another object scrolls again. */
  readonly shown?: { readonly index: number } | undefined;
  /** Called with the row that a key moves to, which then gets the focus. Rows are no tab stops: the list is. */
  readonly onMove: (index: number) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(startAt === "end");
  const [view, setView] = useState({ top: 0, height: 600 });
  // Browsers limit the height of an element: above it, a pixel of scrolling is more than a pixel of the list.
  const full = count * rowHeight;
  const height = Math.min(full, 8_000_000);
  const scale = full <= view.height ? 1 : (full - view.height) / Math.max(1, height - view.height);
  const offset = view.top * scale;
  const from = Math.max(0, Math.floor(offset / rowHeight) - 6);
  const to = Math.min(count, Math.ceil((offset + view.height) / rowHeight) + 6);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight;
      setView({ top: element.scrollTop, height: element.clientHeight });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    if (startAt === "end") element.scrollTop = element.scrollHeight;
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [startAt, rowHeight]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && startAt === "end" && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [count, startAt]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === undefined) return;
    const at = shown.index * rowHeight;
    const isSeen = at >= offset && at + rowHeight <= offset + element.clientHeight;
    if (!isSeen) element.scrollTop = (at - element.clientHeight / 2) / scale;
  }, [shown]);
  useEffect(() => onNear?.(from, to), [from, to, onNear]);
  /** The row that gets the focus once it is there. */
  const wanted = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const found = box.current?.querySelector<HTMLElement>(`[aria-posinset="${(wanted.current ?? -1) + 1}"] .choose`);
    if (found === null || found === undefined) return;
    wanted.current = undefined;
    found.focus({ preventScroll: true });
  });
  const move = (event: JSX.TargetedKeyboardEvent<HTMLElement>): void => {
    if (isWithOthers(event) || enterRow(event)) return;
    const own = document.activeElement?.closest(".long-list-row")?.getAttribute("aria-posinset");
    const at = own === null || own === undefined ? (shown?.index ?? (startAt === "end" ? count : -1)) : Number(own) - 1;
    const next = stepOf(event.key, at, count);
    if (next === undefined || next === at) return;
    event.preventDefault();
    wanted.current = next;
    onMove(next);
  };
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return (
    <div class="long-list" ref={box} role="list" aria-label={label} tabIndex={0} onKeyDown={move}>
      <div class="long-list-full" ref={(element) => void element?.style.setProperty("height", `${height}px`)}>
        {rows.map((index) => (
          <div
            key={index}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            class="long-list-row"
            ref={(element) => {
              element?.style.setProperty("transform", `translateY(${view.top + (index * rowHeight - offset)}px)`);
              element?.style.setProperty("height", `${rowHeight}px`);
            }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
