import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { changeUndoable, Field } from "../changes.tsx";
import { Confirm, counted } from "../parts.tsx";
import type { ShownTopic } from "./topics-detail.tsx";
import type { TopicList } from "./topics-list.tsx";

/** Gives a topic another name, or makes it part of another topic. */
export function RenameDialog({
  kind,
  topic,
  list,
  onClose,
  onDone,
}: {
  readonly kind: "rename" | "merge";
  readonly topic: ShownTopic;
  readonly list: TopicList;
  readonly onClose: () => void;
  readonly onDone: (name: string) => void;
}): JSX.Element {
  const from = topic.topic;
  const [to, setTo] = useState(kind === "rename" ? from : "");
  const [says, setSays] = useState("");
  const other = list.topics.find((one) => one.topic.toLocaleLowerCase() === to.trim().toLocaleLowerCase());
  const send = async (): Promise<void> => {
    const name = to.trim();
    if (name === "" || name === from) return setSays("Type another name.");
    if (kind === "merge" && other === undefined) return setSays(`There is no topic "${name}". Choose one of the list.`);
    const done = kind === "rename" ? `Renamed "${from}" to "${name}".` : `Merged "${from}" into "${name}".`;
    await changeUndoable(kind === "rename" ? "topic.rename" : "topic.merge", { from, to: name }, done, () =>
      onDone(from),
    );
    onDone(name);
  };
  const entries = counted(topic.entries, "entry", "entries");
  return (
    <Confirm
      title={kind === "rename" ? `Rename "${from}"` : `Merge "${from}"`}
      action={kind === "rename" ? "Rename" : "Merge"}
      onYes={send}
      onNo={onClose}
    >
      <p>
        {kind === "rename"
          ? `Nodes, ROOT.md, recall and search show ${entries} under the new name.`
          : `${entries} become part of the other topic.`}{" "}
        The logs keep their bytes, and you can undo this.
      </p>
      <div class="form">
        <Field label={kind === "rename" ? "New name" : "Into"}>
          <input
            value={to}
            dir="auto"
            autofocus
            {...(kind === "merge" ? { list: "topic-names" } : {})}
            onInput={(event) => setTo(event.currentTarget.value)}
          />
        </Field>
        {kind === "merge" ? (
          <datalist id="topic-names">
            {list.topics
              .filter((one) => one.topic !== from)
              .slice(0, 500)
              .map((one) => (
                <option key={one.topic} value={one.topic} />
              ))}
          </datalist>
        ) : null}
      </div>
      {kind === "merge" && other !== undefined ? (
        <p class="small">
          "{other.topic}" has {counted(other.entries, "entry", "entries")} from {other.first_day} to {other.last_day}.
        </p>
      ) : null}
      <p role="alert" class="small bad-text">
        {says}
      </p>
    </Confirm>
  );
}
