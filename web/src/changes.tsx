import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiError, call, type Answer, type Input, type OperationName } from "./api.ts";
import { whileHeld } from "./live.ts";
import { Confirm, notify, type Notice } from "./parts.tsx";

/** Operations after which nodes and ROOT.md are old until the next compaction. */
const addsEntries: readonly OperationName[] = ["log.add", "log.promote"];

/**
 * Does something that writes: says what was done, with the warnings of its result, and asks again for what is shown. `check` throws if it must not be done any more.
 * Errors: `ApiError`, which a `Confirm` shows; outside of one, use `reported`.
 */
export async function change<Name extends OperationName>(
  name: Name,
  input: Input,
  done: string | ((result: Answer<Name>) => string | Notice) | undefined,
  check?: () => Promise<void>,
): Promise<Answer<Name>> {
  await check?.();
  const result = await whileHeld(async () => {
    const answer = await call(name, input);
    // Others compact by themselves.
    if (addsEntries.includes(name)) await call("tree.compact");
    return answer;
  });
  const told = typeof done === "function" ? done(result) : done;
  if (told !== undefined) notify(typeof told === "string" ? { tone: "good", text: told } : told);
  const { warnings = [] } = (result ?? {}) as { readonly warnings?: readonly { readonly message: string }[] };
  for (const { message } of warnings.slice(0, 2)) notify({ tone: "bad", text: message });
  return result;
}

/** Says why a change failed, where no dialog shows it. */
export async function reported(changing: Promise<unknown>): Promise<void> {
  try {
    await changing;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notify({ tone: "bad", text: error.message });
  }
}

/** Remembers the lines at a place, and checks later whether they are still there: lines move if others are forgotten or merged. Errors: `ApiError`. */
export function unchangedSince(place: string): () => Promise<void> {
  const linesNow = async (): Promise<string | undefined> =>
    call("memory.read", { place }).then(
      ({ text }) => text,
      () => undefined,
    );
  const before = linesNow();
  return async () => {
    if ((await before) === (await linesNow())) return;
    const message = `Other lines are at this place now (${place}), so nothing was changed. Close this and look again.`;
    throw new ApiError("changed_by_other", message, 409);
  };
}

interface Undoable {
  readonly done: string;
  readonly undo: () => Promise<unknown>;
}

/** What was changed last and can be undone; `undefined` if nothing. */
let undoable: Undoable | undefined;
const watchers = new Set<() => void>();

/** As `change`, for what `log.undo` takes back: the page then offers to undo it. */
export async function changeUndoable(
  name: OperationName,
  input: Input,
  done: string,
  onUndone?: () => void,
  check?: () => Promise<void>,
): Promise<void> {
  const { record } = (await change(name, input, undefined, check)) as { readonly record?: string };
  offerUndo({
    done,
    undo: async () => {
      await change("log.undo", { record }, `Undone: ${done}`);
      onUndone?.();
    },
  });
}

/** Offers to undo what was just done. */
export function offerUndo(next: Undoable | undefined): void {
  undoable = next;
  for (const tell of watchers) tell();
}

/** The last change, with a button that undoes it. */
export function UndoBar(): JSX.Element | null {
  const [offered, setOffered] = useState(undoable);
  const [state, setState] = useState<"ready" | "undoing">("ready");
  useEffect(() => {
    const tell = (): void => setOffered(undoable);
    watchers.add(tell);
    return () => void watchers.delete(tell);
  }, []);
  if (offered === undefined) return null;
  const { done } = offered;
  const undo = async (): Promise<void> => {
    setState("undoing");
    const undone = async (): Promise<void> => {
      await offered.undo();
      offerUndo(undefined);
    };
    await reported(undone());
    setState("ready");
  };
  return (
    <div class="note good row spread undo-bar" role="status">
      <span dir="auto">{done}</span>
      <span class="row">
        <button type="button" class="small" disabled={state === "undoing"} onClick={() => void undo()}>
          {state === "undoing" ? "Undoing…" : "Undo"}
        </button>
        <button type="button" class="plain small" aria-label="Hide" onClick={() => offerUndo(undefined)}>
          ×
        </button>
      </span>
    </div>
  );
}

export function Old({ text }: { readonly text: string }): JSX.Element {
  const shown = text.trim();
  return (
    <blockquote class="quoted" dir="auto">
      {shown.length > 600 ? `${shown.slice(0, 600)}…` : shown}
    </blockquote>
  );
}

export function Field({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  );
}

interface Given {
  readonly place: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Says what is right in place of some lines. */
export function CorrectDialog({
  place,
  text,
  topic: first,
  type,
  onClose,
}: Given & { readonly topic: string; readonly type: string }): JSX.Element {
  const [topic, setTopic] = useState(first);
  const [right, setRight] = useState("");
  const [says, setSays] = useState("");
  const check = useMemo(() => unchangedSince(place), [place, text]);
  const send = async (): Promise<void> => {
    if (topic.trim() === "" || right.trim() === "") return setSays("Fill in the topic and what is right.");
    const isRule = type === "feedback";
    const lines = right.trim().split("\n");
    const body = lines.length === 1 && !right.startsWith("- ") ? `- ${right.trim()}` : right.trim();
    const words = isRule ? { type, rule: right.trim() } : { body, ...(type === "" ? {} : { type }) };
    const input = { topic: topic.trim(), corrects: place, origin: "user", ...words };
    await change("log.add", input, `Corrected ${place}.`, check);
    onClose();
  };
  return (
    <Confirm title="Correct these lines" action="Add the correction" onYes={send} onNo={onClose}>
      <p>
        An entry is added to today's log. The old lines stay in <code>{place}</code>, but ROOT.md, recall and start
        texts no longer give them.
      </p>
      <Old text={text} />
      <div class="form">
        <Field label="Topic">
          <input value={topic} dir="auto" onInput={(event) => setTopic(event.currentTarget.value)} />
        </Field>
        <Field label="What is right">
          <textarea
            rows={3}
            value={right}
            dir="auto"
            autofocus
            onInput={(event) => setRight(event.currentTarget.value)}
          />
        </Field>
      </div>
      <p role="alert" class="small bad-text">
        {says}
      </p>
    </Confirm>
  );
}

/** Turns what the user said into a rule for agents, or a fact about the user. */
export function PromoteDialog({ place, text, onClose }: Given): JSX.Element {
  const [type, setType] = useState("feedback");
  const [topic, setTopic] = useState("");
  const check = useMemo(() => unchangedSince(place), [place, text]);
  const send = async (): Promise<void> => {
    const input = { place, type, ...(topic.trim() === "" ? {} : { topic: topic.trim() }) };
    await change("log.promote", input, `Added to today's log as ${type}.`, check);
    onClose();
  };
  return (
    <Confirm title="Promote what the user said" action="Promote" onYes={send} onNo={onClose}>
      <p>The user's sentence is added to today's log, word for word.</p>
      <Old text={text} />
      <div class="form">
        <Field label="As">
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            <option value="feedback">feedback: a rule for agents</option>
            <option value="user">user: a fact about the user</option>
          </select>
        </Field>
        <Field label="Topic (optional)">
          <input
            value={topic}
            dir="auto"
            placeholder="from the line"
            onInput={(event) => setTopic(event.currentTarget.value)}
          />
        </Field>
      </div>
    </Confirm>
  );
}
