import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { CorrectDialog, UndoBar } from "../changes.tsx";
import { go, hrefOf, useAnswer, type Place } from "../live.ts";
import { Bar, Chip, counted, Empty, number, Shown } from "../parts.tsx";
import { reasonsOf, type Passage } from "../reasons.ts";
import { ago, PlaceLines, useKept, useReturn } from "./place-lines.tsx";
import { PinButton, PinList } from "./search-pins.tsx";

type Recalled = Extract<Answer<"memory.recall">, { readonly context: unknown }>;

const usualBudget = 2_000;
const [least, most] = [100, 200_000];

/** A message, and the passages that an agent would get for it. */
export function RecallTab({ place: { params } }: { readonly place: Place }): JSX.Element {
  const text = params.get("text") ?? "";
  const also = params.get("also") ?? "";
  const at = params.get("at") ?? "";
  const budget = Math.min(most, Math.max(least, Number(params.get("budget")) || usualBudget));
  const [typed, setTyped] = useState({ text, also, budget: String(budget) });
  useEffect(() => setTyped({ text, also, budget: String(budget) }), [text, also, budget]);
  const given = { tab: "recall", text, also, budget };
  const asked = useAnswer(
    "memory.recall",
    text === "" ? undefined : { text, also: also === "" ? undefined : also, budget, explain: true },
  );
  const recalled = useKept(asked);
  useReturn(at);
  const submit = (): void => go("search", { ...given, ...typed, text: typed.text.trim(), at: undefined });
  return (
    <>
      <form class="sheet recall-form" onSubmit={(event) => (event.preventDefault(), submit())}>
        <label class="field recall-message">
          <span>Message</span>
          <textarea
            rows={2}
            dir="auto"
            placeholder="What the user says to the agent"
            value={typed.text}
            onInput={({ currentTarget: { value } }) => setTyped({ ...typed, text: value })}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
              event.preventDefault();
              submit();
            }}
          />
        </label>
        <label class="field">
          <span>Other words for it</span>
          <input
            dir="auto"
            placeholder="synonyms, names"
            value={typed.also}
            onInput={({ currentTarget: { value } }) => setTyped({ ...typed, also: value })}
          />
        </label>
        <label class="field">
          <span>Budget in tokens</span>
          <input
            type="number"
            min={least}
            max={most}
            step="100"
            value={typed.budget}
            onInput={({ currentTarget: { value } }) => setTyped({ ...typed, budget: value })}
          />
        </label>
        <button type="submit" class="primary" disabled={typed.text.trim() === ""}>
          {asked.waiting && text !== "" ? "Recalling…" : "Recall"}
        </button>
      </form>
      <UndoBar />
      {text === "" ? (
        <Empty title="Write a message to see what an agent would recall.">
          In a terminal: <code>heartwood recall --explain "…"</code>.
        </Empty>
      ) : (
        <div class={`columns search-columns${at === "" ? "" : " open"}`}>
          <section class="search-list" aria-label="Passages" aria-busy={recalled.waiting}>
            <Shown of={recalled}>
              {(result) =>
                "context" in result ? <Passages result={result} budget={budget} at={at} hrefAt={given} /> : null
              }
            </Shown>
          </section>
          <section class="sheet detail" aria-label="Lines" tabIndex={-1}>
            {at === "" ? (
              <p class="quiet">Choose a place to see its lines.</p>
            ) : (
              <>
                <button type="button" class="plain small back" onClick={() => go("search", given)}>
                  ← Passages
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

const steps = { root: "ROOT.md", manifest: "Nodes", search: "Search" } as const;

function Passages({
  result: { context, tokens, tokens_printed, steps: taken, query },
  budget,
  at,
  hrefAt,
}: {
  readonly result: Recalled;
  readonly budget: number;
  readonly at: string;
  readonly hrefAt: Readonly<Record<string, string | number>>;
}): JSX.Element {
  const [wrong, setWrong] = useState<Passage | undefined>(undefined);
  const greatest = Math.max(...context.map((one) => sumOf(partsOfScore(one))), 0);
  return (
    <>
      <div class="sheet">
        <Bar label="Budget" of={budget} parts={[{ name: "passages", value: tokens }]} />
        <p class="quiet small">
          {counted(context.length, "passage")}. The budget counts their own words; with days, places and the marks
          around them, the agent reads {counted(tokens_printed, "token")}.
        </p>
        <details>
          <summary>How they were found</summary>
          <table>
            <thead>
              <tr>
                <th>Step</th>
                <th class="figure">Considered</th>
                <th class="figure">Kept</th>
                <th class="figure">Time</th>
              </tr>
            </thead>
            <tbody>
              {taken.map(({ layer, step, took_ms, candidates, kept, notes }, index) => (
                <tr key={index}>
                  <td>
                    {steps[step]}
                    {layer === undefined ? "" : ` (${layer})`}
                    <div class="quiet small step-notes" dir="auto">
                      {notes.join(step === "search" ? ", " : "\n")}
                    </div>
                  </td>
                  <td class="figure">{number(candidates)}</td>
                  <td class="figure">{number(kept)}</td>
                  <td class="figure">{took_ms} ms</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </div>
      <PinList hrefAt={hrefAt} />
      {context.length === 0 ? (
        <Empty title="No relevant memories found.">Try other words for it.</Empty>
      ) : (
        <ol class="passages">
          {context.map((passage, index) => (
            <li key={`${passage.layer ?? ""} ${passage.source} ${index}`} class="sheet passage">
              <div class="row spread">
                <a
                  class="place"
                  aria-current={passage.source === at ? "true" : undefined}
                  data-place={passage.source}
                  href={hrefOf("search", { ...hrefAt, at: passage.source })}
                >
                  {passage.source.replace(/:(\d+)-\1$/u, ":$1")}
                </a>
                <span class="row small quiet">
                  {passage.pinned === true ? <Chip tone="good">pinned</Chip> : null}
                  <Chip type={passage.type}>{passage.type}</Chip>
                  {passage.age_days === null ? null : <span title={passage.date ?? ""}>{ago(passage.age_days)}</span>}
                  {passage.speaker === null ? null : <span>{passage.speaker}</span>}
                  {passage.layer === undefined ? null : <Chip>{passage.layer}</Chip>}
                  {passage.warning === null || passage.warning === undefined ? null : (
                    <span title={passage.warning.says}>
                      <Chip tone="warn">{passage.warning.is}</Chip>
                    </span>
                  )}
                </span>
              </div>
              <p class="passage-text" dir="auto">
                {passage.text}
              </p>
              {passage.supersedes === undefined ? null : <p class="small quiet">{passage.supersedes}</p>}
              <p class="small quiet" dir="auto">
                {reasonsOf(passage, { context, steps: taken })}
              </p>
              <Reasons passage={passage} greatest={greatest} />
              <div class="row passage-actions">
                {passage.layer === undefined ? (
                  <>
                    <PinButton act={passage.pinned === true ? "recall.unpin" : "recall.pin"} place={passage.source} />
                    <PinButton act="recall.never" place={passage.source} />
                    <button type="button" class="plain" onClick={() => setWrong(passage)}>
                      Correct…
                    </button>
                  </>
                ) : null}
              </div>
            </li>
          ))}
        </ol>
      )}
      {wrong === undefined ? null : (
        <CorrectDialog
          place={wrong.source}
          text={wrong.text}
          topic={wrong.speaker === null && wrong.heading !== "" ? wrong.heading : query.slice(0, 80)}
          type={wrong.type}
          onClose={() => setWrong(undefined)}
        />
      )}
    </>
  );
}

type Part = NonNullable<Passage["why"]>[number];

/** The parts that are a number, without the marks that say which step found it. */
function partsOfScore({ why = [] }: Passage): readonly Part[] {
  return why.filter(({ part, score }) => !/^(?:step |answered by)/u.test(part) && score > 0);
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { score }) => sum + score, 0);
}

/** Why a passage is there: the parts of its score as a bar and as a table. */
function Reasons({ passage, greatest }: { readonly passage: Passage; readonly greatest: number }): JSX.Element | null {
  const { why = [], score } = passage;
  if (why.length === 0) return null;
  const parts = partsOfScore(passage);
  const scale = greatest === 0 ? 0 : 100 / greatest;
  return (
    <details class="reasons">
      <summary>
        <span class="small">Why</span>
        <svg
          class="bar score-bar"
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          role="img"
          aria-label={parts.map(({ part, score: one }) => `${part} ${one}`).join(", ")}
        >
          <rect class="bar-rest" width="100" height="4" />
          {parts.map(({ part, score: one }, at) => (
            <rect
              key={at}
              class={`tone-${(at % 6) + 1}`}
              x={sumOf(parts.slice(0, at)) * scale}
              width={one * scale}
              height="4"
            >
              <title>{`${part}: ${one}`}</title>
            </rect>
          ))}
        </svg>
      </summary>
      <table class="small">
        <tbody>
          {why.map(({ part, score: one }, at) => {
            const tone = parts.findIndex((other) => other.part === part);
            return (
              <tr key={at}>
                <th scope="row">
                  <i class={tone < 0 ? "dot" : `dot tone-${(tone % 6) + 1}`} /> {part}
                </th>
                <td class="figure">{part.startsWith("step ") ? "yes" : one}</td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">Score</th>
            <td class="figure">
              <b>{score}</b>
            </td>
          </tr>
        </tbody>
      </table>
    </details>
  );
}
