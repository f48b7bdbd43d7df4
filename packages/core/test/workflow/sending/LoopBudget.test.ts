import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { inMemoryEmailTransport } from "@leadloom/testkit/memory/EmailTransport"
import { around } from "@leadloom/testkit/suite/Doubles"
import { rawMail, start, acme } from "@leadloom/testkit/suite/Scene"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { messageIdKey } from "../../../src/workflow/intake/Recognise.ts"
import { connectEmail } from "../../../src/workflow/mailbox/ConnectEmail.ts"
import { ingestEmail } from "../../../src/workflow/intake/IngestEmail.ts"
import type { OutgoingMail } from "../../../src/domain/email/OutgoingMail.ts"
import { sendEmail } from "../../../src/workflow/sending/SendEmail.ts"
import { workDueSends } from "../../../src/workflow/sending/WorkSends.ts"
import type { MessageId } from "../../../src/domain/Id.ts"
import { workDueSignals } from "../../../src/workflow/pipeline/WorkSignals.ts"
import * as Store from "@leadloom/store/internal/Store"
import { Messages } from "../../../src/port/repository/conversation/Messages.ts"

/** The next action of an automatic correspondent. Everything is arbitrary except that it writes. */
interface Move {
  /** Minutes since the previous move. */
  readonly after: number
  readonly from: number
  readonly replyTo: number | null
  /** The answered mail of ours, counted from the newest; null opens a thread. */
  readonly answers: number | null
  readonly subject: string
  readonly marks: ReadonlyArray<string>
  /** `new`: with its own Message-ID; `none`: without one; `copy`: an exact copy of its last mail. */
  readonly id: "new" | "none" | "copy"
  /** True when one of the tenant's people writes into the thread first. */
  readonly person: boolean
}

/** The last four must never get a reply. */
const robots = [
  "one@robot.example",
  "one+1@robot.example",
  "two@machine.example",
  "desk@machine.example",
  "no-reply@robot.example",
  "mailer-daemon@machine.example",
  "office@acme.com",
  "boss@acme.com"
]
const neverAnswered = new Set(robots.slice(4))
const marks = ["Auto-Submitted: auto-replied", "Precedence: bulk", "X-Auto-Response-Suppress: All", "X-Loop: yes"]

const mostly = <A>(common: fc.Arbitrary<A>, weight: number, seldom: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight, arbitrary: common }, { weight: 1, arbitrary: seldom })

/** The interval between mails in minutes, and the weight of answers against new threads. */
const tempers = [
  { after: fc.integer({ min: 0, max: 20 }), keep: 3 },
  { after: fc.integer({ min: 0, max: 600 }), keep: 3 },
  { after: fc.constantFrom(0, 1, 719, 720, 1_439, 1_440), keep: 1 },
  // About five a day, each in a new thread.
  { after: fc.integer({ min: 270, max: 290 }), keep: 0 }
] as const

const move = ({ after, keep }: (typeof tempers)[number]): fc.Arbitrary<Move> =>
  fc.record({
    after,
    from: mostly(fc.constantFrom(0, 0, 0, 2), 9, fc.nat(robots.length - 1)),
    replyTo: mostly<number | null>(fc.constant(null), 4, fc.nat(robots.length - 1)),
    answers: fc.oneof({ weight: keep, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constant(null) }),
    subject: fc.constantFrom("A roof", "Re: A roof", "Something else", ""),
    marks: mostly<ReadonlyArray<string>>(fc.constant([]), 6, fc.subarray(marks)),
    id: mostly<Move["id"]>(fc.constant("new"), 6, fc.constantFrom("none", "copy")),
    person: mostly(fc.constant(false), 9, fc.constant(true))
  })

const scripts = fc
  .constantFrom(...tempers)
  .chain((temper) => fc.array(move(temper), { minLength: 1, maxLength: 60, size: "max" }))

const day = 24 * 3_600_000

/** Returns the number of automatic replies since the last mail of a person, in the current thread of the last mail. */
const runOf = Effect.fnUntraced(function* (outbox: ReadonlyArray<OutgoingMail>) {
  const messages = yield* Messages
  const threadOf = Effect.fnUntraced(function* ({ internetMessageId }: OutgoingMail) {
    const [holder] = yield* messages.holders("acme", [messageIdKey + internetMessageId])
    return holder === undefined ? null : ((yield* messages.find("acme", holder.messageId))?.threadId ?? null)
  })
  const threads = yield* Effect.forEach(outbox, threadOf)
  const inThread = outbox.filter((_, index) => threads[index] === threads.at(-1))
  return inThread.length - 1 - inThread.findLastIndex(({ automatic }) => !automatic)
})

