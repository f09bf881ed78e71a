import type { JSX } from "preact";
import { useAnswer } from "../live.ts";
import { counted, PlaceLink, Shown } from "../parts.tsx";
import { useInView } from "./place-lines.tsx";
import type { Action } from "./health-audit.tsx";

/** Lines that are shown around what is removed. */
const around = 3;

/** Lines of a rotated note that are shown. */
const mostRotated = 60;

/** A file as an audit would leave it: removed lines are struck. */
export function ChangeLines({
  path,
  actions,
}: {
  readonly path: string;
  readonly actions: readonly Action[];
}): JSX.Element {
  const rotated = actions.find(({ kind }) => kind === "rotate");
  const pairs = actions.flatMap(({ lines }) => lines);
  const first = rotated === undefined ? Math.max(1, Math.min(...pairs.map(([from]) => from)) - around) : 1;
  const end = Math.max(...pairs.map(([, to]) => to)) + around;
  // All of a rotated note goes.
  const last = rotated === undefined ? end : Math.min(end, mostRotated);
  const place = pairs.length === 0 ? undefined : `${path}:${first}-${last}`;
  const read = useAnswer("memory.read", place === undefined ? undefined : { place });
  const box = useInView(path, read.value !== undefined);
  if (actions.length === 0) return <p class="quiet">No change is proposed for {path}.</p>;
  return (
    <div ref={box}>
      <h2 class="place-title">
        <PlaceLink place={path} />
      </h2>
      {actions.map(({ message }, at) => (
        <p key={at} class="small" dir="auto">
          {message}
        </p>
      ))}
      <Shown of={read}>
        {({ text, next }) => (
          <>
            <Struck text={text} first={first} pairs={pairs} />
            {next === null && last === end ? null : (
              <p class="quiet small">
                The lines from <PlaceLink place={next ?? `${path}:${last + 1}-${end - around}`} /> on are not shown
                here.
              </p>
            )}
          </>
        )}
      </Shown>
    </div>
  );
}

type Pair = readonly [number, number];

/** Runs of lines that stay or go; long runs that stay are folded. */
function Struck({
  text,
  first,
  pairs,
}: {
  readonly text: string;
  readonly first: number;
  readonly pairs: readonly Pair[];
}): JSX.Element {
  const isGone = (line: number): boolean => pairs.some(([from, to]) => line >= from && line <= to);
  const isNear = (line: number): boolean => pairs.some(([from, to]) => line >= from - around && line <= to + around);
  const lines = text
    .replace(/\n$/u, "")
    .split("\n")
    .map((one, at) => ({ text: one, number: first + at }));
  const shown = lines.filter(({ number }) => isNear(number));
  return (
    <pre class="lines" dir="auto" aria-label="The file, with removed lines struck">
      {shown.map(({ text: one, number }, at) => {
        const skipped = number - (shown[at - 1]?.number ?? number - 1) - 1;
        return (
          <span key={number}>
            {skipped > 0 ? (
              <span class="line quiet">
                <span class="number">⋮</span>
                <span class="text">{counted(skipped, "line")}</span>
              </span>
            ) : null}
            <span class={isGone(number) ? "line gone" : "line"}>
              <span class="number" aria-hidden="true">
                {number}
              </span>
              {isGone(number) && one !== "" ? <del class="text">{one}</del> : <span class="text">{one || " "}</span>}
            </span>
          </span>
        );
      })}
    </pre>
  );
}
