import { Readable } from "node:stream"
import SMTPConnection, { type SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection"
import { redactSecrets } from "../http/RedactSecrets.ts"
import { type Relay, secretsOf } from "./Relay.ts"
import { needsUtf8 } from "./WireAddress.ts"

/** How long each step of a dialogue may take, milliseconds. */
export interface SmtpTimeouts {
  /** Until the connection stands, and again until the greeting. */
  readonly connect: number
  /** Without a word from the relay. */
  readonly idle: number
  /** Altogether. */
  readonly total: number
}

/** What went wrong, and whether the mail had gone by then. */
export interface SmtpDialogueFailure {
  readonly broken: true
  /** The whole mail has left this machine and its end was about to be, or has been, said: it may have been taken. */
  readonly dataGone: boolean
  /** The relay's answer, 400 to 599; null when it gave none. */
  readonly code: number | null
  readonly reason: string
}

export interface Envelope {
  readonly from: string
  readonly to: ReadonlyArray<string>
}

const codeOf = (error: unknown): number | null => {
  const code = typeof error === "object" && error !== null && "responseCode" in error ? error.responseCode : null
  return typeof code === "number" && code >= 400 && code < 600 ? code : null
}

/** An address that the relay has no way to carry: nodemailer would say it all the same, in bytes that nobody may send. */
const uncarried = (connection: SMTPConnection, { from, to }: Envelope): string | undefined =>
  /[ -]SMTPUTF8\b/iu.test(connection.lastServerResponse || "") ? undefined : [from, ...to].find(needsUtf8)

const pieceBytes = 16_384

const pieces = function* (raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += pieceBytes) yield raw.subarray(at, at + pieceBytes)
}

/**
 * One connection, one mail, one answer. Nothing is tried twice: nodemailer's own pool would send a mail again when its
 * connection closes, which nobody may who does not know whether it was taken.
 */
export const runDialogue = (
  relay: Relay,
  envelope: Envelope,
  raw: Buffer,
  timeouts: SmtpTimeouts
): Promise<SMTPConnectionSendInfo | SmtpDialogueFailure> =>
  new Promise((resolve) => {
    const connection = new SMTPConnection({
      host: relay.host,
      port: relay.port,
      secure: relay.secure,
      requireTLS: relay.requireTls,
      ...(relay.name === null ? {} : { name: relay.name }),
      connectionTimeout: timeouts.connect,
      greetingTimeout: timeouts.connect,
      dnsTimeout: timeouts.connect,
      socketTimeout: timeouts.idle,
      logger: false
    })
    let dataGone = false
    const end = (outcome: SMTPConnectionSendInfo | SmtpDialogueFailure): void => {
      clearTimeout(timer)
      // First: closing tells the listeners below of an end that says nothing.
      resolve(outcome)
      if ("broken" in outcome) connection.close()
      else connection.quit()
    }
    const fail = (error: unknown): void =>
      end({
        broken: true,
        dataGone,
        code: codeOf(error),
        reason: redactSecrets(secretsOf(relay), error instanceof Error ? error.message : String(error))
          .replace(/\s+/gu, " ")
          .slice(0, 400)
      })
    const timer = setTimeout(() => fail(new Error("The relay took too long.")), timeouts.total)
    // From here on the end of the mail may be on the wire: the stream ends before nodemailer writes the last dot. In
    // pieces, so that the stream does not end long before the socket has taken them.
    const message = Readable.from(pieces(raw)).on("end", () => void (dataGone = true))
    const send = (): void =>
      connection.send({ from: envelope.from, to: [...envelope.to], size: raw.length }, message, (error, info) =>
        error === null || error === undefined ? (info === undefined ? fail("no answer") : end(info)) : fail(error)
      )
    connection.on("error", fail)
    connection.on("end", () => fail(new Error("The relay closed the connection.")))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return fail(error)
      const address = uncarried(connection, envelope)
      if (address !== undefined) {
        const reason = `The relay does not carry addresses beyond ASCII (SMTPUTF8): ${address}`
        return end({ broken: true, dataGone, code: 553, reason })
      }
      if (relay.login === null) return send()
      connection.login({ ...relay.login }, (refused) => (refused ? fail(refused) : send()))
    })
  })
