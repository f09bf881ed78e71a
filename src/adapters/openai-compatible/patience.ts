/** Node's `fetch` gives up when headers or a part of the body take five minutes, whatever its caller's limit (undici's `headersTimeout`, `bodyTimeout`). */
const limitOfFetch = 290_000;

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** What to give `fetch` for a try that may take longer than that: its own dispatcher without these two limits. Where there is none, they hold. */
export function patience(timeoutMs: number): object {
  if (timeoutMs < limitOfFetch) return {};
  // The name that undici, in Node and as a package, keeps its dispatcher under; proxies are set there too.
  const found: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  if (!isDispatcher(found)) return {};
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => found.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return { dispatcher };
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";
}
