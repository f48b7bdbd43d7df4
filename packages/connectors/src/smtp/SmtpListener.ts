import type { AddressInfo } from "node:net"
import { domainToASCII } from "node:url"
import type { Envelope } from "@leadloom/core/email/incoming/Envelope"
import type { RecipientUnknown } from "@leadloom/core/email/incoming/ReceiveMail"
import type { ObjectsUnavailable } from "@leadloom/core/port/Objects"
import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Cause, Data, Effect, Exit, type Scope } from "effect"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import { byteBudget, receiveData } from "./ReceivedData.ts"
import { type Line, smtpGuests } from "./SmtpGuests.ts"
import { type SmtpLimits, usualLimits } from "./SmtpLimits.ts"
import { asError, replies, type SmtpReply } from "./SmtpReply.ts"

/** Where mail is taken. */
export interface ListenOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** PEM. Null: no STARTTLS. */
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null
  readonly limits?: Partial<SmtpLimits>
}

/** What is done with mail. */
export interface MailDesk<R> {
  /** Whether mail for an address, in lower case, is taken. */
  readonly accept: (email: string) => Effect.Effect<void, RecipientUnknown | StoreUnavailable, R>
  /** Stores a mail; it is safe when this succeeds. */
  readonly receive: (envelope: Envelope, raw: Uint8Array) => Effect.Effect<unknown, Refusal, R>
}

/** Why a mail is not taken. */
type Refusal = RecipientUnknown | StoreUnavailable | ObjectsUnavailable

/** The port cannot be opened. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly cause: unknown }> {}

/** The host as it travels (RFC 5891): the server turns it into Unicode, and domains are kept as they travel. */
const addressOf = (address: string): string => {
  const at = address.lastIndexOf("@")
  const host = address.slice(at + 1)
  return `${address.slice(0, at + 1)}${domainToASCII(host) || host}`.toLowerCase()
}

const envelopeOf = ({ envelope }: SMTPServerSession): Envelope => ({
  sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
  recipients: [...new Set(envelope.rcptTo.map(({ address }) => addressOf(address)))]
})

/** Commands that the library knows and this server has no use for. */
const unused = ["AUTH", "WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD", "VRFY", "HELP"]

const optionsOf = (tls: ListenOptions["tls"], limits: SmtpLimits): SMTPServerOptions => ({
  size: limits.mailBytes,
  maxClients: limits.connections,
  socketTimeout: limits.idleMillis,
  closeTimeout: limits.stopMillis,
  disabledCommands: tls === null ? [...unused, "STARTTLS"] : unused,
  disableReverseLookup: true,
  authOptional: true,
  logger: false,
  ...(tls === null ? {} : { ...tls, minVersion: "TLSv1.2" as const })
})

/** What a failure means to the sender. One that is ours is no reason to throw the mail away. */
const replyTo = (exit: Exit.Exit<unknown, Refusal>): Effect.Effect<SmtpReply | null> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(null)
  const failure = exit.cause.reasons.find(Cause.isFailReason)?.error
  if (failure?._tag === "RecipientUnknown") return Effect.succeed(replies.unknownRecipient)
  const log = failure === undefined ? Effect.logError : Effect.logWarning
  return Effect.as(log("mail could not be taken", exit.cause), replies.unavailable)
}

/** Does something for a sender; answers what it says of failure, or null. */
type Run<R> = (work: Effect.Effect<unknown, Refusal, R>) => Promise<SmtpReply | null>

const makeServer = <R>(options: ListenOptions, desk: MailDesk<R>, limits: SmtpLimits, run: Run<R>) => {
  const budget = byteBudget(limits.heldBytes)
  const server: SMTPServer = new SMTPServer({
    ...optionsOf(options.tls, limits),
    onConnect: ({ id, remoteAddress }, callback) => {
      const refusal = guests.enter(id, remoteAddress)
      callback(refusal === null ? null : asError(refusal))
    },
    onClose: ({ id }) => guests.leave(id),
    onRcptTo: async ({ address }, { envelope, id }, callback) => {
      if (envelope.rcptTo.length >= limits.recipients) return callback(asError(replies.tooManyRecipients))
      const refusal = await run(desk.accept(addressOf(address)))
      if (refusal === null) return callback()
      callback(asError(refusal === replies.unknownRecipient ? guests.refuse(id) : refusal))
    },
    onData: async (stream, session, callback) => {
      const { id } = session
      const envelope = envelopeOf(session)
      const end = guests.begin(id)
      const timer = setTimeout(() => guests.dismiss(id, replies.tooSlow), limits.dataMillis)
      const data = await receiveData(stream, limits, budget, () => guests.dismiss(id, replies.tooLarge))
      clearTimeout(timer)
      const refusal =
        data._tag === "Whole"
          ? await run(desk.receive(envelope, data.raw))
          : data._tag === "Refused"
            ? data.reply
            : replies.unavailable
      if (data._tag === "Whole") data.release()
      callback(refusal === null ? null : asError(refusal), "2.0.0 Stored")
      end()
    }
  })
  const lines: Set<Line> = server.connections
  const guests = smtpGuests(limits, () => lines)
  return { guests, server }
}

const opened = (server: SMTPServer, { host, port }: ListenOptions): Effect.Effect<void, ListenFailed> =>
  Effect.callback((resume) => {
    const fail = (cause: unknown): void => resume(Effect.fail(new ListenFailed({ cause })))
    server.once("error", fail)
    server.listen(port, host, () => {
      server.off("error", fail)
      // What goes wrong with a connection from now on is the connection's end, and nobody else's.
      server.on("error", () => undefined)
      resume(Effect.void)
    })
  })

/**
 * Takes mail over SMTP until the scope ends; answers where. It says 250 to a mail when the desk has stored it, and not
 * before. At the end it lets mails that have begun come to theirs, and tells everybody else to come again.
 */
export const listen = <R>(
  options: ListenOptions,
  desk: MailDesk<R>
): Effect.Effect<{ readonly host: string; readonly port: number }, ListenFailed, R | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const run: Run<R> = (work) => Effect.runPromiseWith(context)(Effect.flatMap(Effect.exit(work), replyTo))
    const { guests, server } = makeServer(options, desk, { ...usualLimits, ...options.limits }, run)
    yield* Effect.acquireRelease(opened(server, options), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        guests.stop()
      })
    )
    const address: AddressInfo | string | null = server.server.address()
    const port = typeof address === "object" && address !== null ? address.port : options.port
    return { host: options.host, port }
  })
