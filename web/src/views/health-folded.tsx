import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { number } from "../parts.tsx";
import { Rows } from "../rows.tsx";

/** A list that shows its beginning, and more on demand. */
export function Folded<Item>({
  listOf,
  most,
  label,
  children,
  rows = "read",
}: {
  readonly listOf: readonly Item[];
  readonly most: number;
  readonly label: string;
  readonly children: (item: Item) => ComponentChildren;
  /** `chosen`: each item is a row that can be chosen. */
  readonly rows?: "read" | "chosen";
}): JSX.Element {
  const [shown, setShown] = useState(most);
  const rest = listOf.length - shown;
  const items = listOf.slice(0, shown).map((item, at) => <li key={at}>{children(item)}</li>);
  return (
    <>
      {rows === "chosen" ? (
        <Rows class="list" label={label}>
          {items}
        </Rows>
      ) : (
        <ul class="list" aria-label={label}>
          {items}
        </ul>
      )}
      {rest > 0 ? (
        <button type="button" class="plain small" onClick={() => setShown(shown + Math.max(50, most))}>
          {number(rest)} more
        </button>
      ) : null}
    </>
  );
}
