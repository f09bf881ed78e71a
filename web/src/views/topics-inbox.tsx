import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Answer, Input, OperationName } from "../api.ts";
import { change, changeUndoable, Old, reported, unchangedSince } from "../changes.tsx";
import { go, hrefOf, type Place } from "../live.ts";
import { Chip, Confirm, counted, Empty, number, PlaceLink } from "../parts.tsx";
import { Some } from "../shown-more.tsx";

type InboxValue = Answer<"memory.inbox">;
type Item = InboxValue["items"][number];
type Action = Item["actions"][number];

const kinds: readonly { readonly kind: Item["kind"]; readonly title: string; readonly tone?: "warn" | "bad" }[] = [
  { kind: "conflict_markers", title: "Conflict markers", tone: "bad" },
  { kind: "contradiction", title: "Replaced facts", tone: "warn" },
  { kind: "stale_reference", title: "Stale references", tone: "warn" },
  { kind: "spoken_rule", title: "Said by the user" },
];

/** What needs a person: each item with its texts and what can be done. */
export function Inbox({ inbox, place }: { readonly inbox: InboxValue; readonly place: Place }): JSX.Element {
  const kind = place.params.get("kind") ?? "";
  const items = inbox.items.filter((item) => kind === "" || item.kind === kind);
  const total = Object.values(inbox.counts).reduce((sum, count) => sum + count, 0);
  if (inbox.items.length === 0)
    return (
      <Empty title="Nothing needs you.">
        Replaced facts, stale references, rules that you said and conflict markers appear here.
      </Empty>
    );
  const choose = (name: string): void => go("topics", { tab: "inbox", kind: name }, "replace");
  return (
    <>
      <div class="row inbox-kinds" role="group" aria-label="Kinds">
        <button type="button" aria-pressed={kind === ""} onClick={() => choose("")}>
          All {number(total)}
        </button>
        {kinds
          .filter((one) => inbox.counts[one.kind] > 0)
          .map((one) => (
            <button key={one.kind} type="button" aria-pressed={kind === one.kind} onClick={() => choose(one.kind)}>
              {one.title} {number(inbox.counts[one.kind])}
            </button>
          ))}
        {inbox.dismissed === 0 ? null : <span class="quiet small">{number(inbox.dismissed)} dismissed</span>}
      </div>
      <Some items={items} first={30} label="more items">
        {(item) => <InboxItem key={item.id} item={item} />}
      </Some>
      {inbox.left_out === 0 ? null : (
        <p class="quiet small">{counted(inbox.left_out, "older item")} not listed: these come first.</p>
      )}
    </>
  );
}

function InboxItem({ item }: { readonly item: Item }): JSX.Element {
  const [asking, setAsking] = useState<Action | undefined>(undefined);
  const check = useRef<(() => Promise<void>) | undefined>(undefined);
  const ask = (action: Action): void => {
    const { corrects, place } = action.input as { readonly corrects?: string; readonly place?: string };
    const at = corrects ?? place;
    check.current = at === undefined ? undefined : unchangedSince(at);
    setAsking(action);
  };
  const kind = kinds.find((one) => one.kind === item.kind);
  const run = async (action: Action): Promise<void> => {
    const [name, input] = [action.operation as OperationName, action.input as Input];
    await (name === "memory.dismiss"
      ? changeUndoable(name, input, `Dismissed: ${item.message}`)
      : change(name, input, `${action.label}: done.`, check.current));
    setAsking(undefined);
  };
  return (
    <article class="sheet inbox-item" aria-label={item.message}>
      <p class="row small">
        <Chip tone={kind?.tone}>{kind?.title ?? item.kind}</Chip>
        {item.day === null ? null : <a href={hrefOf("tree", { period: item.day })}>{item.day}</a>}
      </p>
      <p class="inbox-message" dir="auto">
        {item.message}
      </p>
      {item.quotes.map(({ text, day, places }, at) => (
        <div key={at} class={item.kind === "contradiction" && at > 0 ? "inbox-older" : ""}>
          <Old text={text} />
          <p class="row small quiet inbox-places">
            {day === null ? null : <span>{day}</span>}
            {places.slice(0, 4).map((one) => (
              <PlaceLink key={one} place={one} />
            ))}
          </p>
        </div>
      ))}
      <div class="row">
        {item.actions.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            onRun={() => (action.operation === "memory.dismiss" ? void reported(run(action)) : ask(action))}
          />
        ))}
      </div>
      {asking === undefined ? null : (
        <Confirm title={asking.label} action="Do it" onYes={() => run(asking)} onNo={() => setAsking(undefined)}>
          <Preview action={asking} item={item} />
        </Confirm>
      )}
    </article>
  );
}

function ActionButton({ action, onRun }: { readonly action: Action; readonly onRun: () => void }): JSX.Element {
  if (action.operation === null) return <span class="quiet small">{action.label}</span>;
  const { day, lines } = action.input as { readonly day?: string; readonly lines?: string };
  if (action.operation === "memory.forget") {
    const [from, to] = (lines ?? "").split("-");
    const place = `memory/${day ?? ""}.md:${from === to ? (from ?? "") : (lines ?? "")}`;
    return <a href={hrefOf("health", { tab: "forget", place })}>{action.label}</a>;
  }
  return (
    <button type="button" onClick={onRun}>
      {action.label}
    </button>
  );
}

/** What an action would write. */
function Preview({ action, item }: { readonly action: Action; readonly item: Item }): JSX.Element {
  const input = action.input as Readonly<Record<string, string | undefined>>;
  if (action.operation === "log.promote")
    return (
      <>
        <p>
          The sentence is added to today's log as an entry of type <b>{input["type"] ?? "feedback"}</b>, word for word.
        </p>
        <Old text={item.quotes[0]?.text ?? ""} />
      </>
    );
  if (action.operation === "log.add")
    return (
      <>
        <p>
          An entry on <b dir="auto">{input["topic"]}</b> is added to today's log. It corrects{" "}
          <code>{input["corrects"]}</code>, which ROOT.md, recall and start texts no longer give.
        </p>
        <Old text={input["body"] ?? ""} />
      </>
    );
  return <Old text={item.message} />;
}
