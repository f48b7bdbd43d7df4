import { connect } from "node:net"
import { text as readText } from "node:stream/consumers"
import type { Envelope } from "@leadloom/core/internal/domain/email/ParsedMail"
import { RecipientUnknown } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import { certificate, certificateKey } from "@leadloom/testkit/mail/Certificate"
import { Effect, Exit, Logger, Scope } from "effect"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import { afterEach, describe, expect, it } from "vitest"
import { runDialogue } from "../../src/smtp/SmtpDialogue.ts"
import { listen, type ListenOptions, type MailHandler } from "../../src/smtp/SmtpListener.ts"
import { type Talk, talkTo } from "./Talk.ts"

interface Received {
  readonly envelope: Envelope
  readonly raw: string
}

let scope: Scope.Closeable
let port: number
let received: Array<Received>

/** Opens a listener that accepts all mail for acme.com. `hold` delays its storage. */
const open = async (
  options: Partial<ListenOptions> = {},
  receive: MailHandler<never>["receive"] = () => Effect.void
): Promise<void> => {
  received = []
  scope = Effect.runSync(Scope.make())
  const handler: MailHandler<never> = {
    accept: (email) =>
      /@(?:acme|other)\.com$/u.test(email)
        ? Effect.succeed(email.replace(/^.*@(.*)\.com$/u, "$1"))
        : Effect.fail(new RecipientUnknown({ email })),
    receive: (envelope, raw, client) =>
      Effect.andThen(
        receive(envelope, raw, client),
        Effect.sync(() => void received.push({ envelope, raw: Buffer.from(raw).toString("latin1") }))
      )
  }
  const listening = listen({ host: "127.0.0.1", port: 0, tls: null, ...options }, handler)
  port = (await Effect.runPromise(Scope.provide(Effect.provide(listening, Logger.layer([])), scope))).port
}
const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
afterEach(close)

const talk = (): Promise<Talk> => talkTo(port)

/** Opens a connection and sends the commands up to DATA. */
const begun = async (): Promise<Talk> => {
  const line = await talk()
  expect(await line.answer()).toMatch(/^220 /u)
  expect(await line.say("EHLO sender.example")).toMatch(/^250/u)
  expect(await line.say("MAIL FROM:<jane@customer.example>")).toMatch(/^250 /u)
  expect(await line.say("RCPT TO:<sales@acme.com>")).toMatch(/^250 /u)
  return line
}

const deliver = async (body: string | Buffer): Promise<string> => {
  const line = await begun()
  expect(await line.say("DATA")).toMatch(/^354 /u)
  line.socket.write(body)
  const answer = await line.say(Buffer.from("\r\n.\r\n"))
  line.socket.destroy()
  return answer
}

