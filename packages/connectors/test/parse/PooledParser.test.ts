import { type ChildProcess, spawn } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { getPriority, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as afterMillis } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import { unparsedBody } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { MailParser } from "@leadloom/core/internal/port/provider/MailParser"
import { hostileProgram, parseProgram } from "@leadloom/testkit/Program"
import { Cause, Effect, Exit, type Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { defaultLimits } from "../../src/parse/ParseLimits.ts"
import { layer, layerInProcess, layerOf } from "../../src/parse/PooledParser.ts"

const mail = (subject: string, body = "Hi", type = "text/plain"): Uint8Array =>
  Buffer.from(
    [
      "From: Jo Doe <jo@shop.example>",
      "To: sales@acme.com",
      `Subject: ${subject}`,
      "Message-ID: <1@shop.example>",
      "In-Reply-To: <0@acme.com>",
      "Date: Mon, 6 Jan 2020 10:00:00 +0000",
      `Content-Type: ${type}`,
      "",
      body
    ].join("\r\n")
  )

const parse = (raw: Uint8Array, flow = "one", mediaType = mimeSource) =>
  Effect.flatMap(MailParser, (parser) => parser.parse(raw, { flow, mediaType }))

const run = <A, E>(program: Effect.Effect<A, E, MailParser>, parser: Layer.Layer<MailParser>) =>
  Effect.runPromise(Effect.provide(program, parser))

/** May read all files, as the mail that lists open files needs. A bundle may read its own folder only. */
const readingHostile = new URL("./HostileProgram.ts", import.meta.url)
const hostile = hostileProgram(readingHostile)
/** A folder that the hostile program may read. */
const readable = hostile === readingHostile ? tmpdir() : dirname(fileURLToPath(hostile))
// Long enough for a small mail on a busy machine. A mail that blocks its process uses no processor time.
const small = {
  ...defaultLimits,
  deadlineMillis: 4_000,
  elapsedDeadlines: 1,
  memory: { oldSpace: 24, semiSpace: 1, resident: 512 }
}
const patient = { ...small, deadlineMillis: 60_000 }
const hostileParser = layerOf(small, hostile)
const unhurried = { ...defaultLimits, deadlineMillis: 60_000 }
const pooled = layerOf(unhurried, parseProgram())

/** The processes that a test has started. */
let processes: Array<ChildProcess> = []
const noteProcess = (message: unknown): void => {
  processes.push((message as { readonly process: ChildProcess }).process)
}
beforeEach(() => {
  processes = []
  subscribe("child_process", noteProcess)
})
afterEach(() => void unsubscribe("child_process", noteProcess))

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Waits for the process of an endless mail to begin it. */
const working = async (): Promise<ChildProcess> => {
  await expect.poll(() => processes.length, { timeout: 60_000 }).toBeGreaterThan(0)
  return Promise.race(
    processes.map(async (child) => {
      if (child.stderr !== null) await once(child.stderr, "data")
      return child
    })
  )
}

/** Returns whether a process is running. An ended process may keep its id until its parent reads its status. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}
const onLinux = process.platform === "linux"

/** Runs a check while a process parses an endless mail, and returns the parsed mail. */
const whileWorking = async (
  parser: Layer.Layer<MailParser>,
  body: string,
  check: (child: ChildProcess) => Promise<void>
) => {
  const folder = mkdtempSync(join(readable, "leadloom-sign-"))
  const sign = join(folder, "sign")
  writeFileSync(sign, "")
  const checked = Effect.promise(async () => {
    await check(await working()).finally(() => rmSync(folder, { recursive: true }))
  })
  const [parsed] = await run(
    Effect.all([parse(mail(`loop while ${sign}`, body)), checked], { concurrency: "unbounded" }),
    parser
  )
  return parsed
}

const niceness = ({ pid = 0 }: ChildProcess): number => getPriority(pid)

describe("the parse processes", () => {
  it("give the same result as the caller's thread, with quotes split off", async () => {
    const raw = mail("Roof", "New text\r\n\r\nOn Mon, 6 Jan 2020 at 10:00, Ann <ann@acme.com> wrote:\r\n> Old text\r\n")
    const parsed = await run(parse(raw), layer)
    expect(parsed).toEqual(await run(parse(raw), layerInProcess))
    expect({ body: parsed.body, unparsed: parsed.unparsed }).toEqual({ body: "New text", unparsed: undefined })
    expect(parsed.quotedText).toContain("> Old text")
  })

  it("read attachments and messages of a provider", async () => {
    const raw = Buffer.concat([
      Buffer.from('Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: image/png\r\n'),
      Buffer.from("Content-Transfer-Encoding: base64\r\n\r\naGFsbG8=\r\n--b--")
    ])
    const bytes = await run(
      Effect.flatMap(MailParser, ({ attachment }) => attachment(raw, 0, { flow: "one" })),
      pooled
    )
    expect(Buffer.from(bytes ?? []).toString()).toBe("hallo")
    const json = {
      data: { id: "1", from: [{ email: "jo@shop.example" }], subject: "Roof", body: "<p>Hi &amp; bye</p>" }
    }
    const parsed = await run(parse(Buffer.from(JSON.stringify(json)), "one", "application/json"), pooled)
    expect({ text: parsed.text, from: parsed.from[0]?.email }).toEqual({ text: "Hi & bye", from: "jo@shop.example" })
  })

  it("render HTML like the caller's thread, and report failures", async () => {
    const html = `<p onclick="steal()">Hi<script>steal()</script></p>${"<p>Roof &amp; wall</p>".repeat(5_000)}`
    const render = Effect.flatMap(MailParser, (parser) => parser.renderHtml(html, { flow: "one" }))
    const rendered = await run(render, pooled)
    expect(rendered).toEqual(await run(render, layerInProcess))
    expect(rendered.html.startsWith("<p>Hi</p><p>Roof &amp; wall</p>")).toBe(true)
    expect(rendered.text.startsWith("Hi\n\nRoof & wall\n")).toBe(true)
    const missing = layerOf(small, new URL("./Nowhere.mjs", import.meta.url))
    expect(await run(Effect.flip(render), missing)).toMatchObject({ _tag: "ParserUnavailable" })
  })

  it("stop a mail at the deadline without delaying the mail of other tenants", async () => {
    const order: Array<string> = []
    const noted = (name: string, flow: string) =>
      Effect.tap(parse(mail(name), flow), () => Effect.sync(() => void order.push(name)))
    // The first one uses a core, as an attack does. The others only block their process.
    const stuck = ["endless loop", "loop", "loop"].map((name) => noted(name, "attacker"))
    const others = Array.from({ length: 20 }, (_, n) => noted("fine", `tenant-${n}`))
    const [first, ...rest] = await run(Effect.all([...stuck, ...others], { concurrency: "unbounded" }), hostileParser)
    expect(first).toMatchObject({
      unparsed: "deadline",
      text: unparsedBody,
      subject: "endless loop",
      messageId: "<1@shop.example>"
    })
    expect(first?.from).toEqual([{ email: "jo@shop.example", name: "Jo Doe" }])
    expect(first?.inReplyTo).toBe("<0@acme.com>")
    expect(rest.slice(2).every(({ unparsed }) => unparsed === undefined)).toBe(true)
    expect(order.lastIndexOf("fine")).toBeLessThan(order.lastIndexOf("loop"))
  })

  it.runIf(onLinux)("parse a mail whose process has received little processor time at the deadline", async () => {
    const limits = { ...small, deadlineMillis: 1_000, elapsedDeadlines: 20 }
    const parsed = await whileWorking(layerOf(limits, hostile), "Hi", async (child) => {
      // A stopped process receives no processor time, like one with a low priority on a busy machine.
      child.kill("SIGSTOP")
      await afterMillis(limits.deadlineMillis + 500)
      child.kill("SIGCONT")
    })
    expect(parsed.unparsed).toBeUndefined()
  })

  it("report a mail that exceeds its memory or crashes the parser, and continue", async () => {
    const [full, broken, fine] = await run(
      Effect.all([parse(mail("memory")), parse(mail("crash")), parse(mail("fine"))]),
      layerOf(patient, hostile)
    )
    expect([full.unparsed, broken.unparsed, fine.unparsed]).toEqual(["memory", "failed", undefined])
  })

  it.runIf(onLinux)("report a mail that exceeds its memory outside the heap", async () => {
    const limits = { ...patient, memory: { ...small.memory, resident: 200 } }
    const [full, fine] = await run(Effect.all([parse(mail("bytes")), parse(mail("fine"))]), layerOf(limits, hostile))
    expect([full.unparsed, fine.unparsed]).toEqual(["memory", undefined])
  })

  it("lose only the mail of a process that aborts", async () => {
    const mails = ["abort", ...Array.from({ length: 10 }, () => "fine")].map((subject) => parse(mail(subject)))
    const [aborted, ...others] = await run(Effect.all(mails, { concurrency: "unbounded" }), layerOf(patient, hostile))
    expect([aborted?.unparsed, ...others.map(({ unparsed }) => unparsed)]).toEqual([
      "failed",
      ...others.map(() => undefined)
    ])
    expect(processes.filter(({ signalCode }) => signalCode === "SIGABRT")).toHaveLength(1)
  })

  it("lose only the mail of a process that another process kills", async () => {
    const others = Effect.all(
      Array.from({ length: 10 }, (_, n) => parse(mail("fine"), `${n}`)),
      { concurrency: "unbounded" }
    )
    const kill = Effect.promise(async () => void (await working()).kill("SIGKILL"))
    const [killed, , rest] = await run(
      Effect.all([parse(mail("loop")), kill, others], { concurrency: "unbounded" }),
      layerOf(patient, hostile)
    )
    expect(killed).toMatchObject({ unparsed: "memory", subject: "loop" })
    expect(rest.every(({ unparsed }) => unparsed === undefined)).toBe(true)
  })

  it("lose no mail when a process ends before it starts one", async () => {
    const killAll = Effect.sync(() => processes.map((child) => child.kill("SIGKILL")))
    const mails = Effect.all(
      Array.from({ length: 5 }, () => parse(mail("fine"))),
      { concurrency: "unbounded" }
    )
    // The pool receives no event between the kill and the next mails, so it still counts on the processes.
    const parsed = await run(Effect.andThen(Effect.andThen(mails, killAll), mails), layerOf(patient, hostile))
    expect(parsed.map(({ body }) => body)).toEqual(parsed.map(() => "Hi"))
    expect(processes.filter(({ signalCode }) => signalCode === "SIGKILL").length).toBeGreaterThan(1)
  })

  it("finish their mail when the terminal or the service manager signals them", async () => {
    const parsed = await whileWorking(layerOf(patient, hostile), "Hi", async (child) => {
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) child.kill(name)
    })
    expect(parsed.unparsed).toBeUndefined()
  })

  it.runIf(onLinux)(
    "have no environment variables and no files, and cannot write or start programs or threads",
    async () => {
      const { text } = await run(parse(mail("confinement")), layerOf(patient, readingHostile))
      const denied = "ERR_ACCESS_DENIED"
      expect(JSON.parse(text)).toEqual({ environment: [], write: denied, spawn: denied, thread: denied, files: [] })
    }
  )

  it("end when they are idle, and start again", async () => {
    const parser = layerOf({ ...patient, idleMillis: 50 }, hostile)
    const idle = Effect.promise(() =>
      Promise.all(processes.map((child) => (hasEnded(child) ? undefined : once(child, "exit"))))
    )
    const [, first, again] = await run(
      Effect.all([
        parse(mail("fine")),
        Effect.andThen(
          idle,
          Effect.sync(() => processes.length)
        ),
        parse(mail("fine"))
      ]),
      parser
    )
    expect(again.body).toBe("Hi")
    expect(processes.length).toBeGreaterThan(first)
  })

  it("keep one process from the start on request, and end the others", async () => {
    const limits = { ...patient, idleMillis: 50 }
    const alive = (): number => processes.filter((child) => !hasEnded(child)).length
    // The processes of another pool end after the same idle time. They start later, so they also end later.
    const idleTime = Effect.promise(async () => {
      const before = processes.length
      const end = Effect.promise(() =>
        Promise.all(processes.slice(before).map((child) => (hasEnded(child) ? undefined : once(child, "exit"))))
      )
      await run(Effect.andThen(parse(mail("fine")), end), layerOf(limits, hostile))
    })
    const [atStart, atEnd] = await run(
      Effect.gen(function* () {
        yield* Effect.flatMap(MailParser, (parser) => parser.keepReady)
        const started = processes.length
        yield* parse(mail("fine"))
        yield* idleTime
        yield* idleTime
        yield* Effect.promise(() => expect.poll(alive, { timeout: 60_000 }).toBeLessThan(2))
        return [started, alive()] as const
      }),
      layerOf(limits, hostile)
    )
    expect({ atStart, atEnd }).toEqual({ atStart: 1, atEnd: 1 })
  })

  it("run a large mail at a lower priority than the next small one", async () => {
    const parsed = await whileWorking(layerOf(patient, hostile), "Hi ".repeat(50_000), async (child) => {
      expect(niceness(child)).toBeGreaterThan(getPriority())
      expect(processes.filter((each) => !hasEnded(each) && niceness(each) === getPriority())).not.toEqual([])
    })
    expect(parsed.unparsed).toBeUndefined()
  })

  it.runIf(onLinux)("lower the priority of a small mail that lasts, and start another process", async () => {
    const parsed = await whileWorking(layerOf({ ...patient, processes: 2 }, hostile), "Hi", async (child) => {
      await expect.poll(() => niceness(child), { timeout: 60_000 }).toBeGreaterThan(getPriority())
      expect(processes.filter((each) => !hasEnded(each) && niceness(each) === getPriority())).not.toEqual([])
    })
    expect(parsed.unparsed).toBeUndefined()
  })

  it.runIf(onLinux)("replace a process that keeps much memory after a large mail", async () => {
    const large = parse(mail("fine", "Hi ".repeat(50_000)))
    const ended = Effect.promise(() => expect.poll(() => processes.some(hasEnded), { timeout: 60_000 }).toBe(true))
    const parser = layerOf({ ...patient, recycleResident: 1 }, hostile)
    const [one, , other] = await run(Effect.all([large, ended, large]), parser)
    expect([one.unparsed, other.unparsed]).toEqual([undefined, undefined])
  })

  it("give each mail of one flow its own result, although the processes receive several at once", async () => {
    const subjects = Array.from({ length: 40 }, (_, index) => (index === 20 ? "crash" : `fine ${index}`))
    const parsed = await run(
      Effect.all(
        subjects.map((subject) => parse(mail(subject, `Body of ${subject}`))),
        { concurrency: "unbounded" }
      ),
      layerOf(patient, hostile)
    )
    const expected = subjects.map((subject) => ({
      subject,
      text: subject === "crash" ? unparsedBody : `Body of ${subject}`,
      unparsed: subject === "crash" ? "failed" : undefined
    }))
    expect(parsed.map(({ subject, text, unparsed }) => ({ subject, text, unparsed }))).toEqual(expected)
  })

  it("parse the mails that wait in a process behind one that exceeds its deadline", async () => {
    const subjects = ["fine", "fine", "loop", ...Array.from({ length: 20 }, () => "fine")]
    const mails = Effect.all(
      subjects.map((subject) => parse(mail(subject))),
      { concurrency: "unbounded" }
    )
    const [, parsed] = await run(Effect.all([parse(mail("fine")), mails]), hostileParser)
    expect(parsed.map(({ unparsed }) => unparsed)).toEqual(
      subjects.map((subject) => (subject === "loop" ? "deadline" : undefined))
    )
  })

  it.runIf(onLinux)("end in any state when the server is killed", async () => {
    const parent = spawn(
      process.execPath,
      ["--conditions=leadloom:source", fileURLToPath(new URL("./OrphanParent.ts", import.meta.url))],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    const [line]: ReadonlyArray<unknown> = await once(parent.stdout, "data")
    const children: ReadonlyArray<number> = JSON.parse(String(line))
    expect(children.length).toBeGreaterThan(1)
    expect(children.filter(isAlive)).toEqual(children)
    parent.kill("SIGKILL")
    await expect.poll(() => children.filter(isAlive), { timeout: 60_000 }).toEqual([])
  })

  it("refuse jobs beyond the queue limit, and jobs without a working process", async () => {
    const crowded = layerOf({ ...small, waiting: 1 }, hostile)
    const all = Effect.all(
      Array.from({ length: 10 }, () => Effect.exit(parse(mail("loop")))),
      { concurrency: "unbounded" }
    )
    const refused = (await run(all, crowded)).filter(Exit.isFailure)
    expect(refused.length).toBeGreaterThan(0)
    for (const { cause } of refused) expect(Cause.pretty(cause)).toContain("ParserUnavailable")
    const missing = layerOf(small, new URL("./Nowhere.mjs", import.meta.url))
    const exit = await run(Effect.exit(parse(mail("fine"))), missing)
    expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("ParserUnavailable")
  })

  it("end with the layer in any state", async () => {
    const parser = layerOf(patient, hostile)
    const begun = Effect.promise(() => working())
    await Effect.runPromise(Effect.provide(Effect.raceFirst(parse(mail("loop")), begun), parser))
    expect(processes.length).toBeGreaterThan(0)
    expect(processes.every(hasEnded)).toBe(true)
  })
})

/** Less time than a quadratic parser needs for these mails, and enough for a linear one on a busy machine. */
const linear = layerOf({ ...defaultLimits, deadlineMillis: 20_000 }, parseProgram())

describe("mail that is expensive to parse", () => {
  it.each([
    ["quotes around many lines", "text/html", "<blockquote>".repeat(190) + "<pre>" + "a\n".repeat(250_000)],
    ["no-break spaces", "text/html", `<p>${"\u00a0".repeat(400_000)}x`],
    ["plain quotes", "text/plain", `${">".repeat(190)} a\n`.repeat(4_000)]
  ])("is parsed to a bounded size: %s", async (_, type, body) => {
    const parsed = await run(parse(mail("Hard", body, `${type}; charset=utf-8`)), linear)
    expect(parsed.unparsed).toBeUndefined()
    expect(JSON.stringify(parsed).length).toBeLessThan(6 * 1_048_576)
  })

  it("keeps the addresses of a header with blanks, and has no sender without an address", async () => {
    const blanks = " ".repeat(60_000)
    const raw = Buffer.from(`From: jo(a)${blanks}@${blanks}shop.example\r\nTo: <ann@acme.com>${blanks}\r\n\r\nHi`)
    expect((await run(parse(raw), pooled)).to).toEqual([{ email: "ann@acme.com", name: null }])
  })
})
