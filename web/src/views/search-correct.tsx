import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { ApiError, call } from "../api.ts";
import { unchangedSince } from "../changes.tsx";
import { refresh } from "../live.ts";
import { Confirm, Failed, notify } from "../parts.tsx";

/** Asks what is right, and records it in place of what is wrong. */
export function CorrectDialog({
  place,
  text,
  topic: usual,
  query,
  onClose,
}: {
  readonly place: string;
  readonly text: string;
  readonly topic: string;
  readonly query: string;
  readonly onClose: () => void;
}): JSX.Element {
  const [topic, setTopic] = useState(usual === "" ? query.slice(0, 80) : usual);
  const [body, setBody] = useState("");
  const [error, setError] = useState<ApiError | undefined>(undefined);
  const check = useMemo(() => unchangedSince(place), [place]);
  const correct = async (): Promise<void> => {
    try {
      await check();
      const { path, lines } = await call("log.add", { topic, body, corrects: place, origin: "user" });
      notify({ tone: "good", text: `Recorded in ${path}:${lines.join("-")}. ${place} is no longer given.` });
      onClose();
      refresh();
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
    }
  };
  return (
    <Confirm title="Correct what is remembered" action="Record it" onYes={correct} onNo={onClose}>
      <p>
        An entry with what is right goes into today's log. No recall gives these lines of <code>{place}</code> again;
        the file keeps them.
      </p>
      <blockquote class="correct-old" dir="auto">
        <del>{text.length > 600 ? `${text.slice(0, 600)}…` : text}</del>
      </blockquote>
      <label class="field">
        <span>What is right</span>
        <textarea rows={3} dir="auto" value={body} onInput={({ currentTarget: { value } }) => setBody(value)} />
      </label>
      <label class="field">
        <span>Topic</span>
        <input dir="auto" value={topic} onInput={({ currentTarget: { value } }) => setTopic(value)} />
      </label>
      {error === undefined ? null : <Failed error={error} />}
    </Confirm>
  );
}
