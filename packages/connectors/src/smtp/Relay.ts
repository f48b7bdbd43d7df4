/** A mail relay, as its URL names it. */
export interface Relay {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS where the relay offers it. */
  readonly secure: boolean
  /** Refuses to send without TLS. */
  readonly requireTls: boolean
  /** Null: no sign-in. */
  readonly login: { readonly user: string; readonly pass: string } | null
  /** Null: the name of this machine. */
  readonly name: string | null
}

/** What nobody is to read in what a relay says: its password, and both forms in which it is signed in with. */
export const secretsOf = ({ login }: Relay): ReadonlyArray<string> =>
  login === null ? [] : [login.pass, `\0${login.user}\0${login.pass}`]

/**
 * Reads `smtp://user:password@host:587` or `smtps://…:465`; user and password percent-encoded. `?tls=required` refuses to
 * send in the clear, `?name=mx.acme.com` is how this server introduces itself. Null: not such a URL.
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
