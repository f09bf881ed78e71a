import type { JSX } from "preact";
import { counted, PlaceLink } from "../parts.tsx";
import { Folded } from "./health-folded.tsx";
import type { Forgotten } from "./health-forget.tsx";

/** "2 lines and 1 message". */
export function whatGoes({ lines, messages, fields, renames, files }: Forgotten): string {
  const parts = [
    ...(lines.length === 0 ? [] : [counted(lines.length, "line")]),
    ...(messages.length === 0 ? [] : [counted(messages.length, "message")]),
    ...(fields.length === 0 ? [] : [counted(fields.length, "field of a thread", "fields of threads")]),
    ...(renames.length === 0 ? [] : [counted(renames.length, "name of a topic", "names of topics")]),
  ];
  if (parts.length === 0) return `the text in ${counted(files.length, "file")} that heartwood made`;
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** What goes with it, by name: it is shown before a code is typed. */
function DerivedList({ derived }: { readonly derived: Forgotten["derived"] }): JSX.Element | null {
  const { sessions, rebuilt, removed } = derived;
  if (sessions.length + rebuilt.length + removed.length === 0) return null;
  return (
    <section aria-label="Made from it">
      <h3>Made from it</h3>
      {sessions.length === 0 ? null : (
        <>
          <p class="small">
            Records of sessions lose every text that may repeat it, whole: it may be there in other words.
          </p>
          <Folded most={10} label="Sessions" listOf={sessions}>
            {({ session, texts, of, first_at, last_at }) => (
              <span>
                <code>{session}</code>{" "}
                {texts === of ? `loses its record: ${counted(texts, "text")}` : `loses ${texts} of ${of} texts`},{" "}
                {daysFrom(first_at, last_at)}
              </span>
            )}
          </Folded>
        </>
      )}
      {removed.length === 0 ? null : (
        <>
          <p class="small">Removed:</p>
          <Folded most={10} label="Removed" listOf={removed}>
            {(path) => <code>{path}</code>}
          </Folded>
        </>
      )}
      {rebuilt.length === 0 ? null : (
        <>
          <p class="small">Made again, without it:</p>
          <Folded most={10} label="Made again" listOf={rebuilt}>
            {(path) => <code>{path}</code>}
          </Folded>
        </>
      )}
    </section>
  );
}

function daysFrom(first: string, last: string): string {
  const [from, to] = [first.slice(0, 10), last.slice(0, 10)];
  return from === to ? from : `${from} to ${to}`;
}

const titles = {
  planned: "This would go for good, with everything made from it",
  done: "Forgotten",
  nothing: "Nothing found to forget",
  finished: "Finished what was left to forget; nothing else found",
  already_forgotten: "That is already forgotten",
} as const;

interface Going {
  readonly where: string;
  readonly text: string;
}

/** What goes, by file, and what cannot be reached. */
export function ForgetPreview({ result }: { readonly result: Forgotten }): JSX.Element {
  const { state, lines, messages, fields, renames, files, shared, left, names, outside, warnings, derived } = result;
  const groups = new Map<string, Going[]>();
  const add = (file: string, going: Going): void => void groups.set(file, [...(groups.get(file) ?? []), going]);
  for (const { path, line, text } of lines) add(path, { where: String(line), text });
  for (const { thread_id, seq, text } of messages) add(`thread:${thread_id}`, { where: String(seq), text });
  for (const { thread_id, field, text } of fields) add(`thread:${thread_id}`, { where: field, text });
  const staying = [
    ...left.map((path) => `Still in ${path}: edit it yourself.`),
    ...names.map((name) =>
      name.startsWith("thread:")
        ? `Still in the id of ${name}, which cannot change.`
        : `Still in the name of ${name}: rename it yourself.`,
    ),
    ...(outside.commits === null || outside.commits.count === 0
      ? []
      : [`Still in ${counted(outside.commits.count, "commit")} of git, the newest ${outside.commits.newest ?? ""}.`]),
    ...outside.transcripts.map((path) => `Still in a client's transcript: ${path}`),
  ];
  return (
    <>
      <h2>{titles[state]}</h2>
      {[...groups].map(([file, going]) => (
        <section key={file} aria-label={file}>
          <h3>{state === "done" ? <code>{file}</code> : <PlaceLink place={file} />}</h3>
          <Folded most={30} label={file} listOf={going}>
            {({ where, text }) => (
              <span class="going">
                <span class="quiet">{where}</span>
                {state === "done" ? <span class="quiet">gone</span> : <span dir="auto">{text}</span>}
              </span>
            )}
          </Folded>
        </section>
      ))}
      {renames.map(({ from, to }) => (
        <p key={from}>
          The topic <b dir="auto">{from}</b> gets the name <b dir="auto">{to}</b>.
        </p>
      ))}
      {state === "planned" ? <DerivedList derived={derived} /> : null}
      {files.length === 0 ? null : (
        <details open={state === "planned"}>
          <summary>
            {state === "done"
              ? `${counted(files.length, "other file")} changed or removed`
              : `${counted(files.length, "other file")} made from it: made again, or removed`}
          </summary>
          <ul class="list small">
            {files.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {shared === 0 ? null : (
        <p class="quiet">{counted(shared, "line is", "lines are")} also in other entries, which stay.</p>
      )}
      {staying.map((sentence) => (
        <p key={sentence} class="note warn">
          {sentence}
        </p>
      ))}
      {warnings.map(({ message }) => (
        <p key={message} class="note warn">
          {message}
        </p>
      ))}
      {state === "done" || state === "planned" ? (
        <p class="quiet small">Backups and synced copies are not reached.</p>
      ) : null}
    </>
  );
}
