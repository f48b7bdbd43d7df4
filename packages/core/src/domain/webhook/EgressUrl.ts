import { innerName, readHost } from "./EgressHost.ts"
import { isPublicAddress } from "./EgressAddress.ts"
import { type EgressPolicy, EgressRefused, isAllowed } from "./EgressPolicy.ts"

/** A URL that may be called, in parts: whoever calls it uses these, so that nobody reads the text differently. */
export interface EgressUrl {
  /** The whole, with scheme and host in lower case and without the usual port. */
  readonly href: string
  /** Over TLS. Only exceptions go without. */
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Path and query, as they were written. */
  readonly path: string
  /** An exception of the operator's: its addresses are nobody's business. Else every one has to be public. */
  readonly allowed: boolean
}

/** Longest URL, in characters. */
export const maxEgressUrlLength = 2_048

const minUnprivilegedPort = 1_024
/** Bad ports of the Fetch standard above 1023: browsers refuse them because other protocols live there. */
const badPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080
]

/** Ports that receivers listen at: the one of HTTPS, and those that need no right to be listened at. */
const isReceiverPort = (port: number): boolean =>
  port === 443 || (port >= minUnprivilegedPort && port <= 65_535 && !badPorts.includes(port))

interface Parts {
  readonly secure: boolean
  readonly authority: string
  readonly path: string
}

/** Splits the text, or says why it is none that is called. Only what RFC 3986 allows is in it then. */
const partsOf = (text: string): Parts | string => {
  if (text.length > maxEgressUrlLength)
    return `The URL is longer than ${maxEgressUrlLength} characters: use a shorter one.`
  if (text.trim() === "") return "The URL is missing."
  if (/\s/u.test(text)) return "The URL has blanks in it: leave them out or write %20."
  const [, scheme = "", authority = "", path = "", fragment] =
    /^(https?):\/\/([^/?#\\]*)([^#]*)(#.*)?$/isu.exec(text) ?? []
  if (scheme === "") return "The URL has to begin with https://, like https://hooks.example.com/leads."
  if (fragment !== undefined) return "The URL has a fragment, which is never sent: leave out # and what follows."
  // Not quoted: it may be a password.
  if (authority.includes("@")) return "The URL has user or password in it: leave them out, deliveries are signed."
  if (/[^!$&'()*+,\-./:;=?@\w~%[\]]/u.test(path)) {
    return "The URL has characters that have to be percent-encoded in path or query: encode them."
  }
  if (/%(?![\da-f]{2})/iu.test(path)) return "The URL has a % that begins no encoded byte: write %25."
  return { secure: scheme.toLowerCase() === "https", authority, path: path.startsWith("/") ? path : `/${path}` }
}

/** Whatever is before the last colon outside brackets, and what is behind it. */
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

/** Why the public cannot be meant; null when it may be. */
const notPublic = ({ host, port, secure }: EgressUrl, isName: boolean): string | null => {
  if (!secure) return "Plain http is not called: use https. The operator can allow a host of their own."
  if (!isReceiverPort(port)) return `Port ${port} is not called: use 443 or one from 1024 on.`
  if (isName) return innerName(host)
  return isPublicAddress(host) ? null : "The address is not public: use one that everybody can reach."
}

/**
 * Whether a URL that a tenant sets may be called: HTTPS, a public name or address, the port of a receiver, no
 * credentials, nothing that two readers could understand differently. A name is public only if its addresses are, which
 * is found out when it is called. Exceptions of the operator's may speak plain HTTP and be anywhere.
 */
export const checkUrl = (text: string, policy: EgressPolicy): EgressUrl | EgressRefused => {
  const parts = partsOf(text)
  if (typeof parts === "string") return new EgressRefused({ reason: parts })
  const { authority, path, secure } = parts
  const { digits, host: written } = splitPort(authority)
  const host = readHost(written)
  if ("mistake" in host) return new EgressRefused({ reason: host.mistake })
  const port = readPort(digits, defaultPortOf(secure))
  if (port === null) return new EgressRefused({ reason: "The URL has no valid port behind the colon: correct it." })
  const shown = host.text.includes(":") ? `[${host.text}]` : host.text
  const place = port === defaultPortOf(secure) ? shown : `${shown}:${port}`
  const href = `http${secure ? "s" : ""}://${place}${path}`
  const url: EgressUrl = { href, secure, host: host.text, port, path, allowed: isAllowed(policy, host, port) }
  const reason = url.allowed ? null : notPublic(url, host.kind === "name")
  return reason === null ? url : new EgressRefused({ reason })
}
