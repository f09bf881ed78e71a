import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { change, reported } from "../changes.tsx";
import { hrefOf, useAnswer } from "../live.ts";
import { Markdown } from "../markdown.tsx";
import { dayName, periodOf } from "../memory-text.ts";
import { bytes, Chip, counted, PlaceLink, Shown } from "../parts.tsx";
import { Some } from "../shown-more.tsx";
import { monthName, type CalendarNode } from "./tree-calendar-model.ts";
import { CameFrom } from "./now-trace.tsx";

export function titleOf(period: string): string {
  if (/^\d{4}-W/u.test(period)) return `Week ${Number(period.slice(6))} of ${period.slice(0, 4)}`;
  if (period.length === 7) return `${monthName(period)} ${period.slice(0, 4)}`;
  return /^\d{4}-\d\d-\d\d$/u.test(period) ? dayName(period) : period;
}

/** A node: its text, topics, sources and addenda. */
export function NodeDetail({
  period,
  known,
}: {
  readonly period: string;
  readonly known: CalendarNode | undefined;
}): JSX.Element {
  const shown = useAnswer("tree.show", { period });
  if (shown.error?.code === "not_found") return <NotCompacted period={period} />;
  return <Shown of={shown}>{(node) => <Node period={period} known={known} node={node} />}</Shown>;
}

/** A day that has no node yet, or no log. */
function NotCompacted({ period }: { readonly period: string }): JSX.Element {
  const isOfDay = /^\d{4}-\d\d-\d\d$/u.test(period);
  const log = `memory/${period}.md`;
  const read = useAnswer("memory.read", isOfDay ? { place: log } : undefined);
  return (
    <>
      <h2>{titleOf(period)}</h2>
      <p class="row small">
        <Chip tone="warn">not compacted yet</Chip>
        <button
          type="button"
          class="small"
          onClick={() => void reported(change("tree.compact", {}, "The tree is up to date."))}
        >
          Compact now
        </button>
      </p>
      {!isOfDay || read.error !== undefined ? (
        <p class="quiet">There is no node for this period.</p>
      ) : (
        <Shown of={read}>
          {({ text }) => (
            <>
              <p class="small">
                <span class="quiet">Its log:</span> <PlaceLink place={log} />
              </p>
              <NodeText text={text} />
            </>
          )}
        </Shown>
      )}
    </>
  );
}

function Node({
  period,
  known,
  node,
}: {
  readonly period: string;
  readonly known: CalendarNode | undefined;
  readonly node: Answer<"tree.show">;
}): JSX.Element {
  const [isForward, setForward] = useState(false);
  const raw = known?.node.raw ?? [];
  return (
    <>
      <h2>{titleOf(period)}</h2>
      <p class="row small">
        <Chip tone={node.status === "fixed" ? "good" : "warn"}>{node.status}</Chip>
        {known === undefined ? null : (
          <span class="quiet">
            {bytes(known.node.bytes)}, {counted(known.node.lines, "line")}, made by {node.summarizer}
          </span>
        )}
        {node.late.length === 0 ? null : <Chip tone="warn">{counted(node.late.length, "addendum", "addenda")}</Chip>}
      </p>
      <Topics topics={node.topics} />
      {raw.length === 0 ? null : (
        <p class="row small">
          <span class="quiet">Raw log</span>
          {raw.map((path) => (
            <PlaceLink key={path} place={path} />
          ))}
          <button type="button" class="plain link" aria-expanded={isForward} onClick={() => setForward(!isForward)}>
            What comes from it
          </button>
        </p>
      )}
      {isForward ? raw.map((path) => <CameFrom key={path} place={path} />) : null}
      {raw.length > 0 || node.sources.length === 0 ? null : (
        <p class="row small">
          <span class="quiet">Made from</span>
          <Some items={node.sources} first={8} label="more">
            {(path) => {
              const at = periodOf(path);
              return at === undefined ? (
                <PlaceLink key={path} place={path} />
              ) : (
                <a key={path} href={hrefOf("tree", { period: at.period })}>
                  {at.period}
                </a>
              );
            }}
          </Some>
        </p>
      )}
      {node.late.map(({ path, text }) => (
        <section key={path} class="addendum" aria-label="Addendum">
          <h3>Addendum: arrived after the period was fixed</h3>
          <p class="small">
            <PlaceLink place={path} />
          </p>
          <NodeText text={text} />
        </section>
      ))}
      <NodeText text={node.text} />
      <p class="small quiet">
        The node: <PlaceLink place={node.path} />
      </p>
    </>
  );
}

function Topics({ topics }: { readonly topics: readonly string[] }): JSX.Element | null {
  if (topics.length === 0) return null;
  const read = topics.map((topic) => /^(.*) \[(\w+)\]$/u.exec(topic) ?? ["", topic, "project"]);
  const types = [...Map.groupBy(read, ([, , type = ""]) => type)];
  return (
    <>
      <p class="small quiet">
        {counted(topics.length, "topic")}
        {types.length < 2 ? null : `: ${types.map(([type, own]) => `${own.length} ${type}`).join(", ")}`}
      </p>
      <p class="chips">
        <Some items={read} first={14} label="more topics">
          {([, name = "", type = ""]) => (
            <a key={name} class="chip-link" href={hrefOf("topics", { topic: name })}>
              <Chip type={type}>
                <span dir="auto">{name}</span>
              </Chip>
            </a>
          )}
        </Some>
      </p>
    </>
  );
}

/** Longer texts are cut at a line until asked for, in characters. */
const shortNode = 7_000;

/** The id, time and origin of an entry, and nothing that could be a text. */
const entryComment = /^<!-- hw id=[0-9A-Z]{26}(?: at=[\dT:+.Z-]{10,32}| origin=[a-z]{1,12})* -->\r?\n/gmu;

function NodeText({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const body = text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/u, "").replace(entryComment, "");
  const isCut = body.length > shortNode * 1.3 && !isWhole;
  const shown = isCut ? body.slice(0, body.lastIndexOf("\n", shortNode) + 1 || shortNode) : body;
  return (
    <div class="node-text" dir="auto">
      <Markdown text={shown} />
      {isCut ? (
        <button type="button" class="plain small more" onClick={() => setWhole(true)}>
          The whole node, {bytes(body.length)}
        </button>
      ) : null}
    </div>
  );
}
