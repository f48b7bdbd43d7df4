import type { EgressFailureKind } from "@leadloom/core/port/system/Egress"

const kinds: ReadonlyArray<readonly [EgressFailureKind, RegExp]> = [
  ["dns", /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EFORMERR|EBADRESP|EBADNAME|ENONAME|EAI_\w+)$/u],
  ["protocol", /^(?:HPE_\w+|HTTPParserError)$/u],
  [
    "tls",
    /^(?:ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/u
  ]
]

const advice: Readonly<Record<Exclude<EgressFailureKind, "timeout">, string>> = {
  dns: "The host's name has no address: is it spelled right, and has it an A or AAAA record?",
  connection: "The receiver took no connection or closed it before it answered: is it running and reachable?",
  tls: "There is no secure connection: is the certificate valid, for this host, with its intermediate certificates?",
  protocol: "What came back is no HTTP: is the port the one of a web server?"
}

/** What `undici` says in words of its own, as everybody knows it. */
const known: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: "ECONNRESET",
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_OVERFLOW: "HPE_HEADER_OVERFLOW"
}

/** How `undici` calls an answer that is none to what was asked, by the code of connections that were closed. */
const noAnswer = ["bad response", "bad upgrade"]

/** The code of a failure of Node.js, of the first address when there were several. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code: unknown = Reflect.get(error, "code")
  if (code === "UND_ERR_SOCKET" && noAnswer.includes(error.message)) return "HPE_INVALID_STATUS"
  return typeof code === "string" ? (known[code] ?? code) : error.name
}

/** What kept a request from being answered, in words for whoever runs the receiver. */
export const failureOf = (
  error: unknown
): { readonly kind: Exclude<EgressFailureKind, "timeout">; readonly reason: string } => {
  const code = codeOf(error)
  const found = kinds.find(([, codes]) => codes.test(code))?.[0] ?? "connection"
  const kind = found === "timeout" ? "connection" : found
  return { kind, reason: `${advice[kind]} (${code})` }
}
