import { Readable } from "node:stream"
import type SMTPConnection from "nodemailer/lib/smtp-connection"
import type { SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection"
import { redactSecrets } from "../provider/RedactSecrets.ts"
import { type Relay, secretsOf } from "./Relay.ts"
import { type ConnectionTimeouts, makeConnection, signIn } from "./SmtpConnect.ts"
import { needsUtf8 } from "./WireAddress.ts"

/** The timeouts of an SMTP dialogue in milliseconds. */
export interface SmtpTimeouts extends ConnectionTimeouts {
  /** The timeout of the whole dialogue. */
  readonly total: number
}

/** The failure of a dialogue. It states whether the relay may have accepted the mail. */
export interface SmtpDialogueFailure {
  readonly broken: true
  /** Whether the complete mail has left this machine. The relay may then have accepted it. */
  readonly dataGone: boolean
  /** The relay's status code, 400 to 599; null without a response. */
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

/**
 * Returns the first address that needs SMTPUTF8 if the relay does not offer this extension; otherwise undefined.
 * nodemailer would send such an address as invalid bytes.
 */
const uncarried = (connection: SMTPConnection, { from, to }: Envelope): string | undefined =>
  /[ -]SMTPUTF8\b/iu.test(connection.lastServerResponse || "") ? undefined : [from, ...to].find(needsUtf8)

const pieceBytes = 16_384

const pieces = function* (raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += pieceBytes) yield raw.subarray(at, at + pieceBytes)
}

/**
 * Sends one mail over one connection, without retries. nodemailer's own pool is not used, because it would resend a
 * mail after a closed connection although the relay may have accepted the mail.
 */
export const runDialogue = (
  relay: Relay,
  envelope: Envelope,
  raw: Buffer,
  timeouts: SmtpTimeouts
): Promise<SMTPConnectionSendInfo | SmtpDialogueFailure> =>
  new Promise((resolve) => {
    const connection = makeConnection(relay, timeouts)
    let dataGone = false
    const end = (outcome: SMTPConnectionSendInfo | SmtpDialogueFailure): void => {
      clearTimeout(timer)
      // The promise is resolved before the connection is closed, because closing calls the listeners below, which
      // report a failure.
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
    const timer = setTimeout(() => fail(new Error("The relay did not respond in time.")), timeouts.total)
    // After this event, the relay may have received the whole mail: the stream ends shortly before nodemailer writes
    // the final dot. The mail is sent in small pieces, so that the stream does not end long before the socket has sent
    // its data.
    const message = Readable.from(pieces(raw)).on("end", () => void (dataGone = true))
    const send = (): void =>
      connection.send({ from: envelope.from, to: [...envelope.to], size: raw.length }, message, (error, info) =>
        error === null || error === undefined ? (info === undefined ? fail("no response") : end(info)) : fail(error)
      )
    connection.on("error", fail)
    connection.on("end", () => fail(new Error("The relay closed the connection.")))
    connection.connect((error) => {
      if (error !== undefined && error !== null) return fail(error)
      const address = uncarried(connection, envelope)
      if (address !== undefined) {
        const reason = `The relay does not support addresses outside ASCII (SMTPUTF8): ${address}`
        return end({ broken: true, dataGone, code: 553, reason })
      }
      if (relay.login === null) return send()
      signIn(connection, relay.login, (refused) => (refused ? fail(refused) : send()))
    })
  })
