/** Error codes from before the first byte of a request: name resolution, connection and certificate errors. */
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
 * Returns whether a failed `fetch` may have sent the request, and the error code. Only a failure that certainly
 * precedes the request counts as unsent. A reset connection does not, because it may have delivered the whole request.
 */
export const wasSent = (error: unknown): { readonly sent: boolean; readonly detail: string } => {
  let detail = "no reason given"
  let sent = true
  let current: unknown = error
  // `fetch` wraps the actual error in a generic TypeError.
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth++) {
    detail = textOf(current, "code") ?? textOf(current, "message") ?? detail
    if (isBefore(current)) sent = false
    current = Reflect.get(current, "cause")
  }
  return { sent, detail: detail.slice(0, 200) }
}
