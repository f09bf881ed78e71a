import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { number } from "./parts.tsx";

/** The first rows of a list, and a button for more of them. */
export function Some<Item>({
  items,
  first,
  step = first * 5,
  children,
  label = "more",
}: {
  readonly items: readonly Item[];
  readonly first: number;
  readonly step?: number;
  readonly children: (item: Item, at: number) => ComponentChildren;
  readonly label?: string;
}): JSX.Element {
  const [most, setMost] = useState(first);
  const rest = items.length - most;
  return (
    <>
      {items.slice(0, most).map(children)}
      {rest > 0 ? (
        <button type="button" class="plain small more" onClick={() => setMost(most + step)}>
          {number(Math.min(step, rest))} {label}
          {rest > step ? <span class="quiet"> of {number(rest)}</span> : null}
        </button>
      ) : null}
    </>
  );
}
