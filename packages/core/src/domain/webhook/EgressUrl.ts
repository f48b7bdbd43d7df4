import { innerName, readHost } from "./EgressHost.ts"
import { isPublicAddress } from "./EgressAddress.ts"
import { type EgressPolicy, EgressRefused, isAllowed } from "./EgressPolicy.ts"

/** The parts of an accepted URL. Callers use these parts, so no other parser can read the text differently. */
export interface EgressUrl {
  /** The whole URL, with scheme and host in lower case and without the default port. */
  readonly href: string
  /** True for HTTPS. Only permitted hosts may use plain HTTP. */
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Path and query as written. */
  readonly path: string
  /**
   * True for a host that the operator permits. The addresses of such a host are not checked. For other hosts, all
   * addresses must be public.
   */
  readonly allowed: boolean
}

/** The maximum length of a URL in characters. */
export const maxEgressUrlLength = 2_048

const minUnprivilegedPort = 1_024
/** The bad ports above 1023 in the Fetch Standard. Browsers block these ports, because other protocols use them. */
const badPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080
]

/** Returns true for a port that a receiver may use: 443, and unprivileged ports other than bad ports. */
const isReceiverPort = (port: number): boolean =>
  port === 443 || (port >= minUnprivilegedPort && port <= 65_535 && !badPorts.includes(port))

interface Parts {
  readonly secure: boolean
  readonly authority: string
  readonly path: string
}

/**
 * Splits a URL into parts, or returns the reason for its rejection. The parts contain only characters that RFC 3986
 * allows.
 */
const partsOf = (text: string): Parts | string => {
  if (text.length > maxEgressUrlLength)
    return `The URL is longer than ${maxEgressUrlLength} characters. Use a shorter one.`
  if (text.trim() === "") return "The URL is missing. Enter one that starts with https://."
  if (/\s/u.test(text)) return "The URL contains white space. Remove it or write %20."
  const [, scheme = "", authority = "", path = "", fragment] =
    /^(https?):\/\/([^/?#\\]*)([^#]*)(#.*)?$/isu.exec(text) ?? []
  if (scheme === "") return "The URL must start with https://, for example https://hooks.example.com/leads."
  if (fragment !== undefined) return "The URL has a fragment, which is never sent. Remove # and the text after it."
  // The error message does not quote this part, because it may contain a password.
  if (authority.includes("@")) return "The URL contains a user or password. Remove them; deliveries are signed instead."
  if (/[^!$&'()*+,\-./:;=?@\w~%[\]]/u.test(path)) {
    return "The URL contains characters in path or query that must be percent-encoded. Encode them."
  }
  if (/%(?![\da-f]{2})/iu.test(path)) return "The URL contains a % without an encoded byte. Write %25."
  return { secure: scheme.toLowerCase() === "https", authority, path: path.startsWith("/") ? path : `/${path}` }
}

/** Splits host and port at the last colon outside brackets. */
const splitPort = (authority: string): { readonly host: string; readonly digits: string | null } => {
  const [, host = authority, digits = null] = /^(\[[^\]]*\]|[^:[\]]*):(.*)$/su.exec(authority) ?? []
  return { host, digits }
}

const readPort = (digits: string | null, defaultPort: number): number | null => {
  if (digits === null) return defaultPort
  const port = /^[1-9]\d{0,4}$/u.test(digits) ? Number(digits) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

const defaultPortOf = (secure: boolean): number => (secure ? 443 : 80)

/** Returns the reason why a URL cannot be public; null if it may be public. */
const notPublic = ({ host, port, secure }: EgressUrl, isName: boolean): string | null => {
  if (!secure) return "Plain HTTP is not allowed. Use https://. The operator can permit single hosts."
  if (!isReceiverPort(port)) return `Port ${port} is not allowed. Use 443 or an unprivileged port from 1024 on.`
  if (isName) return innerName(host)
  return isPublicAddress(host) ? null : "The address is not public. Use a public one."
}

/** Reads the parts of a URL, or returns the reason for its rejection. */
const readUrl = (text: string) => {
  const parts = partsOf(text)
  if (typeof parts === "string") return parts
  const { authority, path, secure } = parts
  const { digits, host: written } = splitPort(authority)
  const host = readHost(written)
  if ("mistake" in host) return host.mistake
  const port = readPort(digits, defaultPortOf(secure))
  return port === null ? "The URL has no valid port after the colon. Correct it." : { secure, host, port, path }
}

/** Returns the mistake in the text of a URL, without a look at the policy of the server. Null if there is none. */
export const urlMistake = (text: string): string | null => {
  const read = readUrl(text)
  return typeof read === "string" ? read : null
}

/**
 * Checks a URL that a tenant sets. The URL must use HTTPS, a public name or address, and a port for receivers. It must
 * contain neither credentials nor ambiguous parts. The addresses of a name are checked later, at each request. Hosts
 * that the operator permits may use plain HTTP and any address.
 */
export const checkUrl = (text: string, policy: EgressPolicy): EgressUrl | EgressRefused => {
  const read = readUrl(text)
  if (typeof read === "string") return new EgressRefused({ reason: read })
  const { host, path, port, secure } = read
  const shown = host.text.includes(":") ? `[${host.text}]` : host.text
  const place = port === defaultPortOf(secure) ? shown : `${shown}:${port}`
  const href = `http${secure ? "s" : ""}://${place}${path}`
  const url: EgressUrl = { href, secure, host: host.text, port, path, allowed: isAllowed(policy, host, port) }
  const reason = url.allowed ? null : notPublic(url, host.kind === "name")
  return reason === null ? url : new EgressRefused({ reason })
}
