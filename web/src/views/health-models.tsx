import type { JSX } from "preact";
import { useAnswer } from "../live.ts";
import { Bar, Chip, counted, Empty, number, Shown } from "../parts.tsx";
import { Folded } from "./health-folded.tsx";

const requestTones = { answered: "good", failed: "bad", submitted: "good" } as const;

/** Requests to the model that writes summaries: by day, and each one. */
export function ModelsTab(): JSX.Element {
  const ledger = useAnswer("summaries.ledger");
  const pending = useAnswer("summaries.pending");
  const status = useAnswer("memory.status");
  return (
    <>
      <section class="sheet" aria-label="Model">
        <Shown of={status}>
          {({ summaries: { adapter, model } }) => (
            <p>
              {adapter === "off"
                ? "No model is configured: summaries are written without one, and nothing is sent."
                : adapter === "pull"
                  ? "Agents that ask for it may write summaries."
                  : `Summaries are written by ${model ?? adapter}.`}{" "}
            </p>
          )}
        </Shown>
        <Shown of={pending}>
          {({ jobs, hidden }) => (
            <p class="quiet">
              {counted(jobs.length + hidden.over_limit, "summary", "summaries")} that a model could write now.{" "}
              <code>heartwood summaries pending</code> lists them.
            </p>
          )}
        </Shown>
        <Shown of={ledger}>
          {({ spent, budgets }) => (
            <div class="budgets">
              <Bar
                label="Requests today"
                of={budgets.max_requests_per_day}
                unit="requests"
                parts={[{ name: "requests", value: spent.requests }]}
              />
              <Bar
                label="Tokens today"
                of={budgets.max_tokens_per_day}
                parts={[{ name: "tokens", value: spent.tokens }]}
              />
            </div>
          )}
        </Shown>
      </section>
      <Shown of={ledger}>
        {({ days, lines, torn }) =>
          lines.length === 0 ? (
            <Empty title="No request was ever sent.">
              <code>heartwood summaries run --dry-run</code> shows what a model would be asked.
            </Empty>
          ) : (
            <>
              <section class="sheet scroll-x" aria-label="By day">
                <h2>By day</h2>
                <table>
                  <thead>
                    <tr>
                      <th>Day</th>
                      {["Requests", "Tokens", "Accepted", "Refused", "Failed", "Submitted"].map((name) => (
                        <th key={name} class="figure">
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {days.map(({ day, requests, tokens, accepted, refused, failed, submitted }) => (
                      <tr key={day}>
                        <th scope="row">{day}</th>
                        {[requests, tokens, accepted, refused, failed, submitted].map((value, at) => (
                          <td key={at} class="figure">
                            {number(value)}
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              <section class="sheet" aria-label="Requests">
                <h2>Requests</h2>
                <Folded most={20} label="Requests" listOf={lines}>
                  {({ at, event, kind, label, model, tokens, outcome, codes, message }) => (
                    <div class="row ledger-line">
                      <time class="quiet small">{at.replace("T", " ").slice(0, 16)}</time>
                      <Chip tone={requestTones[event as "failed"]}>{event}</Chip>
                      <span>
                        {kind} {label}
                      </span>
                      {outcome === undefined ? null : (
                        <Chip tone={outcome === "accepted" ? "good" : "warn"}>{outcome}</Chip>
                      )}
                      {tokens === undefined ? null : <span class="quiet">{counted(tokens, "token")}</span>}
                      {model === undefined ? null : <span class="quiet">{model}</span>}
                      {codes === undefined || codes.length === 0 ? null : <code>{codes.join(", ")}</code>}
                      {message === undefined ? null : <span dir="auto">{message}</span>}
                    </div>
                  )}
                </Folded>
                {torn === 0 ? null : <p class="quiet">{counted(torn, "line")} of the ledger could not be read.</p>}
              </section>
            </>
          )
        }
      </Shown>
    </>
  );
}
