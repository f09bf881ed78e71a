import { render, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { hasToken, takeToken, type Answer } from "./api.ts";
import { useKeys } from "./keys.tsx";
import { hrefOf, useAnswer, useAskedAhead, useConnection, usePlace, type Place } from "./live.ts";
import { counted, Empty, Notices, number } from "./parts.tsx";
import { HealthView } from "./views/health.tsx";
import { NowView } from "./views/now.tsx";
import { ReadView } from "./views/read.tsx";
import { SearchView } from "./views/search.tsx";
import { SessionsView } from "./views/sessions.tsx";
import { mostThreads, ThreadsView } from "./views/threads.tsx";
import { TopicsView } from "./views/topics.tsx";
import { TreeView } from "./views/tree.tsx";

interface View {
  readonly name: string;
  readonly title: string;
  /** One line under the title. */
  readonly about: string;
  readonly Page: (given: { readonly place: Place }) => JSX.Element;
}

const views: readonly View[] = [
  { name: "now", title: "Now", about: "ROOT.md, as agents see it", Page: NowView },
  { name: "tree", title: "Tree", about: "Days, weeks and months, and the memory as of a day", Page: TreeView },
  { name: "topics", title: "Topics", about: "What is known about each topic, and what needs you", Page: TopicsView },
  { name: "search", title: "Search", about: "Find words, or see what an agent would recall", Page: SearchView },
  { name: "sessions", title: "Sessions", about: "What each session was given, and what it cost", Page: SessionsView },
  { name: "threads", title: "Threads", about: "Conversations, cut points and contexts", Page: ThreadsView },
  { name: "health", title: "Health", about: "Audit, checks, models, and forgetting", Page: HealthView },
];
const viewNames = views.map(({ name }) => name);
/** Shown in a view's frame, but not in the navigation. */
const reading: View = {
  name: "read",
  title: "Lines",
  about: "As they are in the file, with secrets replaced",
  Page: ReadView,
};

function App(): JSX.Element {
  const place = usePlace();
  const connection = useConnection();
  const main = useRef<HTMLElement>(null);
  const { name, title, about, Page } = [...views, reading].find((one) => one.name === place.view) ?? (views[0] as View);
  const { value: status } = useAnswer("memory.status");
  const { dialog, open } = useKeys(viewNames);
  useEffect(() => {
    document.title = `${title} · heartwood`;
    (main.current?.querySelector<HTMLElement>("[autofocus]") ?? main.current)?.focus({ preventScroll: true });
    document.querySelector(".side [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    scrollTo(0, 0);
  }, [name, title]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={hrefOf("now")}>
          <Rings /> heartwood
        </a>
        <span class="folder" title={status?.dir}>
          {status?.dir.split(/[\\/]/u).at(-1)}
        </span>
        <span class={`live ${connection}`} role="status">
          {connection === "open" ? "Live" : connection === "cut" ? "Not connected" : "Connecting"}
        </span>
        <button type="button" class="theme" onClick={open} aria-label="Keys" title="Keys (?)">
          ?
        </button>
        <ThemeButton />
      </header>
      <nav class="side" aria-label="Views">
        {views.map((view, at) => (
          <a
            key={view.name}
            href={hrefOf(view.name)}
            aria-current={view.name === name ? "page" : undefined}
            title={`${view.about} (${at + 1})`}
          >
            {view.title}
            {view.name === "topics" ? <InboxCount /> : null}
          </a>
        ))}
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <div class="heading">
          <h1>{title}</h1>
          <p class="quiet">{about}</p>
        </div>
        {status === undefined ? null : <NotTrusted status={status} />}
        <Page place={place} />
      </main>
      <Notices />
      {dialog}
    </>
  );
}

/** What does not work until the user trusts the folder. */
function NotTrusted({ status: { trust, warnings } }: { readonly status: Answer<"memory.status"> }): JSX.Element | null {
  const unused = warnings.find(({ code }) => code === "foreign_state");
  if (unused === undefined && trust === "trusted") return null;
  return (
    <p class="note warn" role="note">
      {unused === undefined ? (
        <>
          This folder is not trusted, so agents' hooks and tools do nothing here until you run{" "}
          <code>heartwood trust</code> in it.
        </>
      ) : (
        `Nothing is kept between calls, so each takes longer: ${unused.message}`
      )}
    </p>
  );
}

/** Milliseconds after which the inbox is counted, so that the first view does not wait for it. */
const inboxAfter = 1_000;

/** What the views show first. */
const firstOfViews = [
  ["tree.list", {}],
  ["tree.root", { dropped: true }],
  ["sessions.list", {}],
  ["thread.list", { limit: mostThreads }],
  ["topic.list", {}],
  ["audit.run", { dry_run: true }],
  ["audit.history", {}],
  ["recall.pins", {}],
  ["summaries.ledger", {}],
  ["summaries.pending", {}],
  ["memory.doctor", {}],
] as const;

/** How much needs a person, in the navigation. */
function InboxCount(): JSX.Element | null {
  const [input, setInput] = useState<Record<string, never> | undefined>(undefined);
  const { value } = useAnswer("memory.inbox", input);
  useEffect(() => {
    const timer = setTimeout(() => setInput({}), inboxAfter);
    return () => clearTimeout(timer);
  }, []);
  useAskedAhead(firstOfViews, value !== undefined);
  const count = value === undefined ? 0 : value.items.length + value.left_out;
  if (count === 0) return null;
  return (
    <span class="count" title={`${counted(count, "item")} in the inbox`}>
      {number(count)}
    </span>
  );
}

const themeKey = "heartwood-theme";

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(
    () => localStorage.getItem(themeKey) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  );
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const other = theme === "dark" ? "light" : "dark";
  const change = (): void => {
    localStorage.setItem(themeKey, other);
    setTheme(other);
  };
  return (
    <button
      type="button"
      class="theme"
      onClick={change}
      aria-label={`Use the ${other} theme`}
      title={`Use the ${other} theme`}
    >
      {theme === "dark" ? "☀" : "☾"}
    </button>
  );
}

function Rings(): JSX.Element {
  return (
    <svg class="rings" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="14" />
      <circle cx="15.5" cy="16.5" r="9.5" />
      <circle cx="15" cy="17" r="5" />
      <circle cx="14.7" cy="17.2" r="1.6" />
    </svg>
  );
}

function NoToken(): JSX.Element {
  return (
    <main id="main" class="no-token">
      <Rings />
      <h1>heartwood</h1>
      <Empty title="This page needs its token.">
        Open the address that <code>heartwood serve</code> printed, or run <code>heartwood serve --open</code>.
      </Empty>
    </main>
  );
}

takeToken();
// The address of a server that was started again, opened in the same tab.
addEventListener("hashchange", () => {
  if (takeToken() === "taken") location.reload();
});
const target = document.querySelector("#app");
if (target !== null) render(hasToken() ? <App /> : <NoToken />, target);
