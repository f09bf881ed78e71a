/** Certificates are looked at before the first byte of a request goes out. */
const certificate = /CERT|SELF_SIGNED/u;

/** Whether an error of `fetch` says that nothing left the machine: no address, no connection, or a certificate that does not hold. In doubt it does not. */
export function wasNeverSent(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    // Of a name with several addresses each was tried.
    if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.every(wasNeverSent);
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT") return true;
    if (typeof code === "string" && certificate.test(code)) return true;
    cause = cause.cause;
  }
  return false;
}
