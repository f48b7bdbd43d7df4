import { assert, describe } from "@effect/vitest"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { listEnrolments } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { defaultSequenceLimits } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { drainSends, scenesOn } from "../Scene.ts"
import { email } from "../sequence/SequenceWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { chase, work, listed, setRules, begin, answer, reply } from "./TriggerWorld.ts"

/** Tests rules that wait for a time and start sequences, on a store. */
export const triggerSequenceSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a rule that waits for an answer on ${name}`, () => {
    scene("starts a sequence, and again only after the contact has written", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([])
        const { sequenceId } = yield* createSequence("acme", {
          name: "Quotes",
          steps: [email("hello", { amount: 0, unit: "minutes" })],
          stopOn: [],
          holdoutPercent: 0,
          limits: defaultSequenceLimits
        })
        yield* setRules({ ...chase, actions: [{ type: "start_sequence", sequence: sequenceId }] })
        yield* answer
        const before = mail.outbox.length
        const enrolments = Effect.map(
          listEnrolments("acme", { sequenceId, contactId, state: null }, { limit: 10, cursor: null }),
          ({ items }) => items.map(({ enrolledBy, state }) => [enrolledBy, state])
        )
        const workAll = Effect.andThen(Effect.andThen(work, workDueEnrolments()), drainSends)
        const pass = Effect.andThen(TestClock.adjust("2 hours"), Effect.andThen(workAll, workAll))
        yield* pass
        assert.deepStrictEqual(yield* enrolments, [["rule:chase", "completed"]])
        assert.strictEqual(mail.outbox.length, before + 1)
        // The email of the sequence is a cause too.
        yield* pass
        const [newest] = yield* listed()
        assert.deepStrictEqual(
          [newest?.state, newest?.actions.map(({ outcome, reason }) => [outcome, reason])],
          ["ran", [["skipped", "the contact has not written since its last enrolment in the sequence"]]]
        )
        assert.strictEqual(mail.outbox.length, before + 1)
        yield* reply("again", new Date(yield* Clock.currentTimeMillis).toUTCString())
        yield* answer
        yield* pass
        // The limit of messages per day delays the second email.
        assert.deepStrictEqual(yield* enrolments, [
          ["rule:chase", "completed"],
          ["rule:chase", "active"]
        ])
      })
    )
  })
}
