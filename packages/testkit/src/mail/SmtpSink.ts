import type { AddressInfo, Socket } from "node:net"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"

/**
 * The behaviour of the sink for a mail. `take` accepts the mail. A number is the reply code after the complete mail.
 * `rcpt` is the reply code to the recipients. `cut` closes the connection instead of sending a reply, `cut early`
 * closes it in the middle of the mail, and `silent` sends nothing more.
 */
export type SinkFate = "take" | "cut" | "cut early" | "silent" | { readonly rcpt: number } | number

/** A mail that was received completely. The reply may have rejected it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  /** Whether the reply was 250. */
  readonly accepted: boolean
}

/**
 * A mail relay for tests. A library implements the SMTP protocol, so the sink does not repeat errors of this project.
 */
export interface SmtpSink {
  readonly port: number
  /** All received mails, in order. */
  readonly mails: ReadonlyArray<ReceivedMail>
  /** Completes after this many mails. */
  readonly until: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

const problem = (code: number) => Object.assign(new Error(`${code} said the sink`), { responseCode: code })

const readAll = (stream: SMTPServerDataStream, onChunk: () => void): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    stream.on("data", (chunk: Buffer) => {
      chunks.push(chunk)
      onChunk()
    })
    stream.on("end", () => resolve(Buffer.concat(chunks).toString()))
  })

const envelopeOf = ({ envelope }: SMTPServerSession) => ({
  from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
  to: envelope.rcptTo.map(({ address }) => address)
})

const makeSink = async (fates: ReadonlyArray<SinkFate>, hideSMTPUTF8: boolean): Promise<SmtpSink> => {
  const mails: Array<ReceivedMail> = []
  const sockets = new Set<Socket>()
  const watchers = new Set<() => void>()
  let turn = 0
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    hideSMTPUTF8,
    onRcptTo: (_, __, callback) => {
      const fate = fates[turn]
      if (typeof fate !== "object") return callback()
      turn += 1
      callback(problem(fate.rcpt))
    },
    onData: async (stream, session, callback) => {
      const fate = fates[turn++] ?? "take"
      const raw = await readAll(stream, () => void (fate === "cut early" && cut()))
      mails.push({ ...envelopeOf(session), raw, accepted: fate === "take" })
      watchers.forEach((watcher) => watcher())
      if (fate === "take") callback()
      else if (typeof fate === "number") callback(problem(fate))
      else if (fate === "cut") cut()
    }
  })
  server.on("error", () => undefined)
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    until: (count) =>
      new Promise((resolve) => {
        const look = (): void => void (mails.length >= count && resolve())
        watchers.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      })
  }
}

/** Starts a relay that applies the given behaviours in turn, then accepts all further mails. */
export const startSink = (...fates: ReadonlyArray<SinkFate>): Promise<SmtpSink> => makeSink(fates, false)

/** Starts a relay that accepts everything, but supports ASCII addresses only (no RFC 6531). */
export const startAsciiSink = (): Promise<SmtpSink> => makeSink([], true)
