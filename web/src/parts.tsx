import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.ts";
import { hrefOf, type Asked } from "./live.ts";
import { enterRow, isWithOthers, stepOf } from "./rows.tsx";

/** Shows an answer when it is there, else that it is on its way, else why it did not come. */
export function Shown<Value>({
  of: { value, error },
  children,
}: {
  readonly of: Asked<Value>;
  readonly children: (value: Value) => ComponentChildren;
}): JSX.Element {
  if (error !== undefined) return <Failed error={error} />;
  return <>{value === undefined ? <p class="quiet waiting">Loading…</p> : children(value)}</>;
}

export function Failed({ error }: { readonly error: ApiError }): JSX.Element {
  return (
    <div class="note bad" role="alert">
      <strong>{error.message}</strong>
      <span class="quiet"> ({error.code})</span>
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <div>{children}</div>
    </div>
  );
}

/** The parts of a whole, as a bar with a legend. */
export function Bar({
  label,
  parts,
  of,
  unit = "tokens",
}: {
  readonly label: string;
  readonly parts: readonly { readonly name: string; readonly value: number; readonly tone?: string }[];
  readonly of: number;
  readonly unit?: string;
}): JSX.Element {
  const used = parts.reduce((sum, { value }) => sum + value, 0);
  const percent = (value: number): number => (of === 0 ? 0 : Math.min(100, (value / of) * 100));
  return (
    <figure class="bar-figure">
      <svg
        class="bar"
        role="img"
        aria-label={`${label}: ${used} of ${of} ${unit}`}
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
      >
        <rect class="bar-rest" width="100" height="4" />
        {parts.map(({ name, value, tone }, at) => (
          <rect
            key={name}
            class={`tone-${tone ?? String((at % 6) + 1)}`}
            x={parts.slice(0, at).reduce((sum, part) => sum + percent(part.value), 0)}
            width={percent(value)}
            height="4"
          >
            <title>{`${name}: ${value.toLocaleString("en")} ${unit}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>
          {label}: <b>{used.toLocaleString("en")}</b> of {of.toLocaleString("en")} {unit}
        </span>
        {parts.length > 1 ? (
          <span class="legend">
            {parts.map(({ name, tone }, at) => (
              <span key={name}>
                <i class={`dot tone-${tone ?? String((at % 6) + 1)}`} /> {name}
              </span>
            ))}
          </span>
        ) : null}
      </figcaption>
    </figure>
  );
}

/** A small label: `type` colours it by the type of a memory, `tone` by how good it is. */
export function Chip({
  children,
  type,
  tone,
}: {
  readonly children: ComponentChildren;
  readonly type?: string | undefined;
  readonly tone?: "good" | "warn" | "bad" | undefined;
}): JSX.Element {
  const kind = type === undefined ? "" : ` type-${type.replaceAll(/[^a-z]/gu, "")}`;
  return <span class={`chip${kind}${tone === undefined ? "" : ` ${tone}`}`}>{children}</span>;
}

/** A place in the memory, such as `memory/2026-03-15.md:12-18`, as a link to its lines. */
export function PlaceLink({ place }: { readonly place: string }): JSX.Element {
  return (
    <a class="place" href={hrefOf("read", { place })}>
      {place}
    </a>
  );
}

/** Lines of a file with their numbers. `marked`: the lines that are meant. */
export function Lines({
  text,
  first = 1,
  marked,
}: {
  readonly text: string;
  readonly first?: number;
  readonly marked?: readonly [number, number] | undefined;
}): JSX.Element {
  const lines = text.replace(/\n$/u, "").split("\n");
  const isMarked = (line: number): boolean => marked !== undefined && line >= marked[0] && line <= marked[1];
  return (
    <pre class="lines" dir="auto">
      {lines.map((line, at) => (
        <span key={at} class={isMarked(first + at) ? "line marked" : "line"}>
          <span class="number" aria-hidden="true">
            {first + at}
          </span>
          <span class="text">{line === "" ? " " : line}</span>
        </span>
      ))}
    </pre>
  );
}

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

/** Asks before something is done, and shows why it failed. Closes on Escape. */
export function Confirm({
  title,
  action,
  danger = "no",
  onYes,
  onNo,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly danger?: "yes" | "no";
  readonly onYes: () => void | Promise<void>;
  readonly onNo: () => void;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<"asking" | "doing">("asking");
  const [error, setError] = useState<ApiError | undefined>(undefined);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Gives the focus back.
    return () => element?.close();
  }, []);
  const yes = async (): Promise<void> => {
    setState("doing");
    setError(undefined);
    try {
      await onYes();
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
    } finally {
      setState("asking");
    }
  };
  return (
    <dialog ref={dialog} class="confirm" aria-label={title} onCancel={onNo}>
      <h2>{title}</h2>
      <div class="confirm-body">{children}</div>
      {error === undefined ? null : <Failed error={error} />}
      <div class="buttons">
        <button type="button" onClick={onNo}>
          Cancel
        </button>
        <button
          type="button"
          class={danger === "yes" ? "danger" : "primary"}
          disabled={state === "doing"}
          onClick={() => void yes()}
        >
          {state === "doing" ? "Working…" : action}
        </button>
      </div>
    </dialog>
  );
}

export type Notice = { readonly tone: "good" | "bad"; readonly text: string };

let show: ((notice: Notice) => void) | undefined;

/** Shows a sentence for a while, and reads it to a screen reader. */
export function notify(notice: Notice): void {
  show?.(notice);
}

export function Notices(): JSX.Element {
  const [notices, setNotices] = useState<readonly (Notice & { readonly id: number })[]>([]);
  useEffect(() => {
    let id = 0;
    show = (notice) => {
      const mine = (id += 1);
      setNotices((all) => [...all.slice(-3), { ...notice, id: mine }]);
      setTimeout(() => setNotices((all) => all.filter((one) => one.id !== mine)), 8_000);
    };
    return () => (show = undefined);
  }, []);
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.map(({ id, tone, text }) => (
        <div key={id} class={`note ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  );
}

export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

export function number(count: number): string {
  return count.toLocaleString("en");
}

/** "1 line", "2 lines". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
