/** Codes of failures that come before the first byte of a request: names, connections, certificates. */
const before =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/u

const textOf = (value: object, name: string): string | null => {
  const found: unknown = Reflect.get(value, name)
  return typeof found === "string" && found !== "" ? found : null
}

const isBefore = (error: object): boolean => {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each: unknown) => typeof each === "object" && each !== null && isBefore(each))
  }
  return before.test(textOf(error, "code") ?? "") || textOf(error, "syscall") === "connect"
}

/**
 * Whether a request may have gone when `fetch` failed, and with what. Only failures that are known to come before count as
 * not sent: a connection that is reset may have carried everything.
 */
export const wasSent = (error: unknown): { readonly sent: boolean; readonly detail: string } => {
  let detail = "no reason given"
  let sent = true
  let current: unknown = error
  // `fetch` wraps what went wrong into a TypeError that says nothing.
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth++) {
    detail = textOf(current, "code") ?? textOf(current, "message") ?? detail
    if (isBefore(current)) sent = false
    current = Reflect.get(current, "cause")
  }
  return { sent, detail: detail.slice(0, 200) }
}
