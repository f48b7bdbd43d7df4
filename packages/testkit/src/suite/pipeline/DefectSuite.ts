import { assert, describe } from "@effect/vitest"
import type { TriggerRun } from "@leadloom/core/internal/domain/run/TriggerRun"
import type { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { resumeEnrolment, skipStep } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { runEnrolment, workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { workDueTriggers } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { begin, chase, late, later, listed, titles } from "./TriggerWorld.ts"
import { drainSends, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, outcomes, read, work } from "../sequence/SequenceWorld.ts"

/** Lets the search for answers of the contact end with a defect. */
const withDefect = Effect.updateService(Messages, (messages) => ({
  ...messages,
  hasWrittenSince: () => Effect.die("a broken record")
}))

/** Lets the search for answers of the contact find no database. */
const withOutage = Effect.updateService(Messages, (messages) => ({
  ...messages,
  hasWrittenSince: () => Effect.fail(new StoreUnavailable({ reason: "the server restarts" }))
}))

/** The delays between the attempts, in minutes. */
const delays = [1, 5, 15, 60]

/** Tests steps and rules whose work ends with a defect each time, on a store. */
export const defectSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  const failStep = withDefect(workDueEnrolments())
  const failRun = withDefect(workDueTriggers())

  /** Reads what a person and a worker see of an enrolment. */
  const shown = (enrolment: Enrolment) =>
    Effect.map(read(enrolment), ({ defects, pauseReason, state }) => [state, pauseReason, defects])

  describe(`a step with a defect on ${name}`, () => {
    scene("is tried after 1, 5, 15 and 60 minutes, then its enrolment waits for a person", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("second", days(1))))
        for (const delay of delays) {
          assert.strictEqual(yield* failStep, 1)
          yield* TestClock.adjust(delay * 60_000 - 1)
          assert.strictEqual(yield* failStep, 0)
          yield* TestClock.adjust(1)
        }
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 4])
        yield* failStep
        assert.deepStrictEqual(yield* shown(enrolment), ["paused", "defects", 5])
        const paused = yield* read(enrolment)
        assert.deepStrictEqual(outcomes(paused), ["hello failed"])
        assert.strictEqual(paused.step, "hello")
        assert.include(paused.history[0]?.reason, "defect")
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* failStep, 0)
        // The step runs again, with all attempts.
        yield* resumeEnrolment("acme", enrolment.enrolmentId)
        yield* failStep
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 1])
        yield* TestClock.adjust("1 minute")
        yield* work
        assert.deepStrictEqual(
          [mail.outbox.length, outcomes(yield* read(enrolment))],
          [1, ["hello failed", "hello sent"]]
        )
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 0])
      })
    )

    scene("counts consecutive defects only, and no outage of the database", () =>
      Effect.gen(function* () {
        const { enrol } = yield* open({ maxSequenceMessagesPerDay: 100 }, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("second", now), email("third", now)))
        yield* failStep
        yield* TestClock.adjust("1 minute")
        for (const _ of [1, 2, 3, 4, 5, 6]) {
          assert.strictEqual(yield* withOutage(workDueEnrolments()), 1)
          yield* TestClock.adjust("30 seconds")
        }
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 1])
        yield* workDueEnrolments()
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 0])
        yield* failStep
        yield* skipStep("acme", enrolment.enrolmentId, "user:kim")
        assert.deepStrictEqual(yield* shown(enrolment), ["active", null, 0])
      })
    )

    scene("is not counted for the next step if a person has skipped the step meanwhile", () =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("second", days(1))))
        const claimed = yield* read(enrolment)
        yield* skipStep("acme", enrolment.enrolmentId, "user:kim")
        yield* Effect.updateService(runEnrolment(claimed), Sequences, (sequences) => ({
          ...sequences,
          get: () => Effect.die("a broken record")
        }))
        const after = yield* read(enrolment)
        assert.deepStrictEqual([after.defects, after.step], [0, "second"])
      })
    )
  })

  describe(`a rule with a trigger and a defect on ${name}`, () => {
    const facts = ({ defects, reason, state }: TriggerRun) => [state, defects, reason] as const

    scene("is tried after 1, 5, 15 and 60 minutes, then ends without effects", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase])
        yield* TestClock.adjust("2 hours")
        for (const delay of delays) {
          assert.strictEqual(yield* failRun, 1)
          yield* TestClock.adjust(delay * 60_000 - 1)
          assert.strictEqual(yield* failRun, 0)
          yield* TestClock.adjust(1)
        }
        const [waiting] = yield* listed()
        assert.deepStrictEqual(facts(present(waiting)), [
          "waiting",
          4,
          "a defect of the server; attempt 5 of 5 follows"
        ])
        yield* failRun
        yield* later("1 day")
        const [ended] = yield* listed()
        assert.deepStrictEqual(facts(present(ended)), [
          "prevented",
          5,
          "the run failed 5 times because of a defect of the server"
        ])
        assert.deepStrictEqual(yield* titles(contactId), [])
      })
    )

    scene("runs once the defect is gone, and counts no outage and no earlier defect", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase, late])
        yield* TestClock.adjust("2 hours")
        yield* failRun
        yield* TestClock.adjust("1 minute")
        yield* withOutage(workDueTriggers())
        const [failed] = yield* listed()
        assert.deepStrictEqual([failed?.state, failed?.defects], ["waiting", 1])
        yield* later("30 seconds")
        const [ran] = yield* listed()
        assert.strictEqual(ran?.state, "ran")
        assert.deepStrictEqual(yield* titles(contactId), ["Call Jo"])
        yield* drainSends
        assert.isNotNull(yield* (yield* TriggerRuns).find("acme", present(ran).triggerRunId))
      })
    )
  })
}
