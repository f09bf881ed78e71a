import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { changeUndoable, Field, Old, unchangedSince } from "../changes.tsx";
import { hrefOf, useAnswer } from "../live.ts";
import { bodyOf, dayName, dayOf, placeOf } from "../memory-text.ts";
import { Confirm, Lines, PlaceLink, Shown } from "../parts.tsx";
import type { ShownTopic } from "./topics-detail.tsx";

/** An entry of a topic: its lines, and what can be done about it. */
export function TopicEntry({
  range,
  topic,
}: {
  readonly range: ShownTopic["places"][number];
  readonly topic: ShownTopic;
}): JSX.Element {
  const [open, setOpen] = useState<"lines" | "edit" | "remove" | undefined>(undefined);
  const place = placeOf(range);
  const day = dayOf(range.path);
  return (
    <li class="topic-entry">
      <p class="row small">
        {day === undefined ? null : <b>{dayName(day)}</b>}
        <PlaceLink place={place} />
        <span class="row actions">
          <button
            type="button"
            class="plain"
            aria-expanded={open === "lines"}
            onClick={() => setOpen(open === "lines" ? undefined : "lines")}
          >
            {open === "lines" ? "Hide" : "Show"}
          </button>
          {topic.naming === "given" ? (
            <>
              <button type="button" class="plain" onClick={() => setOpen("edit")}>
                Edit…
              </button>
              <button type="button" class="plain" onClick={() => setOpen("remove")}>
                Remove…
              </button>
            </>
          ) : null}
          <a href={hrefOf("health", { tab: "forget", place })}>Forget…</a>
        </span>
      </p>
      {open === "lines" ? <EntryLines place={place} first={range.lines[0]} /> : null}
      {open === "edit" || open === "remove" ? (
        <EntryDialog kind={open} place={place} first={range} onClose={() => setOpen(undefined)} />
      ) : null}
    </li>
  );
}

function EntryLines({ place, first }: { readonly place: string; readonly first: number }): JSX.Element {
  const read = useAnswer("memory.read", { place });
  return (
    <Shown of={read}>
      {({ text, next }) => (
        <>
          <Lines text={text} first={first} />
          {next === null ? null : <a href={hrefOf("read", { place: next })}>More</a>}
        </>
      )}
    </Shown>
  );
}

function EntryDialog({
  kind,
  place,
  first,
  onClose,
}: {
  readonly kind: "edit" | "remove";
  readonly place: string;
  readonly first: ShownTopic["places"][number];
  readonly onClose: () => void;
}): JSX.Element {
  const read = useAnswer("memory.read", { place });
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const check = useMemo(() => unchangedSince(place), [place]);
  const entry = `${first.path}:${first.lines[0]}`;
  const before = read.value === undefined ? undefined : bodyOf(read.value.text);
  const body = typed ?? before ?? "";
  const send = async (): Promise<void> => {
    await (kind === "edit"
      ? changeUndoable("log.edit", { entry, body }, `Edited the entry ${entry}.`, undefined, check)
      : changeUndoable("log.remove", { entry }, `Removed the entry ${entry}.`, undefined, check));
    onClose();
  };
  const [title, action, says] =
    kind === "edit"
      ? [
          "Edit the entry",
          "Save",
          "The new text is added to the log of the same day, and the old entry is no longer used.",
        ]
      : ["Remove the entry", "Remove", "The entry is no longer used in nodes, ROOT.md, recall and search."];
  return (
    <Confirm title={title} action={action} onYes={send} onNo={onClose}>
      <p>
        {says} The old lines stay in <code>{place}</code>. You can undo this.
      </p>
      {read.value?.next === null || read.value === undefined ? null : (
        <p class="note warn">The entry is longer than what is shown. Edit it in its file.</p>
      )}
      {kind === "remove" ? (
        <Old text={before ?? "…"} />
      ) : (
        <Field label="Text">
          <textarea
            rows={10}
            dir="auto"
            value={body}
            disabled={before === undefined}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
      )}
    </Confirm>
  );
}
