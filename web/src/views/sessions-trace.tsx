import type { JSX } from "preact";
import type { Answer } from "../api.ts";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, Lines, PlaceLink, Shown } from "../parts.tsx";
import { Folded } from "./health-folded.tsx";
import { shortPlace } from "./place-lines.tsx";
import { namesOf } from "./sessions.tsx";

type Forward = Extract<Answer<"tree.trace">, { readonly derived: unknown }>;
type Derivation = Forward["derived"][number];

const sessionPath = /^\.heartwood\/sessions\/(.+)\.jsonl$/su;

const groups: readonly { readonly title: string; readonly has: (one: Derivation) => boolean }[] = [
  { title: "ROOT.md", has: ({ path }) => path === "memory/ROOT.md" },
  { title: "Sessions that were given it", has: ({ how }) => how === "session" },
  { title: "Nodes", has: ({ path }) => /^memory\/(?:daily|weekly|monthly)\//u.test(path) },
  { title: "Threads", has: ({ path }) => path.startsWith("thread:") },
  { title: "Others", has: () => true },
];

/** Everything that comes from a place: lines of ROOT.md and nodes, summaries of threads, corrections, and the sessions that were given it. */
export function Derived({ place }: { readonly place: string }): JSX.Element {
  const traced = useAnswer("tree.trace", { text: place, forward: true });
  return (
    <section class="sheet" aria-label="What comes from it">
      <Shown of={traced}>{(result) => ("derived" in result ? <Groups result={result} /> : null)}</Shown>
    </section>
  );
}

function Groups({ result: { source, derived, indexed } }: { readonly result: Forward }): JSX.Element {
  const of = (one: Derivation): string => groups.find(({ has }) => has(one))?.title ?? "";
  const place = shortPlace(source.path, source.lines);
  return (
    <>
      <h2 class="row spread place-title">
        <PlaceLink place={place} />
        <span class="small quiet">
          {indexed ? "in the search index" : "not in the search index"}{" "}
          <a href={hrefOf("health", { tab: "forget", place })}>Forget…</a>
        </span>
      </h2>
      <Lines text={source.text} first={source.lines[0]} />
      {derived.length === 0 ? <p class="quiet">Nothing comes from it yet.</p> : null}
      <div class="derived">
        {groups.map(({ title }) => {
          const mine = derived.filter((one) => of(one) === title);
          if (mine.length === 0) return null;
          return (
            <section key={title} aria-label={title}>
              <h3>
                {title} <span class="small quiet">{counted(mine.length, "place")}</span>
              </h3>
              <Folded most={6} label={title} listOf={mine}>
                {(one) => (
                  <div class="finding">
                    <span class="row">
                      <Link of={one} />
                      <Chip>{one.how}</Chip>
                      {one.approximate === true ? <Chip tone="warn">approximate</Chip> : null}
                    </span>
                    <span class="small derived-text" dir="auto">
                      {one.text}
                    </span>
                  </div>
                )}
              </Folded>
            </section>
          );
        })}
      </div>
    </>
  );
}

function Link({ of: { path, lines } }: { readonly of: Derivation }): JSX.Element {
  const session = sessionPath.exec(path)?.[1];
  if (session === undefined) return <PlaceLink place={shortPlace(path, lines)} />;
  const { client, name } = namesOf(session);
  return (
    <a href={hrefOf("sessions", { session, number: lines[0] })}>
      {client} {name}, text {lines[0]}
    </a>
  );
}
