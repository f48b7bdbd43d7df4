import { assert } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { contactRecord, eventRecord, idOf, messageRecord } from "@leadloom/testkit/suite/Records"
import { Effect } from "effect"

/** Writes one record into each of three tables, and yields to other fibers in between. */
export const write = Effect.fnUntraced(function* (tenantId: string, number: number) {
  yield* (yield* Contacts).insert(contactRecord(tenantId, number))
  yield* Effect.yieldNow
  yield* (yield* Messages).insert(messageRecord(tenantId, number), [`mid:${number}`])
  yield* (yield* Events).append(tenantId, [eventRecord(tenantId, number)])
  return number
})

/** Returns the number of stored records for each number, at most three. */
export const written = Effect.fnUntraced(function* (tenantId: string, numbers: ReadonlyArray<number>) {
  const contacts = yield* (yield* Contacts).page(tenantId, 10_000, null)
  const events = yield* (yield* Events).after(tenantId, 0, 10_000)
  const contactIds = new Set<string>(contacts.map(({ contactId }) => contactId))
  const eventIds = new Set<string>(events.map(({ event }) => event.eventId))
  assert.deepStrictEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1)
  )
  return yield* Effect.forEach(numbers, (number) =>
    Effect.map(
      Effect.flatMap(Messages, (messages) => messages.find(tenantId, idOf("msg", number))),
      (message) =>
        [contactIds.has(idOf("con", number)), message !== null, eventIds.has(idOf("evt", number))].filter(Boolean)
          .length
    )
  )
})

/** Returns the numbers from 0 to `count - 1`. */
export const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)
