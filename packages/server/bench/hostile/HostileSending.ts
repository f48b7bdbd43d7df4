import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { at } from "../../test/world/TestServer.ts"
import type { TestTenant } from "../../test/world/World.ts"

/** A server, with the facts that the sender of hostile input knows. */
export interface Scene {
  readonly url: string
  readonly smtpPort: number
  readonly adminKey: string
  /** The tenant of the sender. */
  readonly tenant: TestTenant
  readonly contactId: string
  readonly assistantSecret: string
  readonly twilioToken: string
}

/** The result of an input. */
export interface Outcome {
  /** An HTTP status or an SMTP reply. */
  readonly answer: string
  readonly bytes: number
  /** The signal of the run that the input started; null: none. */
  readonly signalId: string | null
}

/** A network other than the probe's. */
const localAddress = "127.0.9.1"
const timeoutMillis = 120_000
const noAnswer = `no answer in ${timeoutMillis / 1_000} s`

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const outcomeOf = (status: number, text: string, bytes: number): Outcome => {
  const json = parse(text)
  const code = at(json, "error", "code")
  const signalId = at(json, "signal_id") ?? at(json, "event_id")
  return {
    answer: `${status}${typeof code === "string" ? ` ${code}` : ""}`,
    bytes,
    signalId: typeof signalId === "string" ? signalId : null
  }
}

const broken = (reason: string): Outcome => ({ answer: reason, bytes: 0, signalId: null })

/** Sends a request. The body is sent as JSON unless it is a string or bytes. */
export const sendRequest = (
  { url }: Pick<Scene, "url">,
  method: string,
  path: string,
  { as, body, headers = {} }: { as?: string; body?: unknown; headers?: Readonly<Record<string, string>> }
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const bytes = typeof body === "string" || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? "")
    const all = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(bytes)),
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...headers
    }
    const options = { hostname, port, method, path, headers: all, localAddress, timeout: timeoutMillis }
    const sent = request(options, (response) => {
      const head: Array<Buffer> = []
      let length = 0
      response.on("data", (chunk: Buffer) => {
        if (length < 1_000_000) head.push(chunk)
        length += chunk.length
      })
      response.on("end", () => resolve(outcomeOf(response.statusCode ?? 0, Buffer.concat(head).toString(), length)))
      response.on("error", (error) => resolve(broken(error.message)))
    })
    sent.on("timeout", () => sent.destroy(new Error(noAnswer)))
    sent.on("error", (error) => resolve(broken(error.message)))
    sent.end(bytes)
  })

/** Opens a connection of the sender. A broken connection has no effect. */
const open = (port: number, host = localAddress): Socket => {
  const socket = connect({ host: "127.0.0.1", port, localAddress: host })
  socket.on("error", () => undefined).resume()
  return socket
}

/** Writes raw bytes and returns the status line. */
export const sendRaw = ({ url }: Pick<Scene, "url">, bytes: Uint8Array): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = open(Number(new URL(url).port))
    let text = ""
    socket.on("data", (data) => (text += String(data)))
    socket.setTimeout(timeoutMillis, () => socket.destroy())
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n")
      const status = Number(/^HTTP\/1\.1 (?<status>\d{3})/u.exec(head)?.groups?.["status"] ?? 0)
      resolve(status === 0 ? broken(noAnswer) : outcomeOf(status, body.slice(body.indexOf("{")), text.length))
    })
    socket.end(bytes)
  })

/** Returns a request whose body has chunks of one byte each. */
export const inSingleBytes = (path: string, as: string, type: string, body: Uint8Array): Uint8Array => {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${as}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`
  const chunks = Buffer.alloc(body.length * 6)
  body.forEach((byte, index) => chunks.set([0x31, 13, 10, byte, 13, 10], index * 6))
  return Buffer.concat([Buffer.from(head), chunks, Buffer.from("0\r\n\r\n")])
}

/** Sends a mail over SMTP without a check of its line lengths. */
export const sendMail = ({ smtpPort, tenant }: Scene, mail: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const socket = open(smtpPort)
    const lines = ["EHLO x", "MAIL FROM:<eve@hostile.example>", `RCPT TO:<sales@${tenant.id}.com>`, "DATA"]
    let received = ""
    let last = ""
    socket.setTimeout(timeoutMillis, () => {
      last = noAnswer
      socket.destroy()
    })
    socket.on("data", (data) => {
      received += String(data)
      if (!/(?:^|\n)\d{3} [^\n]*\n$/u.test(received)) return
      last = received.trim().split("\n").at(-1) ?? ""
      received = ""
      const line = lines.shift()
      if (line !== undefined && !/^[45]/u.test(last)) socket.write(`${line}\r\n`)
      else if (last.startsWith("354")) socket.write(`${mail.replace(/^\./gmu, "..")}\r\n.\r\n`)
      else socket.end()
    })
    socket.on("close", () =>
      resolve({ answer: last === "" ? "closed" : last.slice(0, 60), bytes: last.length, signalId: null })
    )
  })

/** Holds connections of a sender open for a while, either idle or with a mail that arrives very slowly. */
export const holdConnections = async (
  { smtpPort, tenant }: Scene,
  { count, hosts, millis, slowMail }: { count: number; hosts: number; millis: number; slowMail: boolean }
): Promise<Outcome> => {
  const sockets = Array.from({ length: count }, (_, index) => open(smtpPort, `127.0.9.${2 + (index % hosts)}`))
  const envelope = [
    "EHLO x",
    "MAIL FROM:<eve@hostile.example> SIZE=26000000",
    `RCPT TO:<sales@${tenant.id}.com>`,
    "DATA"
  ]
  const timers: Array<NodeJS.Timeout> = []
  let greeted = 0
  for (const socket of sockets) {
    const lines = slowMail ? [...envelope] : []
    socket.once("data", (data) => (greeted += String(data).startsWith("220") ? 1 : 0))
    socket.on("data", (data) => {
      const line = lines.shift()
      if (line !== undefined) socket.write(`${line}\r\n`)
      if (String(data).startsWith("354")) timers.push(setInterval(() => socket.write("abc"), 5_000))
    })
  }
  await new Promise((resolve) => setTimeout(resolve, millis))
  const alive = sockets.filter((socket) => !socket.destroyed && socket.readyState === "open").length
  timers.forEach((timer) => clearInterval(timer))
  sockets.forEach((socket) => socket.destroy())
  const slow = slowMail ? `, ${timers.length} after DATA` : ""
  return { answer: `${greeted} of ${count} greeted${slow}, ${alive} still open`, bytes: 0, signalId: null }
}
