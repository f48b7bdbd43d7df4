import { assert, describe, it } from "@effect/vitest"
import { conversationRow } from "@leadloom/core/internal/domain/conversation/ConversationRow"
import type { ConversationChange } from "@leadloom/core/internal/domain/conversation/ConversationChange"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { countConversations } from "@leadloom/core/internal/workflow/conversation/CountConversations"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { updateConversations } from "@leadloom/core/internal/workflow/conversation/UpdateConversations"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { sendEmail } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { newestConversations } from "@leadloom/testkit/suite/NewestConversations"
import { idOf } from "@leadloom/testkit/suite/Records"
import { letter, rawMail } from "@leadloom/testkit/suite/Scene"
import { teamRecord, userRecord } from "@leadloom/testkit/suite/WorkspaceRecords"
import { Effect } from "effect"
import fc from "fast-check"
import { severalServers } from "./SeveralServers.ts"

const far = Date.now() + 86_400_000
const people = 3

const changes: ReadonlyArray<ConversationChange> = [
  { assigneeId: idOf("usr", 1), teamId: idOf("team", 1) },
  { assigneeId: null, tags: ["vip"] },
  { snoozeUntil: far },
  { state: "closed" },
  { state: "open", priority: "high" },
  { unread: true },
  { unread: false }
]

/** A step: a message of the contact, a reply, a change of one conversation, or a change of all of them. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("message", "message", "reply", "change", "change", "change", "bulk"),
    person: fc.nat(people - 1),
    change: fc.constantFrom(...changes)
  }),
  { minLength: 10, maxLength: 24 }
)

const addressOf = (person: number): string => `person.${person}@customer.example`

let mails = 0

const receive = (tenantId: string, person: number) =>
  Effect.gen(function* () {
    const tenant = yield* createdTenant(tenantId)
    const raw = rawMail({ id: `${++mails}@customer.example`, from: addressOf(person), body: `Question ${mails}` })
    return yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
  })

const createdTenant = (tenantId: string) => Effect.flatMap(Tenants, ({ get }) => get(tenantId))

const reply = Effect.fnUntraced(function* (tenantId: string, person: number) {
  const tenant = yield* createdTenant(tenantId)
  const request = { ...letter, to: [{ email: addressOf(person), name: null }], body: `Answer ${++mails}` }
  yield* sendEmail({ tenant, idempotencyKey: null, request })
})

/** Creates a tenant with a user, a team, an email account and one conversation for each person. */
const begin = Effect.fnUntraced(function* (tenantId: string) {
  const domain = `${tenantId}.example`
  yield* createTenant({ tenantId, name: "Acme", domain, preset: null, hipaa: false })
  yield* connectEmail(tenantId, { provider: "smtp", providerGrantId: null, email: `office@${domain}`, name: null })
  yield* (yield* Users).insert(userRecord(tenantId, 1))
  yield* (yield* Teams).insert(teamRecord(tenantId, 1))
  const contacts = []
  for (let person = 0; person < people; person++) contacts.push((yield* receive(tenantId, person)).contactId ?? "")
  return contacts
})

type Step = typeof steps extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never

const take = Effect.fnUntraced(function* (tenantId: string, contacts: ReadonlyArray<string>, step: Step) {
  const { change, kind, person } = step
  if (kind === "message") yield* receive(tenantId, person)
  else if (kind === "reply") yield* reply(tenantId, person)
  else if (kind === "bulk") yield* updateConversations(tenantId, contacts, change, null)
  else yield* updateConversation(tenantId, contacts[person] ?? "", change, null)
})

/** Returns the row of the last event of each conversation, without the unread messages, which change without events. */
const rowsOfEvents = (events: ReadonlyArray<{ readonly event: { readonly type: string; readonly data: object } }>) => {
  const rows = new Map<unknown, unknown>()
  for (const { event } of events) {
    if (event.type !== "conversation.updated" || !("conversation" in event.data)) continue
    const { unread: _, ...row } = Object(event.data.conversation)
    rows.set(row["contact_id"], row)
  }
  return rows
}

const check = Effect.fnUntraced(function* (tenantId: string) {
  const conversations = yield* newestConversations(tenantId, 10)
  assert.lengthOf(conversations, people)
  for (const one of conversations) {
    assert.strictEqual(one.snoozeUntil === null, one.state !== "snoozed")
    if (one.state === "closed") assert.isNull(one.waitingSince)
  }
  const open = conversations.filter(({ state }) => state === "open")
  const assigned = open.filter(({ teamId }) => teamId !== null).length
  assert.deepStrictEqual(yield* countConversations(tenantId, null), {
    open: open.length,
    snoozed: conversations.filter(({ state }) => state === "snoozed").length,
    closed: conversations.filter(({ state }) => state === "closed").length,
    unassigned: open.filter(({ assigneeId }) => assigneeId === null).length,
    mine: 0,
    unread: conversations.filter(({ unread }) => unread > 0).length,
    teams: assigned === 0 ? [] : [{ teamId: idOf("team", 1), open: assigned }]
  })
  const rows = rowsOfEvents(yield* (yield* Events).after(tenantId, 0, 1_000))
  for (const one of conversations) {
    const { unread: _, ...row } = conversationRow(one)
    assert.deepStrictEqual(rows.get(one.contactId), row)
  }
})

describe("an inbox on several servers", () => {
  for (const [name, open] of severalServers) {
    it.live(`stays consistent after any interleaving of messages, replies and changes on ${name}`, () =>
      Effect.gen(function* () {
        const on = yield* open
        let tenants = 0
        const property = fc.asyncProperty(steps, async (taken) => {
          const tenantId = `inbox-${++tenants}`
          const run = Effect.gen(function* () {
            const contacts = yield* on(0, begin(tenantId))
            yield* Effect.forEach(taken, (step, number) => on(number, take(tenantId, contacts, step)), {
              concurrency: 6
            })
            yield* on(1, check(tenantId))
          })
          await Effect.runPromise(run)
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: 12 }))
      }).pipe(Effect.scoped)
    )
  }
})
