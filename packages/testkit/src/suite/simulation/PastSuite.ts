import { assert, describe } from "@effect/vitest"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { stopEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { Clock, Effect } from "effect"
import fc from "fast-check"
import { inTenant, scenesOn, type Services } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { courseOf, makePast, pass } from "./PastWorld.ts"

const contacts = 3

const delay = fc.oneof(
  fc.record({ amount: fc.integer({ min: 0, max: 300 }), unit: fc.constant("minutes" as const) }),
  fc.record({ amount: fc.integer({ min: 0, max: 30 }), unit: fc.constant("hours" as const) }),
  fc.record({ amount: fc.integer({ min: 0, max: 3 }), unit: fc.constant("days" as const) })
)

const office = [{ days: ["mon", "tue", "thu"] as const, from: "09:30", to: "16:00" }]

const content = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constant({ kind: "send" as const, channel: "email" as const, subject: "Hello", body: "Hi" })
  },
  { weight: 2, arbitrary: fc.constant({ kind: "send" as const, channel: "email" as const, body: "Again" }) },
  {
    arbitrary: fc.constant({ kind: "send" as const, channel: "email" as const, body: "{{ contact.company }}" }),
    weight: 1
  },
  { weight: 1, arbitrary: fc.constant({ kind: "send" as const, channel: "sms" as const, body: "Hi" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "task" as const, title: "Call" }) },
  {
    arbitrary: fc.constant({
      kind: "send" as const,
      channel: "sms" as const,
      body: "Hi",
      fallback: [
        {
          channel: "email" as const,
          subject: "Hello"
        }
      ] as const,
      variants: [
        {
          name: "long",
          weight: 2,
          body: "{{ contact.company }}"
        }
      ] as const
    }),
    weight: 2
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: "wait" as const }, { kind: "wait" as const, until: { time: "10:00" } })
  },
  {
    arbitrary: fc
      .constantFrom("stop" as const, "continue" as const)
      .map((otherwise) => ({ kind: "wait" as const, until: { field: "visit", otherwise } })),
    weight: 1
  }
)

const steps = fc
  .array(fc.record({ content, delay, isOffice: fc.boolean() }), { minLength: 2, maxLength: 4 })
  .map((all) =>
    all.map(({ content: what, delay: after, isOffice }, index): SequenceStep => ({
      name: `step${index}`,
      delay: after,
      ...what,
      ...(isOffice && { window: office })
    }))
  )

const one = fc.nat({ max: contacts - 1 })

/** Something that happens, and the seconds until the next thing. */
const step = fc.record({
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constant("enrol" as const) },
    { weight: 3, arbitrary: fc.constant("pass" as const) },
    { weight: 2, arbitrary: fc.constantFrom("reply" as const, "away" as const, "write" as const) },
    { weight: 2, arbitrary: fc.constantFrom("optOut" as const, "optIn" as const, "bounce" as const, "close" as const) }
  ),
  contact: one,
  sequence: fc.nat({ max: 1 }),
  seconds: fc.integer({ min: 1, max: 120_000 })
})

const story = fc.record({
  cap: fc.integer({ min: 1, max: 3 }),
  sequences: fc.tuple(steps, steps),
  stopsOnClose: fc.boolean(),
  holdoutPercent: fc.constantFrom(0, 0, 40),
  happened: fc.array(step, { minLength: 3, maxLength: 14 })
})

type Story = typeof story extends fc.Arbitrary<infer A> ? A : never

/** A history with a sent message. Random ones often contain none. */
const sending: Story = {
  cap: 1,
  sequences: [
    [
      {
        name: "step0",
        kind: "send",
        channel: "email",
        subject: "Hello",
        body: "Hi",
        delay: { amount: 0, unit: "minutes" }
      }
    ],
    [{ name: "step0", kind: "task", title: "Call", delay: { amount: 1, unit: "hours" } }]
  ],
  stopsOnClose: false,
  holdoutPercent: 0,
  happened: [{ does: "enrol", contact: 0, sequence: 0, seconds: 120_000 }]
}

let stories = 0

/** Lets a story happen, and compares the simulation of each sequence with it. Returns the outcomes of all steps. */
const tell = Effect.fnUntraced(function* ({ cap, happened, holdoutPercent, sequences, stopsOnClose }: Story) {
  const tenantId = `past${++stories}`
  const { connectMail, open } = inTenant(tenantId)
  yield* open({ timeZone: "Europe/Berlin", maxSequenceMessagesPerDay: cap })
  yield* connectMail()
  const past = yield* makePast(tenantId, contacts)
  yield* createField(tenantId, { key: "visit", label: "Visit", type: "date" })
  const visit = new Date((yield* Clock.currentTimeMillis) + 3 * 86_400_000).toISOString().slice(0, 10)
  yield* updateContact(tenantId, past.idsOf(0).contactId, { customFields: { visit } })
  yield* pass(tenantId, 60_000)
  const ids: Array<string> = []
  for (const [first, ...rest] of sequences)
    if (first !== undefined)
      ids.push(yield* past.sequence([first, ...rest], stopsOnClose ? ["lead_closed"] : [], holdoutPercent))
  const begun: Array<string> = []
  for (const { contact, does, seconds, sequence } of happened) {
    const sequenceId = ids[sequence] ?? ""
    if (does === "enrol") begun.push((yield* past.enrol(contact, sequenceId)).enrolment.enrolmentId)
    else if (does === "optOut" || does === "optIn") yield* past.consent(contact, does === "optOut")
    else if (does !== "pass") yield* past[does](contact)
    // An odd number of milliseconds: two things never happen at the same moment.
    yield* pass(tenantId, seconds * 1_000 + 7)
  }
  const outcomes: Array<string> = []
  for (const sequenceId of ids) {
    const { actual, differing, items, more, reached, period, simulated } = yield* past.simulate(sequenceId)
    assert.deepStrictEqual(
      items.map((item) => courseOf(item.simulated)),
      items.map((item) => courseOf(item.actual))
    )
    assert.deepStrictEqual([simulated, differing, more, reached], [actual, 0, false, period.until])
    for (const item of items) {
      outcomes.push(String(item.actual?.stopReason), ...(item.actual?.history ?? []).map(({ outcome }) => outcome))
    }
  }
  for (const enrolmentId of new Set(begun)) yield* Effect.exit(stopEnrolment(tenantId, enrolmentId))
  return outcomes
})

/** Tests that a simulation of the past is what really happened, on a store. */
export const pastSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a simulation of the past on ${name}`, () => {
    scene("equals what the engine did, for any history", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Services>()
        const seen = new Set<string>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(story, (told) =>
              Effect.runPromise(
                Effect.provideContext(
                  Effect.map(tell(told), (outcomes) => outcomes.forEach((outcome) => seen.add(outcome))),
                  context
                )
              )
            ),
            { numRuns: 6, examples: [[sending]] }
          )
        )
        assert.isTrue(seen.has("sent"))
      })
    )
  })
}
