// Mail over SMTP: the listener for inbound mail and the transport through a relay. Parsing is in `../mime`, storage in
// core. Tests: `packages/connectors/test/smtp`.
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { domainToASCII } from "node:url"
import type { Envelope } from "@leadloom/core/internal/domain/email/ParsedMail"
import type { SmtpClient } from "@leadloom/core/internal/domain/email/authentication/VerifiedMail"
import type { RecipientUnknown } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import type { ParserUnavailable } from "@leadloom/core/internal/port/provider/MailParser"
import type { ObjectsUnavailable } from "@leadloom/core/internal/port/system/Objects"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, Effect, Exit, type Scope, Semaphore } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import { ConnectionLimiter, type ClientConnection } from "./ConnectionLimiter.ts"
import type { MailSpool } from "./MailSpool.ts"
import { headerLength, receiveData } from "./ReceivedData.ts"
import { defaultLimits, type SmtpLimits } from "./SmtpLimits.ts"
import { asError, replies, type SmtpReply } from "./SmtpReply.ts"
import { log } from "../provider/LogEvents.ts"

/** Options of the mail listener. */
export interface ListenOptions {
  readonly host: string
  /** The port; 0 selects any free port. */
  readonly port: number
  /** The certificate and the key in PEM. If the value is null, STARTTLS is not offered. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  readonly limits?: Partial<SmtpLimits>
  /**
   * Returns whether the client is a mail server of the operator. The limits per network do not apply to such clients,
   * and their address is no sender of mail.
   * Default: no network is trusted.
   */
  readonly isTrusted?: (address: string) => boolean
  /** The directory of temporary files. Default: that of the system. */
  readonly spoolDirectory?: string
}

/** The functions that process incoming mail. */
export interface MailHandler<R> {
  /** Returns the tenant of an address in lower case. */
  readonly accept: (email: string) => Effect.Effect<string, RecipientUnknown | StoreUnavailable, R>
  /** Stores a mail. When the effect succeeds, the mail is durable. */
  readonly receive: (envelope: Envelope, raw: Uint8Array, client: SmtpClient) => Effect.Effect<unknown, Refusal, R>
}

/** The reasons to refuse a mail. */
type Refusal = RecipientUnknown | StoreUnavailable | ObjectsUnavailable | ParserUnavailable | HeaderTooLarge

/** The header of a mail exceeds its limit. */
class HeaderTooLarge extends TaggedError("HeaderTooLarge")<{}> {}

/** The port cannot be opened. */
export class ListenFailed extends TaggedError("ListenFailed")<{ readonly cause: unknown }> {}

/**
 * Returns an address with its host in ASCII (RFC 5891). The SMTP library converts hosts to Unicode, but domains are
 * stored in ASCII.
 */
const addressOf = (address: string): string => {
  const at = address.lastIndexOf("@")
  const host = address.slice(at + 1)
  return `${address.slice(0, at + 1)}${domainToASCII(host) || host}`.toLowerCase()
}

const envelopeOf = ({ envelope }: SMTPServerSession): Envelope => ({
  sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
  recipients: [...new Set(envelope.rcptTo.map(({ address }) => addressOf(address)))]
})

const clientOf = (
  { hostNameAppearsAs, remoteAddress }: SMTPServerSession,
  isTrusted: (address: string) => boolean
): SmtpClient => ({
  address: remoteAddress,
  helo: hostNameAppearsAs || "",
  isTrusted: isTrusted(remoteAddress)
})

/** Commands of the library that this server does not offer. */
const unused = ["AUTH", "WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD", "VRFY", "HELP"]

const optionsOf = (tls: ListenOptions["tls"], limits: SmtpLimits): SMTPServerOptions => ({
  size: limits.mailBytes,
  // This limit is only a fallback, because the library counts new connections with a delay. The `ConnectionLimiter`
  // enforces the actual limit.
  maxClients: limits.connections * 2,
  socketTimeout: limits.idleMillis,
  closeTimeout: limits.stopMillis,
  disabledCommands: tls === null ? [...unused, "STARTTLS"] : unused,
  disableReverseLookup: true,
  authOptional: true,
  logger: false,
  ...(tls === null ? {} : { ...tls, minVersion: "TLSv1.2" as const })
})

/** The result of an operation: a value, or the reply that refuses the sender's command. */
type Outcome<A> = { readonly value: A; readonly refusal: null } | { readonly value: null; readonly refusal: SmtpReply }

/**
 * Maps a failure to a reply. Internal failures become temporary replies, so that the sender keeps the mail and retries.
 */
const outcomeOf = <A>(exit: Exit.Exit<A, Refusal>): Effect.Effect<Outcome<A>> => {
  if (Exit.isSuccess(exit)) return Effect.succeed({ value: exit.value, refusal: null })
  const failure = exit.cause.reasons.find(Cause.isFailReason)?.error
  const refused = (refusal: SmtpReply): Outcome<A> => ({ value: null, refusal })
  if (failure?._tag === "RecipientUnknown") return Effect.succeed(refused(replies.unknownRecipient))
  if (failure?._tag === "HeaderTooLarge") return Effect.succeed(refused(replies.headerTooLarge))
  const event = failure === undefined ? "mail.refused" : "mail.deferred"
  return Effect.as(log(event, {}, exit.cause), refused(replies.unavailable))
}

