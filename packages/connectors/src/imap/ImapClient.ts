import type { ProviderFailure } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { outcomeUnknown, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { MailboxLogin } from "@leadloom/core/internal/domain/mailbox/MailServer"
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { commandFailure } from "./CommandFailure.ts"
import type { CheckedMailHost } from "./MailHost.ts"

/** The limits of a connection. Times are in milliseconds, sizes in bytes. */
export interface ImapLimits {
  /** The time for connection, TLS and greeting. */
  readonly connectMillis: number
  /** The time for the login as a whole. */
  readonly loginMillis: number
  /** The time for the response to one command. */
  readonly commandMillis: number
  /** The time after which IDLE is renewed. It must be shorter than 29 minutes (RFC 2177, section 3). */
  readonly idleMillis: number
  /** The size of one part of a mail. Larger mails are read in parts. */
  readonly partBytes: number
  /** The size of all responses to one command, except those with parts of a mail. */
  readonly responseBytes: number
}

/**
 * The default limits. IDLE is renewed well before 29 minutes, because many NAT gateways forget quiet connections after
 * five minutes (RFC 5382, section 5 permits 124 minutes, but few keep them so long).
 */
export const defaultImapLimits: ImapLimits = {
  connectMillis: 15_000,
  loginMillis: 40_000,
  commandMillis: 60_000,
  idleMillis: 240_000,
  partBytes: 1_048_576,
  responseBytes: 16 * 1_048_576
}

/** A client with the state that its commands share. */
export interface ImapClient {
  readonly flow: ImapFlow
  readonly limits: ImapLimits
  readonly secrets: ReadonlyArray<string>
  /** The last failed tagged response. `imapflow` reports some failures as `false` only. */
  readonly lastRefusal: () => unknown
  /** The error that ended the connection, or null. Commands then fail with a general error. */
  readonly endedBy: () => unknown
}

/** The forms of the secret of a login that a server may repeat: the secret and the SASL responses. */
export const secretsOf = ({ credential, username }: MailboxLogin): ReadonlyArray<string> =>
  credential._tag === "Password"
    ? [credential.password, `\0${username}\0${credential.password}`]
    : [credential.token, `user=${username}\x01auth=Bearer ${credential.token}\x01\x01`]

/** The maximum length of one line. A list of 200,000 UIDs has 2 MB. */
const maxLineBytes = 4 * 1_048_576

/** Creates a client. It is silent, opens no connection, and limits what the server can send. */
export const makeImapFlow = (login: MailboxLogin, checked: CheckedMailHost, limits: ImapLimits): ImapFlow => {
  const { credential, imap, username } = login
  const flow = new ImapFlow({
    host: checked.host,
    port: imap.port,
    secure: imap.security === "tls",
    // Without this requirement, an attacker could remove STARTTLS from the capabilities (RFC 3501, section 11).
    ...(imap.security === "tls" ? {} : { doSTARTTLS: imap.security === "starttls" }),
    tls: Object.assign({ ...checked.tls }, { lookup: checked.lookup, autoSelectFamilyAttemptTimeout: 1_500 }),
    auth:
      credential._tag === "Password"
        ? { user: username, pass: credential.password }
        : { user: username, accessToken: credential.token },
    logger: false,
    clientInfo: { name: "Leadloom", vendor: false, version: false, "support-url": false },
    // A compressed response could expand to any size.
    disableCompression: true,
    disableAutoIdle: true,
    // The ESEARCH responses of IMAP4rev2 are cut to the known number of mails, which may be out of date.
    disableIMAP4rev2: true,
    disableBinary: true,
    connectionTimeout: limits.connectMillis,
    greetingTimeout: limits.connectMillis,
    socketTimeout: limits.idleMillis + limits.commandMillis,
    maxLineLength: maxLineBytes,
    maxLiteralSize: 2 * limits.partBytes,
    maxResponseSize: maxLineBytes + 2 * limits.partBytes
  })
  // An error without a listener ends the process. Commands report the failure.
  flow.on("error", () => undefined)
  // A range in VANISHED may name four billion mails, and `imapflow` expands it. The client needs none of them.
  Reflect.defineProperty(flow, "untaggedVanished", { value: async () => undefined })
  return flow
}

/** Returns the client of a connection that is logged in. */
export const trackRefusals = (flow: ImapFlow, login: MailboxLogin, limits: ImapLimits): ImapClient => {
  let last: unknown = null
  let ending: unknown = null
  flow.on("error", (error: unknown) => void (ending = error))
  flow.on("response", ({ code, response }: { readonly code?: string; readonly response: string }) => {
    if (response === "OK") return
    const text = code === undefined ? "The command failed" : `[${code}]`
    last = Object.assign(new Error(text), { responseStatus: response, serverResponseCode: code ?? "" })
  })
  return {
    flow,
    limits,
    secrets: secretsOf(login),
    lastRefusal: () => last ?? new Error("The command failed"),
    endedBy: () => ending
  }
}

/** The interval in milliseconds in which the size of a response is checked. */
const meterMillis = 50

/**
 * Calls `exceed` once the server has sent more than `maxBytes` from now on. Returns a function that ends the check. The
 * limits of `imapflow` apply to single responses, of which a server may send any number.
 */
export const watchSize = (flow: ImapFlow, maxBytes: number, exceed: () => void): (() => void) => {
  const start = flow.stats().received
  const meter = setInterval(() => {
    if (flow.stats().received - start <= maxBytes) return
    clearInterval(meter)
    exceed()
  }, meterMillis)
  return () => clearInterval(meter)
}

/** The limits of one command. */
export interface CommandLimits {
  /** The maximum number of bytes that the server may send. Default: `responseBytes`. */
  readonly maxBytes?: number
  /** Whether the command may be repeated when the connection ends before the response. Default: true. */
  readonly isRepeatable?: boolean
}

/**
 * Runs commands within the limits of time and size. The connection is closed when a limit is exceeded or the fiber is
 * interrupted, because the response would then belong to no command. Times are real, also with a test clock.
 */
export const runCommand = <A>(
  { endedBy, flow, limits, secrets }: ImapClient,
  work: () => Promise<A>,
  { isRepeatable = true, maxBytes = limits.responseBytes }: CommandLimits = {}
): Effect.Effect<A, ProviderFailure> =>
  Effect.callback<A, ProviderFailure>((resume) => {
    const stop = (): void => {
      clearTimeout(timer)
      endWatch()
    }
    const end = (result: Effect.Effect<A, ProviderFailure>): void => {
      stop()
      resume(result)
    }
    const abort = (detail: string): void => {
      end(Effect.fail(isRepeatable ? unavailable("mail", detail) : outcomeUnknown("mail", detail)))
      flow.close()
    }
    const timer = setTimeout(
      () => abort(`The mail server did not respond within ${limits.commandMillis / 1_000} seconds.`),
      limits.commandMillis
    )
    const endWatch = watchSize(flow, maxBytes, () => abort(`The mail server sent more than ${maxBytes} bytes.`))
    work().then(
      (value) => end(Effect.succeed(value)),
      (error: unknown) =>
        end(Effect.fail(commandFailure(flow.usable ? error : (endedBy() ?? error), secrets, isRepeatable)))
    )
    return Effect.sync(() => {
      stop()
      flow.close()
    })
  })
