import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { number } from "../parts.tsx";

/** A list that shows its beginning, and more on demand. */
export function Folded<Item>({
  listOf,
  most,
  label,
  children,
  onKeyDown,
}: {
  readonly listOf: readonly Item[];
  readonly most: number;
  readonly label: string;
  readonly children: (item: Item) => ComponentChildren;
  readonly onKeyDown?: (event: JSX.TargetedKeyboardEvent<HTMLElement>) => void;
}): JSX.Element {
  const [shown, setShown] = useState(most);
  const rest = listOf.length - shown;
  return (
    <>
      <ul class="list" aria-label={label} onKeyDown={onKeyDown}>
        {listOf.slice(0, shown).map((item, at) => (
          <li key={at}>{children(item)}</li>
        ))}
      </ul>
      {rest > 0 ? (
        <button type="button" class="plain small" onClick={() => setShown(shown + Math.max(50, most))}>
          {number(rest)} more
        </button>
      ) : null}
    </>
  );
}
