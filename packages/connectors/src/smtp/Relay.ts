import type { ConnectionOptions } from "node:tls"

/** The sign-in at a relay. With `token`, the method is SASL XOAUTH2 and `pass` is empty. */
export interface RelayLogin {
  readonly user: string
  readonly pass: string
  /** An OAuth access token. */
  readonly token?: string
}

/** A mail relay, parsed from its URL. */
export interface Relay {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the first byte. If not, STARTTLS is used if the relay offers it. */
  readonly secure: boolean
  /** Whether sending without TLS is refused. */
  readonly requireTls: boolean
  /** Null when the relay needs no sign-in. */
  readonly login: RelayLogin | null
  /** The name for EHLO; null for the name of this machine. */
  readonly name: string | null
  /** The checked IP address to connect to. Absent: the host is resolved. Certificates must be valid for the host. */
  readonly address?: string
  /** Whether the connection is never encrypted, even if the relay offers it. */
  readonly neverTls?: boolean
  /** The TLS options. Absent: those of Node.js. */
  readonly tls?: ConnectionOptions
}

/** Returns the initial response of SASL XOAUTH2 before its base64 encoding (Google, "XOAUTH2 protocol"). */
export const xoauth2Of = (user: string, token: string): string => `user=${user}\x01auth=Bearer ${token}\x01\x01`

/** Returns the secrets to redact in the relay's responses: the password, and the encoded forms of the sign-in. */
export const secretsOf = ({ login }: Relay): ReadonlyArray<string> =>
  login === null
    ? []
    : [login.pass, login.token ?? "", `\0${login.user}\0${login.pass}`, xoauth2Of(login.user, login.token ?? "")]

/**
 * Parses `smtp://user:password@host:587` or `smtps://…:465`, with percent-encoded user and password. `?tls=required`
 * refuses to send without TLS, and `?name=mx.acme.com` sets the name for EHLO. Null for an invalid URL.
 */
export const readRelay = (text: string): Relay | null => {
  if (!/^smtps?:\/\/[^/]/iu.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const secure = url.protocol === "smtps:"
  const known = [...url.searchParams.keys()].every((key) => key === "tls" || key === "name")
  const tls = url.searchParams.get("tls")
  if (!known || url.hostname === "" || (tls !== null && tls !== "required")) return null
  const decoded = (part: string): string | null => {
    try {
      return decodeURIComponent(part)
    } catch {
      return null
    }
  }
  const [user, pass] = [decoded(url.username), decoded(url.password)]
  if (user === null || pass === null) return null
  return {
    host: url.hostname.replace(/^\[(.*)\]$/u, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: tls === "required",
    login: user === "" ? null : { user, pass },
    name: url.searchParams.get("name")
  }
}
