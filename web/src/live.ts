import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call, follow, type Answer, type ApiError, type Input, type OperationName } from "./api.ts";

/** What may change: the words of `GET /v1/changes`. */
export type Part = "logs" | "nodes" | "root" | "notes" | "threads" | "sessions" | "audit" | "summaries";

/** The parts that an operation's answer depends on, by its name or the first word of it. The answers of others may depend on any. */
const partsOf: Readonly<Record<string, readonly Part[]>> = {
  audit: ["logs", "notes", "audit"],
  compaction: ["threads"],
  context: ["threads"],
  sessions: ["sessions"],
  summaries: ["logs", "nodes", "summaries", "threads"],
  thread: ["threads"],
  topic: ["logs", "nodes", "root"],
  tree: ["logs", "nodes", "root", "notes"],
  "tree.trace": ["logs", "nodes", "root", "notes", "threads", "sessions", "summaries"],
};

/** Whether an answer may be another one after these changes. An empty list means any. */
function mayDiffer(name: OperationName, changed: readonly Part[]): boolean {
  const parts = partsOf[name] ?? partsOf[name.split(".")[0] ?? ""];
  return changed.length === 0 || parts === undefined || changed.some((part) => parts.includes(part));
}

const listeners = new Set<(changed: readonly Part[]) => void>();
/** Answers that are kept, so that going back shows them at once. They are current while the changes are followed. */
const answers = new Map<string, unknown>();
let isFollowing = false;
/** While the page changes something itself, what it shows stays until that is complete. */
let isHeld = false;
/** Counts what may make an answer that is on its way an old one. */
let changes = 0;
const mostAnswers = 400;

export type Connection = "connecting" | "open" | "cut";

/** Starts to follow the changes of the memory. Returns whether the server is reached. */
export function useConnection(): Connection {
  const [state, setState] = useState<Connection>("connecting");
  useEffect(() => {
    const stop = new AbortController();
    void follow("/v1/changes", {
      signal: stop.signal,
      onState: (now) => {
        isFollowing = now === "open";
        // What was asked before may be older than the first state that is followed.
        forget();
        setState(now);
      },
      onEvent: ({ data }) => {
        const { changed = [] } = JSON.parse(data) as { changed?: readonly Part[] };
        // The first event only says which state this is.
        if (changed.length === 0 || isHeld) return;
        forget(changed);
        for (const tell of listeners) tell(changed);
      },
    });
    return () => stop.abort();
  }, []);
  return state;
}

/** Milliseconds of work that may be in vain. */
const mostAheadMs = 5_000;
/** How fast each operation was at its best. One that takes long in a memory of many years is not asked ahead: it would keep a processor busy. */
const fastest = new Map<OperationName, number>();

async function timed<Name extends OperationName>(name: Name, input: Input, signal: AbortSignal): Promise<Answer<Name>> {
  const started = performance.now();
  const value = await call(name, input, signal);
  fastest.set(name, Math.min(performance.now() - started, fastest.get(name) ?? Infinity));
  return value;
}

/** Ends when the answer that is asked ahead now is there, of whichever view. */
let aheadTurn: Promise<unknown> = Promise.resolve();

/** Asks for answers that will probably be wanted, one after another, so that they are there at once. */
async function askAhead(wanted: readonly (readonly [OperationName, Input])[], signal: AbortSignal): Promise<void> {
  for (const [name, input] of wanted) {
    const turn = aheadTurn.then(() => askOneAhead(name, input, signal));
    aheadTurn = turn;
    await turn;
  }
}

async function askOneAhead(name: OperationName, input: Input, signal: AbortSignal): Promise<void> {
  const key = JSON.stringify([name, input]);
  if (
    signal.aborted ||
    !isFollowing ||
    answers.has(key) ||
    answers.size >= mostAnswers ||
    (fastest.get(name) ?? 0) > mostAheadMs
  )
    return;
  const before = changes;
  const value = await timed(name, input, signal).catch(() => undefined);
  if (value !== undefined && before === changes) answers.set(key, value);
}

/** Runs what changes the memory, and asks again everywhere when it is complete. Errors: those of `work`. */
export async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  isHeld = true;
  try {
    return await work();
  } finally {
    isHeld = false;
    refresh();
  }
}

function forget(changed: readonly Part[] = []): void {
  for (const key of answers.keys())
    if (mayDiffer((JSON.parse(key) as [OperationName])[0], changed)) answers.delete(key);
  changes += 1;
}

/** Milliseconds in which what is shown can be asked for first. */
const firstMs = 500;
/** Milliseconds without changes before answers are asked ahead again. */
const quietMs = 5_000;
/** Asking ahead rests this many times as long as it took, so that it takes at most a twentieth of a processor. */
const restFactor = 20;

