import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, call, type Answer, type Input } from "../api.ts";
import { whileHeld, type Place } from "../live.ts";
import { Empty, Failed, notify } from "../parts.tsx";
import { ForgetPreview, whatGoes } from "./forget-preview.tsx";
import { ForgetProof } from "./forget-proof.tsx";

export type Forgotten = Answer<"memory.forget">;

const kinds = {
  text: { title: "Text", hint: "a text in it" },
  place: { title: "Place", hint: "memory/2026-03-15.md:12-13 or thread:ID:5" },
  day: { title: "Day", hint: "2026-03-15" },
  topic: { title: "Topic", hint: "the name of a topic" },
  thread: { title: "Thread", hint: "the id of a thread" },
} as const;
type Kind = keyof typeof kinds;

/** The input of `heartwood forget`; `undefined` if a place is neither lines of a log nor a message. */
function inputOf(kind: Kind, what: string): Input | undefined {
  if (kind !== "place") return { [kind]: what };
  const log = /^memory\/(\d{4}-\d\d-\d\d[^/:]*)\.md(?::(\d+(?:-\d+)?))?$/u.exec(what);
  if (log !== null) return { day: log[1], lines: log[2] };
  const message = /^thread:(\S+):(\d+)(?:-\2)?$/u.exec(what);
  return message === null ? undefined : { thread: message[1], message: message[2] };
}

type State =
  | { readonly is: "asked" }
  | { readonly is: "looking" }
  | { readonly is: "failed"; readonly error: ApiError }
  | { readonly is: "seen" | "forgetting" | "done"; readonly input: Input; readonly result: Forgotten };

/** Shows what a forgetting would remove, and does it once the code is typed. The text is never kept in the address. */
export function ForgetTab({ place: { params } }: { readonly place: Place }): JSX.Element {
  const topic = params.get("topic") ?? "";
  const given = topic === "" ? (params.get("place") ?? "") : topic;
  const givenKind = topic === "" ? "place" : "topic";
  const [kind, setKind] = useState<Kind>(given === "" ? "text" : givenKind);
  const [what, setWhat] = useState(given);
  const [typed, setTyped] = useState("");
  const [state, setState] = useState<State>({ is: "asked" });
  const look = async (input: Input | undefined): Promise<void> => {
    setTyped("");
    if (input === undefined) {
      const message =
        "Only lines of a log and messages of a thread can be forgotten by their place; give the text instead.";
      setState({ is: "failed", error: new ApiError("usage", message, 400) });
      return;
    }
    setState({ is: "looking" });
    try {
      setState({ is: "seen", input, result: await call("memory.forget", { ...input, dry_run: true }) });
    } catch (error) {
      if (error instanceof ApiError) setState({ is: "failed", error });
    }
  };
  useEffect(() => {
    if (given === "") return;
    setKind(givenKind);
    setWhat(given);
    void look(inputOf(givenKind, given));
  }, [given, givenKind]);
  const forget = async (input: Input, result: Forgotten): Promise<void> => {
    setState({ is: "forgetting", input, result });
    try {
      const now = await whileHeld(() => call("memory.forget", { ...input, code: result.code }));
      setTyped("");
      // Something was logged or forgotten in between.
      if (now.state === "planned") {
        notify({ tone: "bad", text: "What would go has changed since; look again." });
        setState({ is: "seen", input, result: now });
        return;
      }
      notify({ tone: "good", text: `Forgotten: ${whatGoes(result)}.` });
      setState({ is: "done", input, result: now });
    } catch (error) {
      if (error instanceof ApiError) setState({ is: "failed", error });
    }
  };
  return (
    <>
      <form
        class="sheet forget-form"
        onSubmit={(event) => {
          event.preventDefault();
          void look(inputOf(kind, what.trim()));
        }}
      >
        <label class="field">
          <span>Forget a</span>
          <select value={kind} onChange={({ currentTarget: { value } }) => setKind(value as Kind)}>
            {Object.entries(kinds).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{kinds[kind].title}</span>
          <input
            dir="auto"
            autocomplete="off"
            placeholder={kinds[kind].hint}
            value={what}
            onInput={({ currentTarget: { value } }) => setWhat(value)}
          />
        </label>
        <button type="submit" disabled={what.trim() === "" || state.is === "looking"}>
          {state.is === "looking" ? "Looking…" : "Show what would go"}
        </button>
      </form>
      {state.is === "asked" ? (
        <Empty title="Forgetting is for good.">
          It erases lines and messages everywhere, with all that was made from them. Nothing goes before you have seen
          it and typed a code.
        </Empty>
      ) : state.is === "looking" ? (
        <p class="quiet waiting">Looking through every file…</p>
      ) : state.is === "failed" ? (
        <Failed error={state.error} />
      ) : (
        <section class="sheet" aria-label={state.is === "done" ? "Forgotten" : "What would go"}>
          <ForgetPreview result={state.result} />
          {state.is === "done" ? <ForgetProof input={state.input} result={state.result} /> : null}
          {state.is === "done" || state.result.state !== "planned" ? null : (
            <form
              class="row forget-yes"
              onSubmit={(event) => {
                event.preventDefault();
                if (typed.trim() === state.result.code && state.is === "seen") void forget(state.input, state.result);
              }}
            >
              <label class="row">
                <span>
                  Type <code class="forget-code">{state.result.code}</code> to forget {whatGoes(state.result)}
                </span>
                <input
                  size={8}
                  autocomplete="off"
                  spellcheck={false}
                  value={typed}
                  aria-label="Code"
                  onInput={({ currentTarget: { value } }) => setTyped(value)}
                />
              </label>
              <button
                type="submit"
                class="danger"
                disabled={typed.trim() !== state.result.code || state.is === "forgetting"}
              >
                {state.is === "forgetting" ? "Forgetting…" : "Forget for good"}
              </button>
            </form>
          )}
        </section>
      )}
    </>
  );
}
