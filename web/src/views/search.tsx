import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Input } from "../api.ts";
import { go, useAnswer, type Place } from "../live.ts";
import { Chip, counted, Empty, Shown } from "../parts.tsx";
import { ago, PlaceLines, Snippet, useKept, useReturn } from "./place-lines.tsx";
import { Rows } from "../rows.tsx";
import { Tabs } from "../tabs.tsx";
import { RecallTab } from "./search-recall.tsx";

const tabs = [
  { name: "search", title: "Search" },
  { name: "recall", title: "Recall" },
];

export function SearchView({ place }: { readonly place: Place }): JSX.Element {
  const tab = place.params.get("tab") === "recall" ? "recall" : "search";
  return (
    <>
      <Tabs
        label="Search or recall"
        tabs={tabs}
        open={tab}
        onOpen={(name) => go("search", name === "search" ? {} : { tab: name })}
      />
      {tab === "recall" ? <RecallTab place={place} /> : <SearchTab place={place} />}
    </>
  );
}

/** Milliseconds without a key before the query is sent. */
const pause = 80;
const hitsAtOnce = 20;
const mostHits = 1_000;

const choices = {
  type: ["project", "feedback", "user", "reference"],
  level: ["raw", "daily", "weekly", "monthly", "root"],
  in: ["raw", "nodes", "knowledge", "memory", "threads"],
} as const;
const titles = { type: "Type", level: "Level", in: "Where" } as const;
/** What `in` and `level` are called on the page. */
const named: Readonly<Record<string, string>> = { raw: "logs", memory: "MEMORY.md", root: "ROOT.md" };

/** Changes a part of what is asked. */
function change(more: Input, step: "push" | "replace" = "replace"): void {
  go("search", { ...Object.fromEntries(new URLSearchParams(location.hash.split("?")[1])), ...more }, step);
}

function SearchTab({ place: { params } }: { readonly place: Place }): JSX.Element {
  const asked = Object.fromEntries(params);
  const { q = "", at = "" } = asked;
  const [typed, setTyped] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sent = useRef(q);
  const list = useRef<HTMLElement>(null);
  const box = useRef<HTMLInputElement>(null);
  // A step back in the history changes what is asked, but not while someone types.
  useEffect(() => {
    if (q !== sent.current) setTyped(q);
    sent.current = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Browsers have no property for this event, so preact would listen to another name.
  useEffect(() => {
    const input = box.current;
    const composed = (): void => type(input?.value ?? "");
    input?.addEventListener("compositionend", composed);
    return () => input?.removeEventListener("compositionend", composed);
  }, []);
  const type = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      change({ q: text.trim(), at: undefined, limit: undefined });
    }, pause);
  };
  const { type: kind, level, in: where, since, until } = asked;
  const limit = Math.min(mostHits, Number(asked["limit"]) || hitsAtOnce);
  const found = useKept(
    useAnswer("memory.search", q === "" ? undefined : { query: q, type: kind, level, in: where, since, until, limit }),
  );
  useReturn(at);
  return (
    <>
      <form role="search" class="search-form" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search the memory"
          placeholder={'words, "a phrase", prefix*, -not, last week'}
          dir="auto"
          value={typed}
          ref={box}
          autofocus
          onInput={(event) =>
            event.isComposing ? setTyped(event.currentTarget.value) : type(event.currentTarget.value)
          }
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown" || event.isComposing) return;
            event.preventDefault();
            list.current?.querySelector<HTMLElement>(".choose")?.focus();
          }}
        />
        <div class="row filters">
          {(["type", "level", "in"] as const).map((name) => (
            <label key={name} class="field">
              <span>{titles[name]}</span>
              <select value={asked[name] ?? ""} onChange={(event) => change({ [name]: event.currentTarget.value })}>
                <option value="">any</option>
                {choices[name].map((value) => (
                  <option key={value} value={value}>
                    {named[value] ?? value}
                  </option>
                ))}
              </select>
            </label>
          ))}
          {(["since", "until"] as const).map((name) => (
            <label key={name} class="field">
              <span>{name === "since" ? "From" : "To"}</span>
              <input
                type="date"
                value={asked[name] ?? ""}
                onChange={(event) => change({ [name]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
      </form>
      {q === "" ? (
        <Empty title="Type to search everything that is remembered.">
          Any language; <code>"a phrase"</code>, <code>prefix*</code>, <code>+must</code>, <code>-not</code>, and dates
          such as <code>in March</code>. In a terminal: <code>heartwood search</code>.
        </Empty>
      ) : (
        <div class={`columns search-columns${at === "" ? "" : " open"}`}>
          <section class="sheet search-list" aria-label="Hits" aria-busy={found.waiting} ref={list}>
            <Shown of={found}>
              {({ hits, more, understood, took_ms, not_indexed }) => (
                <>
                  <p class="quiet small hits-head" role="status">
                    {counted(
                      hits.length,
                      more ? "hit shown, there are more" : "hit",
                      more ? "hits shown, there are more" : "hits",
                    )}
                    {understood.days_from === null ? "" : `, ${understood.since ?? "…"} to ${understood.until ?? "…"}`}
                    {`, ${took_ms} ms`}
                    {not_indexed === 0
                      ? ""
                      : `. ${counted(not_indexed, "source is", "sources are")} not in the index yet`}
                  </p>
                  {hits.length === 0 ? (
                    <Empty title="Nothing found.">Try fewer words, or take away a filter.</Empty>
                  ) : (
                    <Rows as="ol" class="list">
                      {hits.map((hit) => (
                        <li key={hit.source}>
                          <button
                            type="button"
                            class="choose"
                            aria-pressed={hit.source === at}
                            data-place={hit.source}
                            onClick={() => change({ at: hit.source }, "push")}
                          >
                            <span class="hit-text">
                              <Snippet text={hit.snippet} />
                            </span>
                            <span class="row small quiet hit-facts">
                              <span class="place">{hit.source}</span>
                              {hit.date === null ? null : <span>{ago(hit.age_days)}</span>}
                              <Chip type={hit.type}>{hit.type}</Chip>
                              {hit.level === hit.kind || hit.level === null ? null : (
                                <Chip>{named[hit.level] ?? hit.level}</Chip>
                              )}
                              {hit.warning === undefined ? null : <Chip tone="warn">{hit.warning.is}</Chip>}
                              {hit.recall === undefined ? null : (
                                <Chip tone={hit.recall === "first" ? "good" : "warn"}>
                                  {hit.recall === "first" ? "pinned" : "never recalled"}
                                </Chip>
                              )}
                            </span>
                          </button>
                        </li>
                      ))}
                    </Rows>
                  )}
                  {more && limit < mostHits ? (
                    <button type="button" onClick={() => change({ limit: Math.min(mostHits, limit + 2 * hitsAtOnce) })}>
                      More
                    </button>
                  ) : null}
                </>
              )}
            </Shown>
          </section>
          <section class="sheet detail" aria-label="Lines" tabIndex={-1}>
            {at === "" ? (
              <p class="quiet">Choose a hit to see its lines.</p>
            ) : (
              <>
                <button type="button" class="plain small back" onClick={() => change({ at: undefined }, "push")}>
                  ← Hits
                </button>
                <PlaceLines place={at} />
              </>
            )}
          </section>
        </div>
      )}
    </>
  );
}
