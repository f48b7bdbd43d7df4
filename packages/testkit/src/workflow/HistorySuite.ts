import { assert, describe, layer } from "@effect/vitest"
import type { Message } from "@leadloom/core/conversation/Message"
import { readConversation } from "@leadloom/core/conversation/ReadConversation"
import { Conversations } from "@leadloom/core/port/Conversations"
import { Messages } from "@leadloom/core/port/Messages"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { freshTenant, idOf, messageRecord, noon } from "../port/Records.ts"
import { around, type StoreLayer } from "./World.ts"

/** Messages that are there at first, and then messages that come and pages that are read, in any order. */
const stories = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  before: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 12 }),
  steps: fc.array(fc.oneof(fc.nat({ max: 20 }), fc.constant("page" as const)), { maxLength: 20 })
})

type Story = typeof stories extends fc.Arbitrary<infer A> ? A : never

const contactId = idOf("con", 1)

const isOlder = (one: Message, other: Message): boolean =>
  one.timestamp < other.timestamp || (one.timestamp === other.timestamp && one.messageId < other.messageId)

/** Reads a history in pages while it grows; what was read, and what has to have been. */
const read = Effect.fnUntraced(function* ({ before, limit, steps }: Story) {
  const tenantId = freshTenant()
  let number = 0
  const say = Effect.fnUntraced(function* (minutes: number) {
    const message = messageRecord(tenantId, (number += 1), { timestamp: noon + minutes * 60_000 })
    yield* (yield* Messages).insert(message, [])
    yield* (yield* Conversations).advance(message)
    return message
  })
  const due: Array<Message> = []
  for (const minutes of before) due.push(yield* say(minutes))
  const seen: Array<Message> = []
  let cursor: string | null = null
  let oldest: Message | null = null
  for (const step of [...steps, ...Array.from({ length: 40 }, () => "page" as const)]) {
    if (step !== "page") {
      const message = yield* say(step)
      // Behind what has been read it is still to come; nothing comes after the last page.
      const isStillToCome = oldest === null || (cursor !== null && isOlder(message, oldest))
      if (isStillToCome) due.push(message)
      continue
    }
    if (oldest !== null && cursor === null) continue
    const page: Effect.Success<ReturnType<typeof readConversation>> = yield* readConversation(tenantId, contactId, {
      cursor,
      limit
    })
    assert.isAtMost(page.messages.length, limit)
    assert.isTrue(page.messages.every((one, index) => index === 0 || isOlder(page.messages[index - 1] ?? one, one)))
    seen.unshift(...page.messages)
    oldest = page.messages[0] ?? oldest
    cursor = page.nextCursor
  }
  return { seen, due: due.toSorted((one, other) => (isOlder(one, other) ? -1 : 1)) }
})

/** What a history in pages promises, on any store. */
export const historySuite = (name: string, store: StoreLayer): void => {
  describe(`a history in pages on ${name}`, () => {
    layer(Layer.fresh(Layer.merge(store, around)))("while it grows", (it) => {
      it.effect("shows every message once, in order, whatever comes between two pages", () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Layer.Success<StoreLayer> | Layer.Success<typeof around>>()
          const property = fc.asyncProperty(stories, async (story) => {
            const { due, seen } = await Effect.runPromise(Effect.provide(read(story), context))
            assert.deepStrictEqual(seen, due)
          })
          yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
        })
      )
    })
  })
}
