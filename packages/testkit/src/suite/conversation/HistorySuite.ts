import { scenesOn, type Services } from "../Scene.ts"
import { assert, describe } from "@effect/vitest"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import {
  type History,
  type HistoryBounds,
  type HistoryRequest,
  maxHistoryBytes,
  openHistory,
  readConversation,
  streamHistory
} from "@leadloom/core/internal/workflow/conversation/ReadConversation"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { freshTenant, idOf, messageRecord, noon } from "../Records.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** A random sequence: initial messages, then new messages and reads of a page in any order. */
const stories = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  before: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 12 }),
  steps: fc.array(fc.oneof(fc.nat({ max: 20 }), fc.constant("page" as const)), { maxLength: 20 })
})

type Story = typeof stories extends fc.Arbitrary<infer A> ? A : never

const contactId = idOf("con", 1)

const isOlder = (one: Message, other: Message): boolean =>
  one.timestamp < other.timestamp || (one.timestamp === other.timestamp && one.messageId < other.messageId)

/**
 * Reads the pages of a history to which messages are added. Returns the messages that were read, and the messages that
 * a complete read must contain.
 */
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
      // A new message must be read if it is older than all messages read so far and the last page has not been read.
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

/** Tests a history in pages on a store. */
export const historySuite = (name: string, store: StoreLayer): void => {
  describe(`a history in pages on ${name}`, () => {
    const scene = scenesOn(store)
    describe("while it grows", () => {
      scene("shows every message once, in order, with new messages between two pages", () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Services>()
          const property = fc.asyncProperty(stories, async (story) => {
            const { due, seen } = await Effect.runPromise(Effect.provide(read(story), context))
            assert.deepStrictEqual(seen, due)
          })
          yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
        })
      )
      scene("is complete, or ends with a cursor at the limit of messages or bytes per response", () =>
        Effect.gen(function* () {
          const tenantId = freshTenant()
          const bodies = Array.from({ length: 130 }, (_, index) => `${index} ${"ü".repeat(index === 100 ? 3_000 : 10)}`)
          for (const [index, body] of bodies.entries()) {
            const message = messageRecord(tenantId, index + 1, { timestamp: noon + index * 60_000, body })
            yield* (yield* Messages).insert(message, [])
            yield* (yield* Conversations).advance(message)
          }
          const open = (request: HistoryRequest, bounds?: HistoryBounds) =>
            openHistory(tenantId, contactId, request, bounds)
          const numbers = Effect.fnUntraced(function* ({ pieces }: { readonly pieces: History["pieces"] }) {
            const read = yield* Stream.runCollect(streamHistory(tenantId, { pieces }))
            return read.flat().map(({ body }) => Number(body.split(" ")[0]))
          })
          const from = (first: number, end: number) => Array.from({ length: end - first }, (_, index) => first + index)
          const all = { cursor: null, limit: null }
          const whole = yield* open(all)
          assert.isNull(whole.nextCursor)
          assert.deepStrictEqual(yield* numbers(whole), from(0, 130))
          // A history is read in pieces, so that it uses bounded memory.
          assert.isTrue(whole.pieces.length > 1 && whole.pieces.every((piece) => piece.length <= 50))
          const newest = yield* open(all, { messages: 100, bytes: maxHistoryBytes })
          assert.deepStrictEqual(yield* numbers(newest), from(30, 130))
          const older = yield* open({ cursor: newest.nextCursor, limit: null })
          assert.deepStrictEqual([yield* numbers(older), older.nextCursor], [from(0, 30), null])
          const exact = yield* open(all, { messages: 130, bytes: whole.bytes })
          assert.deepStrictEqual([exact.pieces.flat().length, exact.nextCursor], [130, null])
          // A message larger than the limit is returned alone.
          let cursor: string | null = null
          const read: Array<ReadonlyArray<number>> = []
          do {
            const page: History = yield* open({ cursor, limit: null }, { messages: 130, bytes: 5_000 })
            read.unshift(yield* numbers(page))
            cursor = page.nextCursor
          } while (cursor !== null)
          assert.deepStrictEqual(read.flat(), from(0, 130))
          assert.deepInclude(read, [100])
          // Messages that were erased after the outline was read are left out.
          assert.deepStrictEqual(yield* numbers({ pieces: [[idOf("msg", 1), idOf("msg", 999)]] }), [0])
        })
      )
    })
  })
}