/** Plays a script. Returns the sent and received mails, and the longest run of automatic replies per thread. */
const play = (script: ReadonlyArray<Move>) => {
  const outbox: Array<OutgoingMail> = []
  /** The received Message-IDs. The value is true for marked automatic mail, which must get no reply. */
  const received = new Map<string, boolean>()
  const runs: Array<number> = []
  return Effect.gen(function* () {
    const always = { fact: "message.text", op: "exists", value: true } as const
    const actions = [{ type: "reply", template: "Thank you." }] as const
    const rule = { id: "rule_all", name: "All", priority: 1, when: always, actions }
    const tenant = yield* acme.open({ rules: [rule], replyMode: "auto" })
    yield* connectEmail("acme", { provider: "smtp", email: "office@acme.com", name: null, providerGrantId: null })
    const messages = yield* Messages
    let last = { raw: rawMail({ id: "first@robot.example" }), messageId: null as MessageId | null }
    for (const [number, move] of script.entries()) {
      yield* TestClock.adjust(`${move.after} minutes`)
      const before = outbox.length
      if (move.person && last.messageId !== null) {
        const to = [{ email: robots[move.from] ?? "", name: null }]
        const request = { to, cc: [], bcc: [], subject: "x", body: "x", from: null, replyToMessageId: last.messageId }
        yield* Effect.exit(sendEmail({ tenant, idempotencyKey: null, request }))
        yield* TestClock.adjust(1)
      }
      const answered = move.answers === null ? undefined : outbox.at(-1 - move.answers)?.internetMessageId
      const id = `${number}@robot.example`
      const raw =
        move.id === "copy"
          ? last.raw
          : rawMail({
              id: move.id === "none" ? null : id,
              from: robots[move.from] ?? "",
              to: "office@acme.com",
              subject: move.subject,
              body: `Received ${number}.`,
              date: new Date(start + number * 1_000).toUTCString(),
              ...(answered === undefined ? {} : { inReplyTo: answered }),
              more: [...move.marks, ...(move.replyTo === null ? [] : [`Reply-To: ${robots[move.replyTo]}`])]
            })
      // Uses an SMTP envelope, so that mail from outside with one of our addresses does not count as ours.
      const envelope = { sender: robots[move.from] ?? "", recipients: ["office@acme.com"] }
      const taken = yield* ingestEmail({ tenant, raw, source: "smtp", historical: false, envelope })
      last = { raw, messageId: taken.messageId }
      const stored = taken.messageId === null ? null : yield* messages.find("acme", taken.messageId)
      if (stored !== null && taken.outcome !== "duplicate_of") {
        received.set(stored.internetMessageId ?? "", move.id !== "copy" && move.marks.length > 0)
      }
      yield* workDueSignals()
      yield* workDueSends()
      if (outbox.at(-1)?.automatic === true && outbox.length > before) runs.push(yield* runOf(outbox))
    }
    return { sent: outbox.filter(({ automatic }) => automatic), received, runs }
  }).pipe(
    Effect.provide(inMemoryEmailTransport(outbox)),
    Effect.provide([onMigratedFile((url) => Store.layer({ url })), around]),
    Effect.provide(TestClock.layer()),
    Effect.runPromise
  )
}

/** Returns the maximum number of mails to one address within any 24 hours. */
const maxPerDay = (sent: ReadonlyArray<OutgoingMail>): number => {
  const times = Map.groupBy(sent, ({ to }) => to[0]?.email)
  const counts = [...times.values()].flatMap((mails) =>
    mails.map(({ date }) => mails.filter((other) => other.date >= date && other.date < date + day).length)
  )
  return Math.max(0, ...counts)
}

describe("for any exchange with automatic correspondents,", () => {
  it("the loop budget holds", { timeout: 300_000 }, async () => {
    let [replies, fullThreads, fullDays] = [0, 0, 0]
    const property = fc.asyncProperty(scripts, async (script) => {
      const { received, runs, sent } = await play(script)
      for (const { bcc, cc, inReplyTo, to } of sent) {
        expect([to.length, cc.length, bcc.length]).toEqual([1, 0, 0])
        expect(neverAnswered).not.toContain(to[0]?.email)
        expect(received.get(inReplyTo ?? "")).toBe(false)
      }
      const answered = sent.map(({ inReplyTo }) => inReplyTo)
      expect(new Set(answered).size).toBe(answered.length)
      expect(Math.max(0, ...runs)).toBeLessThanOrEqual(3)
      expect(maxPerDay(sent)).toBeLessThanOrEqual(5)
      replies += sent.length
      if (runs.includes(3)) fullThreads++
      if (maxPerDay(sent) === 5) fullDays++
    })
    await fc.assert(property, { numRuns: 60, endOnFailure: true })
    // The scripts caused replies and reached both budgets.
    expect([replies > 100, fullThreads > 5, fullDays > 5]).toEqual([true, true, true])
  })
})
