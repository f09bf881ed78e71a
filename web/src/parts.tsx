import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./api.ts";
import { hrefOf, type Asked } from "./live.ts";

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
