import { randomBytes } from "node:crypto"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RecipientUnknown } from "@leadloom/core/internal/workflow/intake/ReceiveMail"
import { Effect, Exit, Logger, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { defaultLimits } from "../../src/smtp/SmtpLimits.ts"
import { listen, type ListenOptions } from "../../src/smtp/SmtpListener.ts"
import { clientNetwork } from "../../src/smtp/SmtpNetwork.ts"
import { type Talk, talkTo } from "./Talk.ts"

/** Addresses of two client networks. */
const [here, there] = ["127.0.0.1", "127.0.1.1"]

let scope: Scope.Closeable
let port: number
let stored: Array<Buffer>
let directory: string

const open = async (limits: ListenOptions["limits"] = {}, more: Partial<ListenOptions> = {}): Promise<void> => {
  stored = []
  scope = Effect.runSync(Scope.make())
  const tenantOf = (email: string): string | null => /@(.+)\.com$/u.exec(email)?.[1] ?? null
  const listening = listen(
    {
      host: "127.0.0.1",
      port: 0,
      tls: null,
      limits: { stopMillis: 50, ...limits },
      spoolDirectory: directory,
      ...more
    },
    {
      accept: (email) => {
        const tenantId = tenantOf(email)
        return tenantId === null ? Effect.fail(new RecipientUnknown({ email })) : Effect.succeed(tenantId)
      },
      receive: (_, raw) => Effect.sync(() => void stored.push(Buffer.from(raw)))
    }
  )
  port = (await Effect.runPromise(Scope.provide(Effect.provide(listening, Logger.layer([])), scope))).port
}

beforeEach(async () => {
  // The listener counts seconds with an interval. Everything else runs in real time.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  directory = await mkdtemp(join(tmpdir(), "leadloom-test-"))
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  vi.useRealTimers()
  await rm(directory, { recursive: true })
})

const passSeconds = (seconds: number): void => void vi.advanceTimersByTime(seconds * 1_000)

const greeted = async (address = here): Promise<Talk> => {
  const line = await talkTo(port, address)
  expect(await line.answer()).toMatch(/^220 /u)
  return line
}

/** Opens a connection and sends a part of the data. */
const begun = async (data: string | Buffer, address = here, to = "sales@acme.com"): Promise<Talk> => {
  const line = await greeted(address)
  await line.say("EHLO sender.example")
  await line.say("MAIL FROM:<jane@customer.example>")
  expect(await line.say(`RCPT TO:<${to}>`)).toMatch(/^250 /u)
  expect(await line.say("DATA")).toMatch(/^354 /u)
  await new Promise((resolve) => line.socket.write(data, resolve))
  return line
}

const deliver = async (data: string | Buffer, address = here, to = "sales@acme.com"): Promise<string> => {
  const line = await begun(data, address, to)
  const answer = await line.say(Buffer.from("\r\n.\r\n"))
  line.socket.destroy()
  return answer
}

const mailOf = (length: number): string => `a: b\r\n\r\n${"x".repeat(length)}`

describe("the mail listener under load", () => {
  it("gives each network its share of connections", async () => {
    await open({ connectionsPerNetwork: 2, connections: 4 })
    await greeted()
    await greeted()
    expect(await (await talkTo(port)).answer()).toBe(
      "421 4.7.0 Too many connections from your network; try again later"
    )
    await greeted(there)
  })

  it("gives a trusted network all connections", async () => {
    await open({ connectionsPerNetwork: 1, connections: 3 }, { isTrusted: (address) => address === here })
    await Promise.all([greeted(), greeted(), greeted()])
    expect(await (await talkTo(port)).answer()).toBe("421 4.3.2 Too many connections; try again later")
  })

  it("closes the longest idle connection when it is full, but none that transfers a mail", async () => {
    await open({ connections: 3, connectionsPerNetwork: 3 })
    const busy = await begun("a: b\r\n")
    passSeconds(1)
    const [first, second] = [await greeted(), await greeted(there)]
    passSeconds(defaultLimits.stressIdleSeconds - 1)
    // Commands alone do not reset the idle time.
    expect(await first.say("NOOP")).toMatch(/^250 /u)
    expect(await (await talkTo(port)).answer()).toMatch(/^421 4\.3\.2 /u)
    passSeconds(1)
    await greeted(there)
    expect(await second.say("NOOP")).toMatch(/^250 /u)
    expect(await first.answer()).toBe("421 4.4.2 Too many connections and this one is idle; connect again")
    expect(await busy.say(Buffer.from("\r\n.\r\n"))).toMatch(/^250 /u)
  })

  it("gives each network its share of bytes in flight", async () => {
    await open({ spoolBytesPerNetwork: 100_000 })
    const unfinished = await begun(mailOf(80_000))
    expect(await deliver(mailOf(50_000))).toBe("452 4.3.1 Too much mail in transfer; try again later")
    expect(await deliver(mailOf(50_000), there)).toMatch(/^250 /u)
    unfinished.socket.destroy()
    await vi.waitFor(async () => expect(await deliver(mailOf(50_000))).toMatch(/^250 /u), 60_000)
    expect(await deliver(mailOf(90_000))).toMatch(/^250 /u)
  })

  it("gives each tenant its share of bytes and mails in flight, from any sender", async () => {
    await open({ spoolBytesPerTenant: 100_000, mailsPerTenant: 2 })
    await begun(mailOf(80_000))
    expect(await deliver(mailOf(50_000), there)).toMatch(/^452 4\.3\.1 /u)
    expect(await deliver(mailOf(50_000), there, "hello@other.com")).toMatch(/^250 /u)
    await begun("a: b\r\n", there)
    expect(await deliver("a: b", there)).toBe("450 4.2.1 The recipient receives too much mail; try again later")
    expect(await deliver("a: b", there, "hello@other.com")).toMatch(/^250 /u)
  })

  it("limits the mails to a tenant per minute", async () => {
    await open({ mailsPerMinutePerTenant: 2 })
    for (const address of [here, there]) expect(await deliver("a: b", address)).toMatch(/^250 /u)
    const line = await greeted()
    await line.say("EHLO sender.example")
    await line.say("MAIL FROM:<jane@customer.example>")
    expect(await line.say("RCPT TO:<sales@acme.com>")).toMatch(/^450 4\.2\.1 /u)
    expect(await line.say("RCPT TO:<sales@other.com>")).toMatch(/^250 /u)
    passSeconds(60)
    expect(await line.say("RCPT TO:<sales@acme.com>")).toMatch(/^250 /u)
  })

  it("ends a mail that arrives too slowly, and releases its capacity", async () => {
    await open({ spoolBytesPerNetwork: 100_000, minDataRate: 100 })
    const slow = await begun(mailOf(80_000))
    await vi.waitFor(async () => expect(await deliver(mailOf(50_000))).toMatch(/^452 /u), 60_000)
    passSeconds(defaultLimits.dataRateSeconds)
    expect(await deliver(mailOf(50_000))).toMatch(/^452 /u)
    for (let second = 1; second < defaultLimits.dataRateSeconds; second += 1) {
      slow.socket.write("xyz")
      passSeconds(1)
    }
    const waiting = await begun(mailOf(10), there)
    passSeconds(1)
    expect(await slow.answer()).toBe("421 4.4.2 The transfer took too long; connect again")
    expect(await deliver(mailOf(90_000))).toMatch(/^250 /u)
    expect(await waiting.say(Buffer.from("\r\n.\r\n"))).toMatch(/^250 /u)
    expect(stored).toHaveLength(2)
  })

  it("requires a higher data rate while capacity is scarce", async () => {
    await open({ spoolBytes: 100_000, minDataRate: 1, stressMinDataRate: 1_000 })
    const small = await begun(mailOf(20_000))
    const large = await begun(mailOf(60_000), there)
    await vi.waitFor(async () => expect(await deliver(mailOf(30_000))).toMatch(/^452 /u))
    passSeconds(defaultLimits.dataRateSeconds)
    expect(await small.answer()).toMatch(/^421 4\.4\.2 /u)
    expect(await large.say(Buffer.from("\r\n.\r\n"))).toMatch(/^250 /u)
  })

  it("stores large mails unchanged in unlinked temporary files", async () => {
    await open({ memoryBytes: 1_000 })
    const raw = Buffer.concat([Buffer.from("a: b\r\n\r\n"), Buffer.from(randomBytes(300_000).toString("base64"))])
    const line = await begun(raw)
    expect(await readdir(directory)).toEqual([])
    expect(await line.say(Buffer.from("\r\n.\r\n"))).toMatch(/^250 /u)
    expect(stored[0]?.equals(Buffer.concat([raw, Buffer.from("\r\n")]))).toBe(true)
  })

  it("replies with a temporary error when the disk is full", async () => {
    await open({ memoryBytes: 1_000 }, { spoolDirectory: join(directory, "missing") })
    expect(await deliver(mailOf(5_000))).toMatch(/^452 4\.3\.1 /u)
    expect(await deliver(mailOf(500))).toMatch(/^250 /u)
  })

  it("accepts the largest mail, and twenty connections of one network", async () => {
    await open()
    const line = `${"x".repeat(76)}\r\n`
    const large = `a: b\r\n\r\n${line.repeat(Math.floor((25 * 1_048_576 - 100) / line.length))}`
    const answers = await Promise.all([deliver(large), ...Array.from({ length: 19 }, () => deliver(mailOf(1_000)))])
    expect(answers.filter((answer) => !answer.startsWith("250 "))).toEqual([])
  })
})

describe("the network of a client", () => {
  it.each([
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["2001:db8:0:1:aaaa::1", "2001:db8:0:1::/64"],
    ["2001:0DB8::1:0:0:1", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"]
  ])("of %s is %s", (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })
})
