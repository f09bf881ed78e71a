import { hiddenFault, fault, type Place } from "./fault.ts";

/**
 * The address of an endpoint without a slash at its end. Errors: `invalid_config` when it is none, holds a user, a query or a fragment (which may
 * be passwords, so they are not told), or when a key would go over `http` to another machine.
 */
export function address(place: Place, value: unknown, carries: "with key" | "without key"): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || typeof value !== "string")
    // What stands before an @ may be a password.
    throw String(value).includes("@") ? hiddenFault(place, `must be ${allowed}`) : fault(place, value, allowed);
  if (url.username !== "" || url.password !== "" || /[?#]/u.test(value))
    throw hiddenFault(
      place,
      `holds a user, a query or a fragment; it must be ${allowed}, and a key stands in keyEnv or keyFile`,
    );
  if (url.protocol === "http:" && carries === "with key" && !isLoopback(url.hostname))
    throw hiddenFault(
      place,
      `leads over http to ${url.hostname}, and a key never goes so; use https, or take keyEnv and keyFile away`,
    );
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}

const allowed = "an http or https address such as http://127.0.0.1:11434/v1";

/** `URL` has written IPv4 addresses in full by now. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/u.test(host);
}
