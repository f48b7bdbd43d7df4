import {
  allConversations,
  type ConversationKey,
  type ConversationQuery
} from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ingest, mailOf, type Place } from "./Ingest.ts"

/** The typical work of servers, through the ports, on a store that `fill` has filled. */

/** The number of concurrent callers that accept mails. */
export const callers = 64

/** Assigns mails of new people to tenants, with the same skew as the store: tenant `k` gets about `1/k` of them. */
export const placeOf = (tenants: number): Place => ({
  first: "2",
  // Spreads threads evenly over 0 to 1, always the same for the same thread.
  tenantOf: (thread) => `tenant-${Math.floor((tenants + 1) ** ((thread * 0.618_033_988_749) % 1)) - 1}`
})

/** Accepts mails, one unit of work each. Returns the number per second. */
export const accept = Effect.fnUntraced(function* (indexes: ReadonlyArray<number>, place: Place) {
  const { atomically } = yield* Transactions
  const begun = performance.now()
  yield* Effect.forEach(indexes, (index) => atomically(mailOf(index, place).message.tenantId, ingest(index, place)), {
    concurrency: callers,
    discard: true
  })
  return (indexes.length / (performance.now() - begun)) * 1_000
})

/** Returns the mean time of an effect in milliseconds over several sequential runs. */
const each = <A, E, R>(times: number, effect: (time: number) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const begun = performance.now()
    for (let time = 0; time < times; time++) yield* effect(time)
    return (performance.now() - begun) / times
  })

const newestFirst: ConversationQuery = { ...allConversations, sort: "-last_timestamp" }

/** Returns the milliseconds per page, for the first two pages of 50 conversations. */
export const listPage = (place: Place, times = 100) =>
  Effect.flatMap(Conversations, ({ walk }) => {
    const page = (time: number, after: ConversationKey | null) =>
      walk(place.tenantOf(time), newestFirst, { userId: null, after, limit: 50 })
    return each(times, (time) => Effect.flatMap(page(time, null), (listed) => page(time, listed.at(-1)?.key ?? null)))
  }).pipe(Effect.map((millis) => millis / 2))

/** A contact with a conversation. */
export interface Person {
  readonly tenantId: string
  readonly contactId: string
}

/** Returns contacts with five to fifteen messages, and the one with the most messages. */
export const people = Effect.gen(function* () {
  const sql = yield* SqlClient
  const grouped = `SELECT tenant_id AS "tenantId", contact_id AS "contactId" FROM messages GROUP BY tenant_id, contact_id`
  const typical = yield* sql.unsafe<Person>(
    `${grouped} HAVING count(*) BETWEEN 5 AND 15 ORDER BY md5(contact_id) LIMIT 200`
  )
  const [busiest] = yield* sql.unsafe<Person>(`${grouped} ORDER BY count(*) DESC LIMIT 1`)
  return { typical, busiest: busiest ?? { tenantId: "", contactId: "" } }
})

/** Returns the milliseconds for the whole history of one of these contacts. */
export const history = (people: ReadonlyArray<Person>, times: number) =>
  Effect.flatMap(Messages, ({ ofContact }) =>
    each(times, (time) => {
      const { contactId, tenantId } = people[time % people.length] ?? { contactId: "", tenantId: "" }
      return ofContact(tenantId, contactId)
    })
  )

/** Returns the milliseconds for the 50 newest messages of a contact. */
export const latestPage = ({ contactId, tenantId }: Person) =>
  Effect.flatMap(Messages, ({ before }) => each(50, () => before(tenantId, contactId, null, 50)))

/** Returns the milliseconds for a claim of 32 signals of accepted mails, then ends these signals. */
export const claim = Effect.gen(function* () {
  const [sql, signals] = [yield* SqlClient, yield* Signals]
  const later = 9e12
  const millis = yield* each(20, () => signals.claim(32, later, later + 1))
  yield* sql.unsafe("UPDATE signals SET state = 'done', ended_at = due_at WHERE state = 'queued'")
  return millis
})

/** Counts the stored messages. */
export const countMessages = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql.unsafe<{ readonly count: number | string }>("SELECT count(*) AS count FROM messages")
  return Number(row?.count)
})
