import { assert, describe } from "@effect/vitest"
import { automationRetentionDays } from "@leadloom/core/internal/domain/sequence/Sequence"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { expireAutomation } from "@leadloom/core/internal/workflow/sequence/ExpireAutomation"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { scenesOn } from "../Scene.ts"
import { days, email, fields, now, work as workSteps } from "../sequence/SequenceWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { begin, chase, later, states } from "./TriggerWorld.ts"

/** Tests the retention of ended enrolments and trigger runs, on a store. */
export const automationRetentionSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the retention of automation on ${name}`, () => {
    scene("deletes what ended 400 days ago, and nothing that still waits", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        const enrol = Effect.fnUntraced(function* (...steps: Parameters<typeof fields>) {
          const { sequenceId } = yield* createSequence("acme", fields(...steps))
          const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
          return (yield* enrolContact(request)).enrolment
        })
        yield* later("2 hours")
        const ended = yield* enrol(email("hello", now))
        yield* workSteps
        const waiting = yield* enrol(email("late", days(366)))
        // The message of the sequence is the cause of a run that still waits at the end, because no worker claims it.
        assert.deepStrictEqual(yield* states, ["ran", "waiting"])
        const { find } = yield* Enrolments
        const left = Effect.gen(function* () {
          const { countsSince } = yield* Sequences
          const { emails } = yield* countsSince("acme", ended.sequenceId, 0)
          return [
            (yield* find("acme", ended.enrolmentId))?.state,
            (yield* find("acme", waiting.enrolmentId))?.state,
            emails
          ]
        })
        yield* TestClock.adjust(automationRetentionDays * 86_400_000)
        yield* expireAutomation()
        // The periods of the counts begin at midnight, so they end earlier.
        assert.deepStrictEqual(yield* left, ["completed", "active", 0])
        assert.deepStrictEqual(yield* states, ["ran", "waiting"])
        yield* TestClock.adjust("3 hours")
        const { expire } = yield* Enrolments
        const time = yield* Clock.currentTimeMillis
        assert.strictEqual(yield* expire("other", time, 10), 0)
        assert.strictEqual(yield* expireAutomation(), 2)
        assert.deepStrictEqual(yield* left, [undefined, "active", 0])
        assert.deepStrictEqual(yield* states, ["waiting"])
        assert.strictEqual(yield* expireAutomation(), 0)
      })
    )
  })
}
