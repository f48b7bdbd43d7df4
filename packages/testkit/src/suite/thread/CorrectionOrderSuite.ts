import { assert, describe } from "@effect/vitest"
import type { ThreadCorrection } from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import { Effect } from "effect"
import * as fc from "fast-check"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import {
  type Answering,
  areTogether,
  join,
  move,
  ownersOf,
  receive,
  type Received,
  split,
  stateOf,
  undo
} from "./CorrectionWorld.ts"

/** A step of a random story. Numbers select a mail or a correction, modulo their count. */
type Step =
  | {
      readonly do: "mail"
      readonly from: string
      readonly parent: number | null
      readonly answering: Answering
      readonly late: boolean
    }
  | { readonly do: "split"; readonly mail: number }
  | { readonly do: "move" | "join"; readonly mail: number; readonly other: number }
  | { readonly do: "undo"; readonly correction: number }

const any = fc.nat({ max: 1_000 })

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("mail" as const),
      from: fc.constantFrom("jo@customer.example", "jo@customer.example", "ann@customer.example", "ben@other.example"),
      parent: fc.option(any, { freq: 6 }),
      answering: fc.constantFrom<Answering>("both", "in_reply_to", "references"),
      late: fc.boolean()
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("split" as const), mail: any }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("move" as const, "join" as const), mail: any, other: any }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("undo" as const), correction: any }) }
)

const pick = <A>(list: ReadonlyArray<A>, number: number): A => list[number % list.length] ?? assert.fail("empty list")

const allowed = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(attempt), (result) => {
    if (result._tag === "Success") return result.success
    assert.include(["CorrectionImpossible", "UndoImpossible"], result.failure._tag)
    return null
  })

/** The mails and corrections of a story. */
interface Told {
  readonly mails: Array<Received>
  readonly corrections: Array<ThreadCorrection>
}

/** Receives a mail. Checks that it is in the thread of the mail that it answers, and that no other mail moved. */
const receiveAnswer = Effect.fnUntraced(function* ({ mails }: Told, step: Extract<Step, { do: "mail" }>) {
  const parent = step.parent === null ? null : pick(mails, step.parent)
  // A mail in between that has not arrived: the answer belongs to its nearest ancestor.
  const missing = {
    id: `missing.${mails.length}.q3@customer.example`,
    references: [...(parent?.references ?? []), parent?.id ?? ""]
  }
  const isLate = step.late && parent !== null && step.answering !== "in_reply_to"
  const before = yield* stateOf(mails)
  const mail = yield* receive(isLate ? missing : parent, { answering: step.answering, from: step.from })
  assert.deepStrictEqual((yield* stateOf(mails)).messages, before.messages)
  mails.push(mail)
  if (parent !== null) assert.isTrue(yield* areTogether([parent, mail]))
})

/**
 * Corrects threads. Checks that every mail keeps its contact and the contact of its lead, and that an immediate undo
 * restores everything. Then corrects them again.
 */
const correct = Effect.fnUntraced(function* (
  { corrections, mails }: Told,
  step: Exclude<Step, { do: "mail" | "undo" }>
) {
  const mail = pick(mails, step.mail)
  const attempt =
    step.do === "split"
      ? split(mail)
      : step.do === "move"
        ? move(mail, pick(mails, step.other))
        : join(mail, pick(mails, step.other))
  const before = yield* stateOf(mails)
  const owners = yield* ownersOf(mails)
  const tried = yield* allowed(attempt)
  assert.deepStrictEqual(yield* ownersOf(mails), owners)
  if (tried === null) return assert.deepStrictEqual(yield* stateOf(mails), before)
  yield* undo(tried)
  assert.deepStrictEqual(yield* stateOf(mails), before)
  const correction = yield* allowed(attempt)
  if (correction !== null) corrections.push(correction)
})

const tell = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  yield* acme.open()
  const told: Told = { mails: [yield* receive(null), yield* receive(null)], corrections: [] }
  for (const step of steps) {
    if (step.do === "mail") yield* receiveAnswer(told, step)
    else if (step.do !== "undo") yield* correct(told, step)
    else if (told.corrections.length > 0) yield* allowed(undo(pick(told.corrections, step.correction)))
  }
  const before = yield* stateOf(told.mails)
  for (const mail of told.mails) assert.isTrue(yield* areTogether([mail, yield* receive(mail)]))
  assert.deepStrictEqual((yield* stateOf(told.mails)).messages, before.messages)
})

/** The number of random stories. A story has up to 25 steps. */
const stories = 12

/** Tests random orders of mails, corrections and undos on a store. */
export const correctionOrderSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`random corrections on ${name}`, () => {
    for (const [index, steps] of fc
      .sample(fc.array(aStep, { minLength: 8, maxLength: 25 }), { seed: 1, numRuns: stories })
      .entries()) {
      scene(`keep each answer with its parent, story ${index + 1}`, () => tell(steps))
    }
  })
}
