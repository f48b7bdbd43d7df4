import type { EgressFailureKind } from "@leadloom/core/internal/port/system/Egress"

const kinds: ReadonlyArray<readonly [EgressFailureKind, RegExp]> = [
  ["dns", /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EFORMERR|EBADRESP|EBADNAME|ENONAME|EAI_\w+)$/u],
  ["protocol", /^(?:HPE_\w+|HTTPParserError)$/u],
  [
    "tls",
    /^(?:ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/u
  ]
]

const advice: Readonly<Record<Exclude<EgressFailureKind, "timeout">, string>> = {
  dns: "The host name has no address. Check its spelling and its A and AAAA records",
  connection:
    "The receiver refused the connection or closed it before responding. Check whether it is running and reachable",
  tls: "The TLS connection failed. Check whether the certificate is valid for this host and includes its intermediate certificates",
  protocol: "The response is not HTTP. Check whether the port belongs to a web server"
}

/** `undici`'s own error codes and their common equivalents. */
const known: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: "ECONNRESET",
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_OVERFLOW: "HPE_HEADER_OVERFLOW"
}

/**
 * The messages of `undici` for invalid responses. A closed connection has the same error code, so only the message
 * distinguishes the two.
 */
const noAnswer = ["bad response", "bad upgrade"]

/**
 * Returns the code of a Node.js failure. If connections to several addresses failed, returns the code of the first
 * failure.
 */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code: unknown = Reflect.get(error, "code")
  if (code === "UND_ERR_SOCKET" && noAnswer.includes(error.message)) return "HPE_INVALID_STATUS"
  return typeof code === "string" ? (known[code] ?? code) : error.name
}

/** Describes a failed request for the operator of the receiver. */
export const failureOf = (
  error: unknown
): { readonly kind: Exclude<EgressFailureKind, "timeout">; readonly reason: string } => {
  const code = codeOf(error)
  const found = kinds.find(([, codes]) => codes.test(code))?.[0] ?? "connection"
  const kind = found === "timeout" ? "connection" : found
  return { kind, reason: `${advice[kind]} (${code})` }
}
