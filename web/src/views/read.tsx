import type { JSX } from "preact";
import { hrefOf, useAnswer, type Place } from "../live.ts";
import { Lines, Shown } from "../parts.tsx";

/** The lines at a place of the memory, as `heartwood read` gives them. */
export function ReadView({ place }: { readonly place: Place }): JSX.Element {
  const asked = place.params.get("place") ?? "";
  const read = useAnswer("memory.read", asked === "" ? undefined : { place: asked });
  const first = Number(/:(\d+)(?:-\d+)?$/u.exec(asked)?.[1] ?? 1);
  const day = /(\d{4}-\d\d-\d\d)/u.exec(asked)?.[1];
  return (
    <section class="sheet" aria-label={asked}>
      <p class="row spread">
        <code>{asked}</code>
        {day === undefined ? null : <a href={hrefOf("tree", { period: day })}>The day in the tree</a>}
      </p>
      <Shown of={read}>
        {({ text, next }) => (
          <>
            <Lines text={text} first={first} />
            {next === null ? null : <a href={hrefOf("read", { place: next })}>More</a>}
          </>
        )}
      </Shown>
    </section>
  );
}
