import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { dayName, dayOf, partsOfLine, periodOf, placeOf, speakerIn } from "../memory-text.ts";
import { hrefOf, useAnswer } from "../live.ts";
import { Chip, counted, PlaceLink, Shown } from "../parts.tsx";
import { Some } from "../shown-more.tsx";
import { CorrectDialog, PromoteDialog } from "../changes.tsx";
import { RootLineText, type RootValue } from "./now-lines.tsx";

type Trace = Answer<"tree.trace">;
type Backward = Extract<Trace, { readonly chain: readonly unknown[] }>;
type Raw = Backward["raw"][number];

/** Where a line of ROOT.md comes from: raw lines first, then the nodes between them and ROOT.md. */
export function LineDetail({ line }: { readonly line: RootValue["lines"][number] }): JSX.Element {
  const trace = useAnswer("tree.trace", { text: `ROOT:${line.line}` });
  const { topic, type } = partsOfLine(line.text);
  return (
    <>
      <p class="traced">
        <RootLineText text={line.text} />
      </p>
      <p class="row small">
        <PlaceLink place={`memory/ROOT.md:${line.line}`} />
        {topic === "" || type === "" ? null : <a href={hrefOf("topics", { topic })}>The topic</a>}
      </p>
      <Shown of={trace}>
        {(value) =>
          "chain" in value ? (
            <>
              <h3>{value.raw.length === 1 ? "It comes from" : `It comes from ${value.raw.length} places`}</h3>
              <Some items={value.raw} first={8} label="more places">
                {(raw) => <RawLines key={placeOf(raw)} raw={raw} topic={topic} type={type} />}
              </Some>
              <Way trace={value} />
            </>
          ) : null
        }
      </Shown>
    </>
  );
}

const states: Readonly<Record<Raw["state"], { readonly says: string; readonly tone: "good" | "warn" | "bad" }>> = {
  found: { says: "unchanged", tone: "good" },
  moved: { says: "moved, unchanged", tone: "good" },
  changed: { says: "changed since", tone: "warn" },
  missing: { says: "missing", tone: "bad" },
};

function RawLines({
  raw,
  topic,
  type,
}: {
  readonly raw: Raw;
  readonly topic: string;
  readonly type: string;
}): JSX.Element {
  const [open, setOpen] = useState<"correct" | "promote" | "forward" | undefined>(undefined);
  const place = placeOf(raw);
  const day = dayOf(raw.path);
  const speaker = speakerIn(raw.text);
  const { says, tone } = states[raw.state];
  const title = raw.sha256 === "" ? "The lines are not where they were" : `SHA-256 ${raw.sha256}`;
  const isThere = raw.text !== "";
  return (
    <article class="raw" aria-label={place}>
      <p class="row small raw-head">
        {day === undefined ? null : <b>{dayName(day)}</b>}
        {speaker === undefined ? null : <span>said by {speaker.name}</span>}
        <span title={title}>
          <Chip tone={tone}>{says}</Chip>
        </span>
        {raw.approximate === true ? <Chip tone="warn">best match</Chip> : null}
        <PlaceLink place={place} />
      </p>
      {isThere ? <Quoted text={raw.text} /> : <p class="quiet">The log no longer has these lines.</p>}
      {raw.kept_in === null ? null : (
        <p class="small quiet">
          Kept in <PlaceLink place={placeOf(raw.kept_in)} />
        </p>
      )}
      <p class="row small actions">
        <button
          type="button"
          class="plain"
          aria-expanded={open === "forward"}
          onClick={() => setOpen(open === "forward" ? undefined : "forward")}
        >
          What comes from it
        </button>
        {isThere ? (
          <button type="button" class="plain" onClick={() => setOpen("correct")}>
            Correct…
          </button>
        ) : null}
        {speaker?.who === "person" ? (
          <button type="button" class="plain" onClick={() => setOpen("promote")}>
            Promote…
          </button>
        ) : null}
        <a href={hrefOf("health", { tab: "forget", place })}>Forget…</a>
      </p>
      {open === "forward" ? <CameFrom place={place} /> : null}
      {open === "correct" ? (
        <CorrectDialog place={place} text={raw.text} topic={topic} type={type} onClose={() => setOpen(undefined)} />
      ) : null}
      {open === "promote" ? <PromoteDialog place={place} text={raw.text} onClose={() => setOpen(undefined)} /> : null}
    </article>
  );
}

/** Long quotes are cut until asked for. */
const shortQuote = 700;

export function Quoted({ text }: { readonly text: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const all = text.replace(/\n+$/u, "");
  const isLong = all.length > shortQuote + 200;
  return (
    <>
      <blockquote class="quoted" dir="auto">
        {isLong && !isWhole ? `${all.slice(0, shortQuote)}…` : all}
      </blockquote>
      {isLong && !isWhole ? (
        <button type="button" class="plain small" onClick={() => setWhole(true)}>
          The whole text
        </button>
      ) : null}
    </>
  );
}

/** The nodes between ROOT.md and the raw lines, by level. A text that is the same as one level up is not repeated. */
function Way({ trace }: { readonly trace: Backward }): JSX.Element {
  const nodes = trace.chain.slice(1);
  const wordsOf = (text: string): string => text.replaceAll(/\s*\([^()]*\d{1,4}[^()]*\)\s*$/gmu, "").trim();
  return (
    <>
      <h3>On the way</h3>
      {nodes.length === 0 ? <p class="quiet small">No node is recorded between the raw lines and ROOT.md.</p> : null}
      <ol class="way">
        <Some items={nodes} first={9} label="more nodes">
          {(node) => {
            const at = periodOf(node.path);
            const above = node.into.map((index) => wordsOf(trace.chain[index]?.text ?? ""));
            return (
              <li key={placeOf(node)}>
                <p class="row small">
                  {at === undefined ? null : (
                    <a href={hrefOf("tree", { period: at.period })}>
                      {at.level} {at.period}
                    </a>
                  )}
                  <PlaceLink place={placeOf(node)} />
                </p>
                {above.includes(wordsOf(node.text)) ? (
                  <p class="quiet small">The same words.</p>
                ) : (
                  <Quoted text={node.text} />
                )}
              </li>
            );
          }}
        </Some>
      </ol>
    </>
  );
}

const hows: Readonly<Record<string, string>> = {
  verbatim: "word for word",
  summary: "summary",
  correction: "correction",
  message: "message of a thread",
  entry: "entry of a log",
  session: "given to a session",
};

/** Everything that comes from a place: nodes, ROOT.md, corrections, sessions. */
export function CameFrom({ place }: { readonly place: string }): JSX.Element {
  const answer = useAnswer("tree.trace", { text: place, forward: true });
  return (
    <Shown of={answer}>
      {(value) =>
        "derived" in value ? (
          <div class="came-from">
            <p class="small quiet">
              {value.derived.length === 0
                ? "Nothing comes from these lines."
                : `${counted(value.derived.length, "place")} ${value.derived.length === 1 ? "comes" : "come"} from these lines.`}{" "}
              {value.indexed ? "Search has them." : "Search does not have them."}
            </p>
            <ul class="list">
              <Some items={value.derived} first={10} label="more places">
                {(one, at) => (
                  <li key={at}>
                    <p class="row small">
                      <PlaceLink place={placeOf(one)} />
                      <Chip>{hows[one.how] ?? one.how}</Chip>
                      {one.approximate === true ? <Chip tone="warn">best match</Chip> : null}
                    </p>
                    <Quoted text={one.text} />
                  </li>
                )}
              </Some>
            </ul>
          </div>
        ) : null
      }
    </Shown>
  );
}