/** Runs an operation for a sender. */
type Run<R> = <A>(work: Effect.Effect<A, Refusal, R>) => Promise<Outcome<A>>

/** Stores mails concurrently, within a limit on their total size. */
const storing = <R>(handler: MailHandler<R>, { headerBytes, storingBytes }: SmtpLimits) => {
  const room = Semaphore.makeUnsafe(storingBytes)
  return (envelope: Envelope, spool: MailSpool, client: SmtpClient): Effect.Effect<unknown, Refusal, R> =>
    room
      .withPermits(Math.min(spool.length, storingBytes))(
        Effect.gen(function* () {
          const raw = yield* Effect.promise(() => spool.read())
          if (headerLength(raw) > headerBytes) return yield* new HeaderTooLarge()
          return yield* handler.receive(envelope, raw, client)
        })
      )
      .pipe(Effect.ensuring(Effect.promise(() => spool.close())))
}

const makeServer = <R>(options: ListenOptions, handler: MailHandler<R>, limits: SmtpLimits, run: Run<R>) => {
  const store = storing(handler, limits)
  const { isTrusted = () => false, spoolDirectory: directory = tmpdir() } = options
  const server: SMTPServer = new SMTPServer({
    ...optionsOf(options.tls, limits),
    onConnect: ({ id, remoteAddress }, callback) => {
      const refusal = limiter.enter(id, remoteAddress)
      callback(refusal === null ? null : asError(refusal))
    },
    onClose: ({ id }) => limiter.leave(id),
    onMailFrom: (_, { id }, callback) => {
      limiter.beginEnvelope(id)
      callback()
    },
    onRcptTo: async ({ address }, { envelope, id }, callback) => {
      if (envelope.rcptTo.length >= limits.recipients) return callback(asError(replies.tooManyRecipients))
      const { refusal, value: tenantId } = await run(handler.accept(addressOf(address)))
      const reply = tenantId === null ? refusal : limiter.addRecipient(id, tenantId)
      if (reply === null) return callback()
      callback(asError(reply === replies.unknownRecipient ? limiter.refuse(id) : reply))
    },
    onData: async (stream, session, callback) => {
      const { id } = session
      const envelope = envelopeOf(session)
      const client = clientOf(session, isTrusted)
      const transfer = limiter.begin(id, () => stream.destroy())
      const timer = setTimeout(() => limiter.dismiss(id, replies.tooSlow), limits.dataMillis)
      const onFlood = (): void => limiter.dismiss(id, replies.tooLarge)
      const data = await receiveData(stream, { ...limits, directory, onFlood }, transfer)
      clearTimeout(timer)
      const refusal =
        data._tag === "Whole"
          ? (await run(store(envelope, data.spool, client))).refusal
          : data._tag === "Refused"
            ? data.reply
            : replies.unavailable
      callback(refusal === null ? null : asError(refusal), "2.0.0 Stored")
      limiter.end(id, transfer)
    }
  })
  const lines: Set<ClientConnection> = server.connections
  const limiter = new ConnectionLimiter(limits, () => lines, isTrusted)
  return { limiter, server }
}

/** The interval of the rate checks in milliseconds. */
const tickMillis = 1_000

const opened = (server: SMTPServer, { host, port }: ListenOptions): Effect.Effect<void, ListenFailed> =>
  Effect.callback((resume) => {
    const fail = (cause: unknown): void => resume(Effect.fail(new ListenFailed({ cause })))
    server.once("error", fail)
    server.listen(port, host, () => {
      server.off("error", fail)
      // After the start, an error concerns and ends only a single connection, so it is ignored here.
      server.on("error", () => undefined)
      resume(Effect.void)
    })
  })

/**
 * Accepts mail over SMTP until the scope ends, and returns the address of the listener. A mail gets the reply 250 only
 * after the handler has stored it. When the scope ends, incoming mails may finish, and other clients receive a
 * temporary error.
 */
export const listen = <R>(
  options: ListenOptions,
  handler: MailHandler<R>
): Effect.Effect<{ readonly host: string; readonly port: number }, ListenFailed, R | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const run: Run<R> = (work) => Effect.runPromiseWith(context)(Effect.flatMap(Effect.exit(work), outcomeOf))
    const { limiter, server } = makeServer(options, handler, { ...defaultLimits, ...options.limits }, run)
    yield* Effect.acquireRelease(opened(server, options), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        limiter.stop()
      })
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => setInterval(() => limiter.tick(), tickMillis).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
    const address: AddressInfo | string | null = server.server.address()
    const port = typeof address === "object" && address !== null ? address.port : options.port
    return { host: options.host, port }
  })
