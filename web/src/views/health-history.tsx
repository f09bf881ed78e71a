import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../api.ts";
import { change } from "../changes.tsx";
import { useAnswer } from "../live.ts";
import { bytes, Chip, Confirm, counted, Shown } from "../parts.tsx";

type Past = Answer<"audit.history">["audits"][number];

const states = {
  after: "as the audit left it",
  before: "as it was before",
  changed: "changed since",
  missing: "missing",
} as const;

/** The audits that changed something, each with its undo. */
export function AuditHistory(): JSX.Element {
  const history = useAnswer("audit.history");
  const [asking, setAsking] = useState<Past | undefined>(undefined);
  return (
    <section class="sheet" aria-label="History">
      <h2>History</h2>
      <Shown of={history}>
        {({ audits, skipped }) => (
          <>
            {audits.length === 0 ? <p class="quiet">No audit has changed anything yet.</p> : null}
            <ul class="list" aria-label="Past audits">
              {audits.map((audit) => (
                <li key={audit.id} class="past-audit">
                  <div class="row spread">
                    <span class="row">
                      <time>{audit.at.replace("T", " ").slice(0, 16)}</time>
                      <code class="quiet">{audit.id}</code>
                      {audit.mode === "aggressive" ? <Chip>aggressive</Chip> : null}
                      <span class="small quiet">
                        {counted(audit.files.length, "file")},{" "}
                        {bytes(audit.files.reduce((sum, one) => sum + one.before_bytes - one.after_bytes, 0))} less
                      </span>
                    </span>
                    {audit.undone_at === null ? (
                      <button type="button" onClick={() => setAsking(audit)}>
                        Undo…
                      </button>
                    ) : (
                      <Chip>undone</Chip>
                    )}
                  </div>
                  <details>
                    <summary class="small">Files</summary>
                    <ul class="list small">
                      {audit.files.map((file) => (
                        <li key={file.path} class="row">
                          <code>{file.path}</code>
                          <span>
                            {bytes(file.before_bytes)} → {bytes(file.after_bytes)}
                          </span>
                          <span class="quiet">{states[file.now]}</span>
                        </li>
                      ))}
                    </ul>
                  </details>
                </li>
              ))}
            </ul>
            {skipped.map(({ path, message }) => (
              <p key={path} class="note warn">
                {message}
              </p>
            ))}
          </>
        )}
      </Shown>
      {asking === undefined ? null : <UndoDialog audit={asking} onClose={() => setAsking(undefined)} />}
    </section>
  );
}

function UndoDialog({ audit, onClose }: { readonly audit: Past; readonly onClose: () => void }): JSX.Element {
  const undo = async (): Promise<void> => {
    await change("audit.undo", { id: audit.id }, ({ restored, kept }) => {
      const rest = kept.length === 0 ? "" : ` Left alone: ${kept.map(({ message }) => message).join(" ")}`;
      return {
        tone: kept.length === 0 ? "good" : "bad",
        text: `${counted(restored.length, "file")} restored.${rest}`,
      };
    });
    onClose();
  };
  const changed = audit.files.filter(({ now }) => now === "changed" || now === "missing");
  return (
    <Confirm title="Undo this audit?" action="Undo" onYes={undo} onNo={onClose}>
      <p>{counted(audit.files.length, "file")} get their old bytes back. What was logged since then stays.</p>
      {changed.length === 0 ? null : (
        <p>
          {counted(changed.length, "file has", "files have")} changed since and may be left alone:{" "}
          {changed.map(({ path }) => path).join(", ")}.
        </p>
      )}
    </Confirm>
  );
}
