import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { change } from "../changes.tsx";
import { go, hrefOf, useAnswer, type Place } from "../live.ts";
import { bytes, Chip, Confirm, counted, Empty, number, Shown } from "../parts.tsx";
import { AuditHistory } from "./health-history.tsx";
import { ChangeLines } from "./health-change.tsx";
import { Folded } from "./health-folded.tsx";
import { shortPlace, useKept } from "./place-lines.tsx";

type Audit = Answer<"audit.run">;
export type Action = Audit["actions"][number];

const tones = { high: "bad", medium: "warn", low: undefined } as const;
const severities = ["high", "medium", "low"] as const;

/** What an audit finds and proposes, and the audits that changed something. */
export function AuditTab({ place: { params } }: { readonly place: Place }): JSX.Element {
  const aggressive = params.get("aggressive") === "yes";
  const at = params.get("at") ?? "";
  const audit = useKept(useAnswer("audit.run", { dry_run: true, ...(aggressive && { aggressive }) }));
  return (
    <>
      <Shown of={audit}>
        {(result) => (
          <>
            <Figures result={result} />
            <div class="columns">
              <div>
                <Proposed isWaiting={audit.waiting} result={result} aggressive={aggressive} at={at} />
                <Findings result={result} />
              </div>
              <section class="sheet detail" aria-label="Before and after" tabIndex={-1}>
                {at === "" ? (
                  <p class="quiet">Choose a change to see the file before and after.</p>
                ) : (
                  <ChangeLines path={at} actions={result.actions.filter(({ path }) => path === at)} />
                )}
              </section>
            </div>
          </>
        )}
      </Shown>
      <AuditHistory />
    </>
  );
}

function Figures({ result }: { readonly result: Audit }): JSX.Element {
  const figures = [
    ["MEMORY.md", result.memory_size_before === 0 ? "none" : bytes(result.memory_size_before)],
    ["Its tokens", number(result.memory_bpe_tokens)],
    ["Its lines", number(result.memory_lines)],
    ["Repeated lines", number(result.internal_duplicates)],
    ["Large notes", number(result.daily_notes.filter(({ over }) => over !== null).length)],
  ] as const;
  return (
    <dl class="figures sheet">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Proposed({
  result: { actions },
  aggressive,
  at,
  isWaiting,
}: {
  readonly isWaiting: boolean;
  readonly result: Audit;
  readonly aggressive: boolean;
  readonly at: string;
}): JSX.Element {
  const [asking, setAsking] = useState(false);
  const paths = [...new Set(actions.map(({ path }) => path))];
  const saved = actions.reduce((sum, one) => sum + one.bytes, 0);
  return (
    <section class="sheet" aria-label="Proposed changes">
      <div class="row spread">
        <h2>Proposed changes {isWaiting ? <span class="small quiet waiting">Looking…</span> : null}</h2>
        <label class="check-label small">
          <input
            type="checkbox"
            checked={aggressive}
            onChange={({ currentTarget: { checked } }) =>
              go("health", { aggressive: checked ? "yes" : undefined }, "replace")
            }
          />
          Aggressive: also MEMORY.md and notes over 30 KB
        </label>
      </div>
      {actions.length === 0 ? (
        <p class="quiet">Nothing to change.</p>
      ) : (
        <>
          <Folded most={12} label="changes" listOf={paths} rows="chosen">
            {(path) => (
              <a
                class="choose"
                aria-current={path === at ? "true" : undefined}
                href={hrefOf("health", { aggressive: aggressive ? "yes" : undefined, at: path })}
              >
                <span class="place">{path}</span>
                {actions
                  .filter((one) => one.path === path)
                  .map(({ message, state, bytes: less }, index) => (
                    <span key={index} class="change-line small" dir="auto">
                      {message} <span class="quiet">−{bytes(less)}</span>
                      {state === "left" ? <Chip tone="warn">left</Chip> : null}
                    </span>
                  ))}
              </a>
            )}
          </Folded>
          <div class="row spread apply-row">
            <span class="quiet small">
              {counted(paths.length, "file")}, {bytes(saved)} less
            </span>
            <button type="button" class="primary" onClick={() => setAsking(true)}>
              Apply…
            </button>
          </div>
        </>
      )}
      {asking ? (
        <ApplyDialog
          paths={paths}
          saved={saved}
          changes={actions.length}
          aggressive={aggressive}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
}

function ApplyDialog({
  paths,
  saved,
  changes,
  aggressive,
  onClose,
}: {
  readonly paths: readonly string[];
  readonly saved: number;
  readonly changes: number;
  readonly aggressive: boolean;
  readonly onClose: () => void;
}): JSX.Element {
  const apply = async (): Promise<void> => {
    await change("audit.run", { apply: true, aggressive }, ({ actions, id }) => {
      const done = actions.filter(({ state }) => state === "done").length;
      return `${counted(done, "change")} made${id === null ? "" : ` (audit ${id})`}.`;
    });
    onClose();
  };
  return (
    <Confirm title="Apply the proposed changes?" action="Apply" onYes={apply} onNo={onClose}>
      <p>
        {counted(changes, "change")} in {counted(paths.length, "file")}, {bytes(saved)} less. The tree does not change,
        and Undo restores every byte.
      </p>
      <ul>
        {paths.slice(0, 20).map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
        {paths.length > 20 ? <li>and {number(paths.length - 20)} more</li> : null}
      </ul>
    </Confirm>
  );
}

function Findings({ result: { findings } }: { readonly result: Audit }): JSX.Element {
  return (
    <section class="sheet" aria-label="Findings">
      <h2>Findings</h2>
      {findings.length === 0 ? <Empty title="The audit found nothing." /> : null}
      {severities.map((severity) => {
        const mine = findings.filter((one) => one.severity === severity);
        if (mine.length === 0) return null;
        return (
          <details key={severity} open={severity !== "low" || mine.length === findings.length}>
            <summary>
              <Chip tone={tones[severity]}>{severity}</Chip> {counted(mine.length, "finding")}
            </summary>
            <Folded most={10} label={`${severity} findings`} listOf={mine}>
              {({ code, path, lines, message }) => {
                const place = shortPlace(path, lines);
                return (
                  <div class="finding">
                    <span class="row">
                      <a class="place" href={hrefOf("read", { place })}>
                        {place}
                      </a>
                      <code class="quiet">{code}</code>
                    </span>
                    <span dir="auto">{message}</span>
                  </div>
                );
              }}
            </Folded>
          </details>
        );
      })}
    </section>
  );
}
