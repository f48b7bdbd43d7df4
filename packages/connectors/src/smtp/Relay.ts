/** A mail relay, parsed from its URL. */
export interface Relay {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the first byte. If not, STARTTLS is used if the relay offers it. */
  readonly secure: boolean
  /** Whether sending without TLS is refused. */
  readonly requireTls: boolean
  /** Null when the relay needs no sign-in. */
  readonly login: { readonly user: string; readonly pass: string } | null
  /** The name for EHLO; null for the name of this machine. */
  readonly name: string | null
}

/** Returns the secrets to redact in the relay's responses: the password, and the encoded forms of the sign-in. */
export const secretsOf = ({ login }: Relay): ReadonlyArray<string> =>
  login === null ? [] : [login.pass, `\0${login.user}\0${login.pass}`]

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
