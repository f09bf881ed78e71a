import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { hrefOf, useAnswer } from "../live.ts";
import { placeOf } from "../memory-text.ts";
import { Chip, counted, PlaceLink, Shown } from "../parts.tsx";
import { Some } from "../shown-more.tsx";
import { RenameDialog } from "./topics-changes.tsx";
import { TopicEntry } from "./topics-entry.tsx";
import { ageText, spanOf, Timeline, type TopicList } from "./topics-list.tsx";

export type ShownTopic = Answer<"topic.show">;
type Statement = ShownTopic["statements"][number];

/** What holds about a topic, what that replaced, and its entries. */
export function TopicDetail({
  name,
  list,
  onRename,
}: {
  readonly name: string;
  readonly list: TopicList;
  readonly onRename: (name: string) => void;
}): JSX.Element {
  const answer = useAnswer("topic.show", { name });
  return (
    <Shown of={answer}>
      {(topic) => (
        <>
          <Head topic={topic} list={list} onRename={onRename} />
          <h3>What holds now</h3>
          <Facts topic={topic} />
          {topic.ended.length === 0 ? null : (
            <>
              <h3>No longer holds</h3>
              <ul class="facts">
                <Some items={topic.ended} first={10} label="more">
                  {(ended, at) => (
                    <li key={at}>
                      <Replaced was={ended} />
                      <p class="small quiet">
                        Replaced by: <span dir="auto">{ended.by.text}</span> ({ended.by.day})
                      </p>
                    </li>
                  )}
                </Some>
              </ul>
            </>
          )}
          <h3>{counted(topic.places.length, "entry", "entries")}</h3>
          <ul class="list">
            <Some items={topic.places.toReversed()} first={12} label="more entries">
              {(range) => <TopicEntry key={placeOf(range)} range={range} topic={topic} />}
            </Some>
          </ul>
        </>
      )}
    </Shown>
  );
}

/** Decisions, rules, facts about the user and what is open; and, folded, the rest of what was said and never replaced. */
function Facts({ topic: { type, statements } }: { readonly topic: ShownTopic }): JSX.Element {
  if (statements.length === 0)
    return <p class="quiet small">The tree has no sentence about it, only its words. See the entries.</p>;
  const isLasting = ({ role, replaced }: Statement): boolean =>
    type === "user" || type === "feedback" || lasting.includes(role) || replaced.length > 0;
  const first = statements.filter(isLasting);
  const rest = statements.filter((one) => !isLasting(one));
  const listOf = (items: readonly Statement[]): JSX.Element => (
    <ul class="facts">
      <Some items={items} first={25} label="more">
        {(statement, at) => <Fact key={at} statement={statement} />}
      </Some>
    </ul>
  );
  if (first.length === 0) return listOf(rest);
  return (
    <>
      {listOf(first)}
      {rest.length === 0 ? null : (
        <details>
          <summary>Also said: {counted(rest.length, "sentence")}, some of it about its time only</summary>
          {listOf(rest)}
        </details>
      )}
    </>
  );
}

const lasting: readonly string[] = ["decision", "outcome", "open", "blocked", "said"];

function Head({
  topic,
  list,
  onRename,
}: {
  readonly topic: ShownTopic;
  readonly list: TopicList;
  readonly onRename: (name: string) => void;
}): JSX.Element {
  const [open, setOpen] = useState<"rename" | "merge" | undefined>(undefined);
  const age = topic.age_days === 0 ? "mentioned today" : `last mentioned ${ageText(topic.age_days)} ago`;
  return (
    <>
      <h2 dir="auto">{topic.topic}</h2>
      <p class="row small">
        <Chip type={topic.type}>{topic.tag ?? topic.type}</Chip>
        {topic.progress === "done" ? <Chip tone="good">done</Chip> : null}
        {topic.in_root ? <Chip>in ROOT.md</Chip> : null}
        {topic.naming === "found" ? (
          <span title="No heading names it: the name comes from the words of notes and conversations">
            <Chip>found in the text</Chip>
          </span>
        ) : null}
        <span class="quiet">
          {counted(topic.days.length, "day")}, {age}
        </span>
      </p>
      <div class="topic-life">
        <Timeline days={topic.days} span={spanOf(list)} />
        <p class="row spread small quiet">
          <a href={hrefOf("tree", { period: topic.first_day })}>{topic.first_day}</a>
          <a href={hrefOf("tree", { period: topic.last_day })}>{topic.last_day}</a>
        </p>
      </div>
      {topic.pointer === null ? null : (
        <p class="small">
          <span class="quiet">Reference:</span> <span dir="auto">{topic.pointer}</span>
        </p>
      )}
      {topic.keywords.length === 0 ? null : (
        <p class="small quiet keywords" dir="auto">
          {topic.keywords.join(", ")}
        </p>
      )}
      <p class="row small">
        <button type="button" class="small" onClick={() => setOpen("rename")}>
          Rename…
        </button>
        <button type="button" class="small" onClick={() => setOpen("merge")}>
          Merge into…
        </button>
        <a href={hrefOf("search", { q: topic.topic })}>Search for it</a>
        {topic.naming === "found" ? null : (
          <a href={hrefOf("health", { tab: "forget", topic: topic.topic })}>Forget this topic…</a>
        )}
      </p>
      {open === undefined ? null : (
        <RenameDialog
          kind={open}
          topic={topic}
          list={list}
          onClose={() => setOpen(undefined)}
          onDone={(name) => {
            setOpen(undefined);
            onRename(name);
          }}
        />
      )}
    </>
  );
}

const roles: Readonly<Record<string, string>> = {
  decision: "decision",
  outcome: "outcome",
  open: "open",
  done: "done",
  blocked: "blocked",
  failed: "failed",
  abandoned: "abandoned",
  said: "said by the user",
};
const parts: Readonly<Record<string, string>> = { why: "why", how: "how to apply" };

function Fact({ statement }: { readonly statement: Statement }): JSX.Element {
  const label = parts[statement.part] ?? roles[statement.role];
  return (
    <li>
      <p class="fact" dir="auto">
        {statement.text}
      </p>
      <p class="row small quiet">
        <span>{statement.day}</span>
        {label === undefined ? null : <span>{label}</span>}
        {statement.places.slice(0, 3).map((range) => (
          <PlaceLink key={placeOf(range)} place={placeOf(range)} />
        ))}
      </p>
      {statement.replaced.map((was, at) => (
        <Replaced key={at} was={was} />
      ))}
    </li>
  );
}

function Replaced({ was }: { readonly was: Statement["replaced"][number] }): JSX.Element {
  return (
    <div class="replaced">
      <p dir="auto">
        <del>{was.text}</del>
      </p>
      <p class="row small quiet">
        <span>
          {was.day}, until {was.until}
        </span>
        {was.places.slice(0, 3).map((range) => (
          <PlaceLink key={placeOf(range)} place={placeOf(range)} />
        ))}
      </p>
    </div>
  );
}
