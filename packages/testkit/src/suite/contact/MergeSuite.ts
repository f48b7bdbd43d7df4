import { assert, describe, it } from "@effect/vitest"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { Effect, Layer, ManagedRuntime } from "effect"
import fc from "fast-check"
import { freshTenant, idOf } from "../Records.ts"
import {
  type EventSequence,
  applyEvents,
  eventSequences,
  makeWorld,
  type World,
  worlds,
  worldState
} from "./MergeWorld.ts"
import { around } from "../Doubles.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const sum = (state: {
  readonly people: ReadonlyArray<{ readonly head: { readonly unread: number } | null }>
}): number => state.people.reduce((total, { head }) => total + (head?.unread ?? 0), 0)

/**
 * Merges contact 1 into 0 and undoes the merge. `further`: a second merge that is made and undone before, of 2 into 0
 * (`more`) or 0 into 2 (`on`).
 */
const thereAndBack = Effect.fnUntraced(function* (tenantId: string, world: World, further: "no" | "more" | "on") {
  yield* makeWorld(tenantId, world)
  const before = yield* worldState(tenantId)
  const { merge } = yield* mergeContacts(tenantId, idOf("con", 0), idOf("con", 1))
  const between = yield* worldState(tenantId)
  const [primary, duplicate] = further === "on" ? [2, 0] : [0, 2]
  if (further !== "no") {
    const second = yield* mergeContacts(tenantId, idOf("con", primary), idOf("con", duplicate))
    yield* undoMerge(tenantId, second.merge.mergeId)
    assert.deepStrictEqual(yield* worldState(tenantId), between)
  }
  yield* undoMerge(tenantId, merge.mergeId)
  return { before, between, after: yield* worldState(tenantId) }
})

/** Merges contact 1 into 0, applies events, and undoes the merge. */
const meanwhile = Effect.fnUntraced(function* (tenantId: string, world: World, steps: EventSequence) {
  yield* makeWorld(tenantId, world)
  const { merge, moved } = yield* mergeContacts(tenantId, idOf("con", 0), idOf("con", 1))
  yield* applyEvents(tenantId, 0, steps)
  const between = yield* worldState(tenantId)
  yield* undoMerge(tenantId, merge.mergeId)
  const after = yield* worldState(tenantId)
  const { activity: _, ...counts } = moved
  return { counts, between, after }
})

/** Tests merges and their undo on random data and a store. */
export const mergeSuite = (name: string, store: StoreLayer): void => {
  const whole = (layer: StoreLayer) => ManagedRuntime.make(Layer.mergeAll(layer, around))
  describe(`merges of contacts on ${name}`, () => {
    it.live("leaves no row of the duplicate, and an undo restores the state before the merge", () =>
      Effect.promise(async () => {
        const runtime = whole(store)
        const property = fc.asyncProperty(worlds, fc.constantFrom("no", "more", "on"), async (world, further) => {
          const { after, before, between } = await runtime.runPromise(thereAndBack(freshTenant(), world, further))
          assert.deepStrictEqual(after, before)
          const [stayed, left] = between.people
          assert.deepStrictEqual(left?.messages, [])
          assert.deepStrictEqual(
            [left?.identities, left?.leads, left?.tasks, left?.draft, left?.head],
            [[], [], [], null, null]
          )
          assert.strictEqual(
            stayed?.messages.length,
            [0, 1].flatMap((one) => before.people[one]?.messages ?? []).length
          )
          assert.strictEqual(sum(between), sum(before))
        })
        await fc.assert(property, { numRuns: 60 })
        await runtime.dispose()
      })
    )
    it.live("divides the rows created after the merge between both contacts, and loses none", () =>
      Effect.promise(async () => {
        const runtime = whole(store)
        const property = fc.asyncProperty(worlds, eventSequences, async (world, steps) => {
          const tenantId = freshTenant()
          const { after, between } = await runtime.runPromise(meanwhile(tenantId, world, steps))
          const all = (state: typeof after) =>
            state.people.flatMap(({ messages }) => messages.map((one) => one.messageId)).toSorted()
          assert.deepStrictEqual(all(after), all(between))
          assert.strictEqual(sum(after), sum(between))
        })
        await fc.assert(property, { numRuns: 60 })
        await runtime.dispose()
      })
    )
  })
}