describe("the mail listener", () => {
  it("passes on the unchanged mail with its envelope", async () => {
    await open()
    const line = await begun()
    await line.say("RCPT TO:<Info@ACME.com>")
    await line.say("DATA")
    expect(await line.say("Subject: x\r\n\r\n..dot\r\nNUL \0 and more\r\n.")).toBe("250 2.0.0 Stored")
    const envelope = { sender: "jane@customer.example", recipients: ["sales@acme.com", "info@acme.com"] }
    expect(received).toEqual([{ envelope, raw: "Subject: x\r\n\r\n.dot\r\nNUL \0 and more\r\n" }])
    expect(await line.say("MAIL FROM:<>")).toMatch(/^250 /u)
    await line.say("RCPT TO:<sales@acme.com>")
    await line.say("DATA")
    await line.say(Buffer.from([0xff, 0xc3, 0x28, 0x0d, 0x0a, 0x2e, 0x0d, 0x0a]))
    expect(received[1]).toEqual({ envelope: { sender: "", recipients: ["sales@acme.com"] }, raw: "\xff\xc3(\r\n" })
    line.socket.destroy()
  })

  it("announces its size limit, and refuses larger mail before and after the transfer", async () => {
    await open({ limits: { mailBytes: 20_000 } })
    const line = await talk()
    await line.answer()
    expect(await line.say("EHLO sender.example")).toContain("250 SIZE 20000")
    expect(await line.say("MAIL FROM:<jane@customer.example> SIZE=20001")).toMatch(/^552 /u)
    line.socket.destroy()
    expect(await deliver("x".repeat(20_100))).toMatch(/^552 /u)
    expect(await deliver(`a: b\r\n\r\n${"x".repeat(19_000)}`)).toMatch(/^250 /u)
    expect(received).toHaveLength(1)
  })

  it("closes the connection of a client that sends far too much", async () => {
    await open({ limits: { mailBytes: 20_000 } })
    const line = await begun()
    await line.say("DATA")
    const flood = setInterval(() => line.socket.write("x".repeat(10_000)), 1)
    expect(await line.answer()).toMatch(/^552 /u)
    await new Promise((resolve) => line.socket.on("close", resolve))
    clearInterval(flood)
    expect(received).toEqual([])
  })

  it("refuses a header beyond its limit, but accepts long lines and long ids", async () => {
    await open({ limits: { headerBytes: 50_000 } })
    expect(await deliver(`${"X-Bomb: boom\r\n".repeat(5_000)}\r\nbody`)).toBe(
      "552 5.3.4 The header of the mail is too large"
    )
    expect(await deliver(`Message-ID: <${"i".repeat(10_000)}@x>\r\n\r\n${"l".repeat(500_000)}`)).toMatch(/^250 /u)
  })

  it("limits the bytes in flight", async () => {
    await open({ limits: { spoolBytes: 100_000 } })
    const first = await begun()
    await first.say("DATA")
    await new Promise((resolve) => first.socket.write(`a: b\r\n\r\n${"x".repeat(80_000)}`, resolve))
    expect(await deliver(`a: b\r\n\r\n${"x".repeat(50_000)}`)).toBe(
      "452 4.3.1 Too much mail in transfer; try again later"
    )
    first.socket.destroy()
    await expect.poll(() => deliver(`a: b\r\n\r\n${"x".repeat(50_000)}`)).toMatch(/^250 /u)
  })

  it("accepts a hundred recipients, and tolerates ten thousand", async () => {
    await open()
    const line = await begun()
    const answers: Array<string> = []
    for (let index = 1; index < 10_000; index++) answers.push(await line.say(`RCPT TO:<a${index}@acme.com>`))
    expect(answers.filter((answer) => answer.startsWith("250 "))).toHaveLength(99)
    expect(new Set(answers.slice(99))).toEqual(
      new Set(["452 4.5.3 Too many recipients; send the others in another mail"])
    )
    line.socket.destroy()
  })

  it("disconnects clients that guess addresses, send long lines, talk early or send nonsense", async () => {
    await open({ limits: { refusals: 3 } })
    const line = await begun()
    const answers: Array<string> = []
    for (let index = 0; index < 4; index++) answers.push(await line.say(`RCPT TO:<a${index}@nobody.example>`))
    expect(answers.map((answer) => answer.slice(0, 9))).toEqual(["550 5.7.1", "550 5.7.1", "550 5.7.1", "421 4.7.0"])
    const long = await begun()
    expect(await long.say("X".repeat(20_000))).toMatch(/^421 /u)
    const nonsense = await begun()
    for (let index = 0; index < 9; index++) expect(await nonsense.say("WIZ x")).toMatch(/^500 /u)
    expect(await nonsense.say("WIZ x")).toMatch(/^421 /u)
    const early = await talk()
    expect(await early.say("EHLO early.example")).toMatch(/^421 /u)
  })

  it("limits connections in total and per network, and idle time", async () => {
    await open({ limits: { connectionsPerNetwork: 2, idleMillis: 300 } })
    const connections = [await talk(), await talk()]
    for (const connection of connections) expect(await connection.answer()).toMatch(/^220 /u)
    expect(await (await talk()).answer()).toMatch(/^421 4\.7\.0 /u)
    for (const connection of connections) expect(await connection.answer()).toMatch(/^421 /u)
    await expect.poll(async () => (await talk()).answer()).toMatch(/^220 /u)
    await close()
    await open({ limits: { connections: 1 } })
    await (await talk()).answer()
    expect(await (await talk()).answer()).toMatch(/^421 /u)
  })

  it("replies with a temporary error when the handler fails, and stores no incomplete mail", async () => {
    let broken = true
    await open({}, () => (broken ? Effect.die(new Error("the password is hunter2")) : Effect.void))
    expect(await deliver("a: b\r\n\r\nx")).toBe("451 4.3.0 The mail cannot be stored now; try again later")
    broken = false
    const line = await begun()
    await line.say("DATA")
    line.socket.write("a: b\r\n\r\nhalf of a ma")
    line.socket.destroy()
    expect(await deliver("a: b\r\n\r\nx")).toMatch(/^250 /u)
    expect(received).toHaveLength(1)
  })

  it("stops after the current mail is stored, and closes other connections immediately", async () => {
    const held = Promise.withResolvers<void>()
    const come = Promise.withResolvers<void>()
    await open({}, () =>
      Effect.promise(() => {
        come.resolve()
        return held.promise
      })
    )
    const idle = await begun()
    const busy = deliver("a: b\r\n\r\nx")
    await come.promise
    const closing = close()
    expect(await idle.answer()).toMatch(/^421 4\.3\.2 /u)
    held.resolve()
    expect(await busy).toMatch(/^250 /u)
    await closing
    expect(received).toHaveLength(1)
    await expect(readText(connect(port, "127.0.0.1"))).rejects.toThrow("ECONNREFUSED")
  })

  it("offers STARTTLS and accepts mail over it", async () => {
    await open()
    expect(await (await begun()).say("STARTTLS")).toMatch(/^500 /u)
    await close()
    await open({ tls: { cert: Buffer.from(certificate), key: Buffer.from(certificateKey) } })
    const connection = new SMTPConnection({ host: "127.0.0.1", port, requireTLS: true, tls: { ca: certificate } })
    await new Promise<void>((resolve, reject) => {
      connection.on("error", reject)
      connection.connect(() => resolve())
    })
    expect(connection.secure).toBe(true)
    const envelope = { from: "jane@customer.example", to: ["sales@acme.com"] }
    await new Promise((resolve, reject) =>
      connection.send(envelope, "a: b\r\n\r\nx", (error, info) => (error ? reject(error) : resolve(info)))
    )
    connection.close()
    expect(received).toHaveLength(1)
    const relay = { host: "127.0.0.1", port, secure: false, requireTls: true, login: null, name: null }
    const timeouts = { connect: 9_000, idle: 9_000, total: 9_000 }
    expect(await runDialogue(relay, envelope, Buffer.from("x"), timeouts)).toMatchObject({
      broken: true,
      dataGone: false
    })
  })
})
