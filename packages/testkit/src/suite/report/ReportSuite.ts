/**
 * Suites of reports: the counters of the worker, and reports from them. The sums of rows are tested in
 * `packages/core/test/domain/report`.
 */
import { assert, describe } from "@effect/vitest"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { Tally } from "@leadloom/core/internal/domain/report/Report"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Reports } from "@leadloom/core/internal/port/repository/tenant/Reports"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { followReports, followTenant, recountReports } from "@leadloom/core/internal/workflow/report/FollowReports"
import { readReport } from "@leadloom/core/internal/workflow/report/ReadReport"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { idOf, messageRecord, noon } from "../Records.ts"
import { acme, scenesOn, type Services, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const hour = 3_600_000

const stored = fc.record({
  actor: fc.constantFrom("contact" as const, "agent" as const, "assistant" as const, "system" as const),
  contact: fc.integer({ min: 1, max: 3 }),
  channel: fc.constantFrom("email" as const, "sms" as const),
  user: fc.constantFrom(null, 1, 2),
  auto: fc.constantFrom(null, null, "auto_reply" as const),
  hours: fc.nat(96),
  /** Whether the worker counts after this message. */
  counts: fc.boolean()
})

type Stored = typeof stored extends fc.Arbitrary<infer A> ? A : never

const timeOf = ({ hours }: Stored): number => noon + hours * hour

const isOurs = ({ actor }: Stored): boolean => actor === "agent" || actor === "assistant"

/** Returns the wait that a message ends, in seconds, from the messages that were stored before it. */
const waitOf = (message: Stored, earlier: ReadonlyArray<Stored>): number | null => {
  const known = earlier.filter(
    (one) => one.auto === null && one.contact === message.contact && one.hours <= message.hours
  )
  const lastOurs = Math.max(-1, ...known.filter(isOurs).map(timeOf))
  const waiting = known.filter((one) => one.actor === "contact" && timeOf(one) > lastOurs).map(timeOf)
  return waiting.length === 0 ? null : (timeOf(message) - Math.min(...waiting)) / 1_000
}

/** Computes the totals of all messages from the definition of the reports. */
const expected = (messages: ReadonlyArray<Stored>) => {
  const counted = messages.flatMap((message, index) =>
    message.auto === null ? [{ message, wait: waitOf(message, messages.slice(0, index)) }] : []
  )
  const waits = counted.flatMap(({ message, wait }) => (isOurs(message) && wait !== null ? [wait] : []))
  return {
    received: counted.filter(({ message }) => message.actor === "contact").length,
    sent: counted.filter(({ message }) => isOurs(message)).length,
    responses: waits.length,
    seconds: waits.reduce((sum, wait) => sum + wait, 0)
  }
}

const totalOf = (counts: ReadonlyArray<Tally>, metric: Tally["metric"], field: "count" | "seconds" = "count") =>
  counts.filter((one) => one.metric === metric).reduce((sum, one) => sum + one[field], 0)

const everyCount = Effect.gen(function* () {
  const metrics = ["received", "sent", "first_response", "reply"] as const
  const counts = yield* (yield* Reports).counts("acme", metrics, "0000-01-01", "9999-12-31")
  return counts.map((one) => JSON.stringify(one)).toSorted()
})

const insert = Effect.fnUntraced(function* (number: number, { auto, contact, user, ...message }: Stored) {
  const fields: Partial<Message> = {
    actor: message.actor,
    channel: message.channel,
    auto,
    contactId: idOf("con", contact),
    userId: user === null ? null : idOf("usr", user),
    timestamp: timeOf({ auto, contact, user, ...message })
  }
  yield* (yield* Messages).insert(messageRecord("acme", number, fields), [])
})

/** Stores messages, counts them in steps, and compares the counters with their definition and with a recount. */
const compare = Effect.fnUntraced(function* (messages: ReadonlyArray<Stored>, first: number) {
  const tenant = yield* (yield* Tenants).get("acme")
  for (const [index, message] of messages.entries()) {
    yield* insert(first + index, message)
    if (message.counts) yield* followTenant(tenant)
  }
  yield* followTenant(tenant)
  const counts = yield* everyCount
  const tallies = counts.map((text): Tally => JSON.parse(text))
  const total = expected(messages)
  assert.strictEqual(totalOf(tallies, "received"), total.received)
  assert.strictEqual(totalOf(tallies, "sent"), total.sent)
  assert.strictEqual(totalOf(tallies, "first_response"), total.responses)
  assert.strictEqual(totalOf(tallies, "first_response", "seconds"), total.seconds)
  yield* recountReports("acme")
  assert.deepStrictEqual(yield* everyCount, counts)
})

/** Tests reports on a store. */
export const reportSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`reports on ${name}`, () => {
    for (const seed of [1, 2, 3, 4]) {
      scene(`equal a recount and their definition after any order of messages and counting (${seed})`, () =>
        Effect.gen(function* () {
          yield* acme.open()
          const context = yield* Effect.context<Services>()
          const [messages = []] = fc.sample(fc.array(stored, { minLength: 40, maxLength: 80 }), { seed, numRuns: 1 })
          yield* Effect.provide(compare(messages, 1), context)
        })
      )
    }
    scene("count messages and replies once, in the tenant's time zone", () =>
      Effect.gen(function* () {
        // Scenes begin on 2 March 2026 at 09:00 UTC, which is 1 March in American Samoa.
        yield* acme.open({ timeZone: "Pacific/Pago_Pago", rules: [thanks], replyMode: "draft" })
        yield* acme.handleMail()
        const volume = readReport("acme", "volume", { from: null, to: null, groupBy: "day" })
        yield* TestClock.adjust("2 minutes")
        yield* Effect.all([followReports(), followReports()], { concurrency: "unbounded" })
        const { rows, timeZone, to } = yield* volume
        assert.deepStrictEqual([timeZone, to], ["Pacific/Pago_Pago", "2026-03-01"])
        assert.deepStrictEqual(
          rows.map(({ count, group, metric }) => [group, metric, count]),
          [["2026-03-01", "received", 1]]
        )
        const automation = yield* readReport("acme", "automation", { from: null, to: null, groupBy: "channel" })
        assert.deepStrictEqual(
          automation.rows.map(({ count, group }) => [group, count]),
          [["email", 1]]
        )
        assert.match(automation.rows[0]?.detail ?? "", /^[a-z]+:[a-z_]+$/u)
      })
    )
    scene("reject an invalid period", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const periods = [
          { from: "2026-02-30", to: null },
          { from: "2026-03-02", to: "2026-03-01" },
          { from: "2025-03-01", to: "2026-03-02" }
        ]
        for (const period of periods) {
          const report = readReport("acme", "volume", { ...period, groupBy: "day" })
          assert.strictEqual((yield* Effect.flip(report))._tag, "ReportPeriodInvalid")
        }
      })
    )
  })
}
