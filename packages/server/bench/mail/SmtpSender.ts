/** A client that sends many mails over one SMTP connection and pipelines the commands of each mail (RFC 2920). */
import { connect, type Socket } from "node:net"

/** The final reply to a mail. */
export interface MailReply {
  readonly code: number
  readonly text: string
}

/** An open connection. */
export interface SmtpSender {
  /** Sends one mail and returns the final reply, or the first refusal. Must not be called concurrently. */
  readonly send: (from: string, to: string, raw: Buffer) => Promise<MailReply>
  readonly close: () => void
}

/** Returns the data of a mail with CRLF line ends, doubled leading dots and the final dot (RFC 5321 section 4.5.2). */
const dataOf = (raw: Buffer): Buffer => {
  const text = raw.toString("latin1").replace(/\r?\n/gu, "\r\n").replace(/^\./gmu, "..")
  return Buffer.from(`${text}${text.endsWith("\r\n") ? "" : "\r\n"}.\r\n`, "latin1")
}

/** Returns a function that reads one reply, including those of several lines. */
const replies = (socket: Socket): (() => Promise<MailReply>) => {
  let received = ""
  let ended = false
  const waiting: Array<PromiseWithResolvers<MailReply>> = []
  const settle = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const reply = /^(?:\d{3}-[^\n]*\n)*(?<code>\d{3}) (?<text>[^\r\n]*)\r?\n/u.exec(received)
      if (reply === null) break
      waiting.shift()
      received = received.slice(reply[0].length)
      first.resolve({ code: Number(reply.groups?.["code"]), text: reply.groups?.["text"] ?? "" })
    }
    if (ended)
      for (const { reject } of waiting.splice(0)) reject(new Error(`the server closed the connection: ${received}`))
  }
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
    settle()
  })
  socket
    .on("error", () => undefined)
    .on("close", () => {
      ended = true
      settle()
    })
  return () => {
    const reply = Promise.withResolvers<MailReply>()
    waiting.push(reply)
    settle()
    return reply.promise
  }
}

/** Opens a connection to a server on this machine. */
export const openSender = async (port: number): Promise<SmtpSender> => {
  const socket = connect(port, "127.0.0.1").setNoDelay(true)
  const next = replies(socket)
  await next()
  socket.write("EHLO sender.example\r\n")
  await next()
  return {
    send: async (from, to, raw) => {
      socket.write(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`)
      const [mail, recipient, data] = [await next(), await next(), await next()]
      const refusal = [mail, recipient, data].find(({ code }) => code >= 400)
      if (data.code === 354) socket.write(refusal === undefined ? dataOf(raw) : ".\r\n")
      const last = data.code === 354 ? await next() : data
      return refusal ?? last
    },
    close: () => void socket.end("QUIT\r\n")
  }
}
