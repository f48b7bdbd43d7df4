import type { AddressInfo, Socket } from "node:net"
import { SMTPServer } from "smtp-server"
import { certificate, certificateKey } from "./Certificate.ts"

/** The behaviour of a submission server. */
export interface SubmissionOptions {
  readonly username?: string
  readonly password?: string
  /** Returns the access token that XOAUTH2 accepts. Default: the server does not offer XOAUTH2. */
  readonly accessToken?: () => string
  /** The reply to a login with the right password, for example that of a provider. Default: 235. */
  readonly refusal?: { readonly code: number; readonly text: string }
  /** Default: `none`. */
  readonly security?: "tls" | "starttls" | "none"
  /** What happens after the data of a mail: 250, a reply code, or a closed connection. Default: 250. */
  readonly afterData?: number | "cut"
}

/** A mail that the server received completely. */
export interface SubmittedMail {
  readonly user: string
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
}

/** An SMTP submission server with a login (RFC 6409, RFC 4954), for tests. A library implements the protocol. */
export interface SubmissionServer {
  readonly port: number
  readonly mails: ReadonlyArray<SubmittedMail>
  /** The number of logins with the right password. */
  readonly logins: () => number
  readonly close: () => Promise<void>
}

const reply = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** Starts a server on a free port of 127.0.0.1. Its certificate is self-signed for `localhost`. */
export const startSubmission = async (options: SubmissionOptions = {}): Promise<SubmissionServer> => {
  const { accessToken, afterData = 250, password = "correct horse", refusal, security = "none", username } = options
  const mails: Array<SubmittedMail> = []
  const sockets = new Set<Socket>()
  let logins = 0
  const server = new SMTPServer({
    secure: security === "tls",
    key: certificateKey,
    cert: certificate,
    disabledCommands: security === "starttls" ? [] : ["STARTTLS"],
    closeTimeout: 100,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    authMethods: accessToken === undefined ? ["PLAIN", "LOGIN"] : ["PLAIN", "LOGIN", "XOAUTH2"],
    onAuth: (auth, _, callback) => {
      const isSecret = auth.method === "XOAUTH2" ? auth.accessToken === accessToken?.() : auth.password === password
      const isRight = isSecret && (username === undefined || auth.username === username)
      if (!isRight)
        return callback(reply(535, `5.7.8 Error: authentication failed: ${auth.password ?? auth.accessToken ?? ""}`))
      if (refusal !== undefined) return callback(reply(refusal.code, refusal.text))
      logins += 1
      callback(null, { user: auth.username })
    },
    onData: (stream, { envelope, user }, callback) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ user: String(user), from, to, raw: Buffer.concat(chunks).toString() })
        if (afterData === "cut") for (const socket of sockets) socket.destroy()
        else if (afterData === 250) callback()
        else callback(reply(afterData, "no"))
      })
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
    logins: () => logins,
    close: () =>
      new Promise((resolve) => {
        // Node.js crashes when the socket below a TLS handshake is destroyed, so the library closes the connections.
        server.close(() => resolve())
      })
  }
}