/** Asks ahead from when `isDue`, and again some time after changes, while the page is visible. `wanted`: the same array as long as it wants the same. */
export function useAskedAhead(wanted: readonly (readonly [OperationName, Input])[], isDue: boolean): void {
  const tell = useRef<() => void>(() => undefined);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let restUntil = 0;
    const ask = async (): Promise<void> => {
      const started = performance.now();
      if (document.visibilityState === "visible") await askAhead(wanted, stop.signal);
      const ended = performance.now();
      restUntil = ended + restFactor * (ended - started);
    };
    tell.current = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), Math.max(quietMs, restUntil - performance.now()));
    };
    if (isDue) timer = setTimeout(() => void ask(), firstMs);
    else tell.current = () => undefined;
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted, isDue]);
  useChanges(() => tell.current());
}

/** Drops kept answers and asks again everywhere, after the page itself changed something. */
function refresh(): void {
  forget();
  for (const tell of listeners) tell([]);
}

export function useChanges(tell: (changed: readonly Part[]) => void): void {
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    const listener = (changed: readonly Part[]): void => latest.current(changed);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

export interface Asked<Value> {
  readonly value: Value | undefined;
  readonly error: ApiError | undefined;
  /** Whether an answer is on its way. `value` is the one before until then. */
  readonly waiting: boolean;
}

/**
 * The answer of an operation, asked again when the memory changes. `undefined` as input: nothing is asked yet. A kept answer is shown at once, and asked again only if changes
 * were not followed.
 */
export function useAnswer<Name extends OperationName>(
  name: Name,
  ...given: readonly [input?: Input | undefined]
): Asked<Answer<Name>> {
  const input = given.length === 0 ? {} : given[0];
  const key = input === undefined ? undefined : JSON.stringify([name, input]);
  const [, render] = useState(0);
  const state = useRef<{ key: string | undefined } & Asked<Answer<Name>>>({
    key: undefined,
    value: undefined,
    error: undefined,
    waiting: false,
  });
  const running = useRef<AbortController | undefined>(undefined);
  const ask = useCallback(() => {
    running.current?.abort();
    if (key === undefined) return;
    const { signal } = (running.current = new AbortController());
    const settle = (part: Partial<Asked<Answer<Name>>>): void => {
      // Another question may have been drawn whose effects have not run yet.
      if (signal.aborted || state.current.key !== key) return;
      state.current = { ...state.current, ...part, waiting: false };
      render((count) => count + 1);
    };
    timed(name, (JSON.parse(key) as [string, Input])[1], signal).then(
      (value) => {
        settle({ value, error: undefined });
        if (isBehind(value)) {
          setTimeout(() => signal.aborted || ask(), indexingMs);
          return;
        }
        if (answers.size >= mostAnswers) answers.clear();
        answers.set(key, value);
      },
      (error: ApiError) => settle({ error }),
    );
  }, [key]);
  if (state.current.key !== key) {
    const known = key === undefined ? undefined : (answers.get(key) as Answer<Name> | undefined);
    state.current = { key, value: known, error: undefined, waiting: key !== undefined && !isKept(key) };
  }
  useEffect(() => {
    // As it was when this was drawn: an answer that was asked ahead may have come since.
    if (state.current.waiting) ask();
    return () => running.current?.abort();
  }, [ask, key]);
  useChanges((changed) => {
    if (mayDiffer(name, changed)) ask();
  });
  return state.current;
}

/** Milliseconds after which an answer is asked for again that the index was not complete for. */
const indexingMs = 1_000;

function isBehind(value: unknown): boolean {
  return typeof value === "object" && value !== null && "not_indexed" in value && value.not_indexed !== 0;
}

/** Whether the kept answer is the current one. */
function isKept(key: string): boolean {
  return isFollowing && answers.has(key);
}

/** The answer that came last, while the next one is on its way. */
export function useLast<Value>(asked: Asked<Value>): Value | undefined {
  const last = useRef<Value | undefined>(undefined);
  if (asked.value !== undefined) last.current = asked.value;
  return last.current;
}

/** The part of the address after `#/`: the view, and what it shows. */
export interface Place {
  readonly view: string;
  readonly params: URLSearchParams;
}

function placeNow(): Place {
  const [view = "", query = ""] = location.hash.replace(/^#\/?/u, "").split("?");
  return { view: view === "" ? "now" : view, params: new URLSearchParams(query) };
}

export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const changed = (): void => setPlace(placeNow());
    addEventListener("hashchange", changed);
    // It may have changed between the first drawing and now.
    changed();
    return () => removeEventListener("hashchange", changed);
  }, []);
  return place;
}

/** The address of a view. */
export function hrefOf(view: string, params: Input = {}): string {
  const given = Object.entries(params).flatMap(([key, value]) =>
    value === undefined || value === null || value === "" ? [] : [[key, String(value)]],
  );
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** Goes to a view. `replace`: without a step in the history, for what is typed. */
export function go(view: string, params: Input = {}, step: "push" | "replace" = "push"): void {
  const href = hrefOf(view, params);
  if (href === location.hash) return;
  if (step === "push") location.hash = href;
  else {
    history.replaceState(null, "", href);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}
