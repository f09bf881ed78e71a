import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { go, type Place } from "../live.ts";
import { LongList } from "../long-list.tsx";
import { Chip, Empty, number } from "../parts.tsx";
import { addDays } from "./tree-calendar-model.ts";
import { TopicDetail } from "./topics-detail.tsx";

export type TopicList = Answer<"topic.list">;
export type Topic = TopicList["topics"][number];

const types = ["project", "feedback", "user", "reference"] as const;
const ages = [
  { name: "7", title: "last 7 days" },
  { name: "30", title: "last 30 days" },
  { name: "older", title: "older than 30 days" },
] as const;

/** The topics that match the filter in the address, in its order. */
function selectTopics(list: TopicList, params: URLSearchParams): readonly Topic[] {
  const words = (params.get("q") ?? "").toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const [type, age, order] = [params.get("type") ?? "", params.get("age") ?? "", params.get("order") ?? ""];
  const found = list.topics.filter((topic) => {
    if (type !== "" && topic.type !== type) return false;
    if (age !== "" && (age === "older" ? topic.age_days <= 30 : topic.age_days > Number(age))) return false;
    const name = topic.topic.toLocaleLowerCase();
    return words.every((word) => name.includes(word));
  });
  if (order === "name") return found.toSorted((a, b) => a.topic.localeCompare(b.topic));
  if (order === "entries") return found.toSorted((a, b) => b.entries - a.entries);
  return found;
}

/** A list with filters, and the chosen topic beside it. */
export function TopicsTab({ list, place }: { readonly list: TopicList; readonly place: Place }): JSX.Element {
  const { params } = place;
  const chosen = params.get("topic") ?? undefined;
  const topics = useMemo(() => selectTopics(list, params), [list, params]);
  const given = Object.fromEntries(params);
  const show = (next: Readonly<Record<string, string | undefined>>, step: "push" | "replace" = "replace"): void =>
    go("topics", { ...given, ...next }, step);
  if (list.topics.length === 0)
    return (
      <Empty title="There are no topics yet.">
        Add an entry with <code>heartwood log add</code>, then run <code>heartwood compact</code>.
      </Empty>
    );
  return (
    <div class={`columns topics-columns${chosen === undefined ? "" : " open"}`}>
      <section class="sheet topics-list" aria-label="Topics">
        <div class="row filters">
          <input
            type="search"
            aria-label="Filter topics"
            placeholder="Filter topics"
            value={params.get("q") ?? ""}
            onInput={(event) => show({ q: event.currentTarget.value })}
          />
          <Select label="Type" name="type" value={params.get("type")} onValue={show}>
            <option value="">any type</option>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </Select>
          <Select label="Age" name="age" value={params.get("age")} onValue={show}>
            <option value="">any age</option>
            {ages.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </Select>
          <Select label="Order" name="order" value={params.get("order")} onValue={show}>
            <option value="">newest first</option>
            <option value="name">by name</option>
            <option value="entries">most entries first</option>
          </Select>
        </div>
        <p class="quiet small" role="status">
          {topics.length === list.topics.length
            ? `${number(topics.length)} topics`
            : `${number(topics.length)} of ${number(list.topics.length)} topics`}
        </p>
        {topics.length === 0 ? (
          <Empty title="No topic matches.">Change the filter.</Empty>
        ) : (
          <Rows
            list={list}
            topics={topics}
            chosen={chosen}
            onChoose={(topic) => show({ topic }, chosen === undefined ? "push" : "replace")}
          />
        )}
      </section>
      <section class="sheet detail" aria-label="Topic" tabIndex={-1}>
        {chosen === undefined ? (
          <Empty title="Choose a topic.">What is known about it appears here, with what it replaced.</Empty>
        ) : (
          <>
            <button type="button" class="plain small back" onClick={() => show({ topic: undefined }, "push")}>
              ← Topics
            </button>
            <TopicDetail key={chosen} name={chosen} list={list} onRename={(topic) => show({ topic }, "replace")} />
          </>
        )}
      </section>
    </div>
  );
}

function Select({
  label,
  name,
  value,
  onValue,
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly onValue: (next: Readonly<Record<string, string>>) => void;
  readonly children: JSX.Element | (JSX.Element | JSX.Element[])[];
}): JSX.Element {
  return (
    <select aria-label={label} value={value ?? ""} onChange={(event) => onValue({ [name]: event.currentTarget.value })}>
      {children}
    </select>
  );
}

const narrow = matchMedia("(max-width: 720px)");

function useNarrow(): boolean {
  const [is, set] = useState(narrow.matches);
  useEffect(() => {
    const tell = (): void => set(narrow.matches);
    narrow.addEventListener("change", tell);
    return () => narrow.removeEventListener("change", tell);
  }, []);
  return is;
}

function Rows({
  list,
  topics,
  chosen,
  onChoose,
}: {
  readonly list: TopicList;
  readonly topics: readonly Topic[];
  readonly chosen: string | undefined;
  readonly onChoose: (topic: string) => void;
}): JSX.Element {
  const height = useNarrow() ? 56 : 36;
  const span = useMemo(() => spanOf(list), [list]);
  const at = topics.findIndex(({ topic }) => topic === chosen);
  const shown = useMemo(() => (at < 0 ? undefined : { index: at }), [at, chosen]);
  return (
    <div class="topic-rows">
      <LongList
        count={topics.length}
        rowHeight={height}
        label="Topics"
        shown={shown}
        onMove={(index) => onChoose(topics[index]?.topic ?? "")}
        row={(index) => {
          const topic = topics[index];
          return topic === undefined ? null : (
            <button
              type="button"
              class="choose topic-row"
              tabIndex={-1}
              aria-pressed={topic.topic === chosen}
              onClick={() => onChoose(topic.topic)}
            >
              <span class="topic-name" dir="auto" title={topic.topic}>
                {topic.topic}
              </span>
              <Chip type={topic.type}>{topic.type}</Chip>
              <Timeline days={topic.days} span={span} />
              <span class="topic-age quiet small">{ageText(topic.age_days)}</span>
              <span class="topic-entries quiet small" title={`${topic.entries} entries`}>
                {number(topic.entries)}
              </span>
            </button>
          );
        }}
      />
    </div>
  );
}

export function ageText(days: number): string {
  return days === 0 ? "today" : days === 1 ? "1 day" : `${number(days)} days`;
}

export interface Span {
  readonly first: number;
  readonly last: number;
}

/** From the first day of any topic to today. */
export function spanOf({ topics, today }: TopicList): Span {
  const first = topics.reduce((day, topic) => (topic.first_day < day ? topic.first_day : day), today);
  return { first: Date.parse(first), last: Math.max(Date.parse(today), Date.parse(addDays(first, 6))) };
}

/** When a topic was alive: a mark for each of its days. */
export function Timeline({ days, span }: { readonly days: readonly string[]; readonly span: Span }): JSX.Element {
  const at = (day: string): number => ((Date.parse(day) - span.first) / (span.last - span.first)) * 196 + 2;
  const [from, to] = [at(days[0] ?? ""), at(days.at(-1) ?? "")];
  const path = days.map((day) => `M${at(day).toFixed(1)} 3V13`).join("");
  return (
    <svg
      class="timeline"
      viewBox="0 0 200 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${days[0] ?? ""} to ${days.at(-1) ?? ""}`}
    >
      <path class="timeline-span" d="M0 8H200" />
      {Number.isFinite(from) ? <path class="timeline-alive" d={`M${from} 8H${to}`} /> : null}
      <path class="timeline-days" d={path} />
    </svg>
  );
}
