import { assert, describe, it } from "@effect/vitest"
import { strategies, type Strategy } from "@leadloom/core/internal/domain/user/ChooseMember"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { ingestEmail } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { deactivateUser } from "@leadloom/core/internal/workflow/user/Users"
import { idOf } from "@leadloom/testkit/suite/Records"
import { rawMail } from "@leadloom/testkit/suite/Scene"
import { teamRecord, userRecord } from "@leadloom/testkit/suite/WorkspaceRecords"
import { Effect } from "effect"
import fc from "fast-check"
import { severalServers } from "./SeveralServers.ts"

const situations = fc.record({
  strategy: fc.constantFrom(...strategies),
  members: fc.integer({ min: 2, max: 4 }),
  first: fc.integer({ min: 4, max: 12 }),
  afterwards: fc.integer({ min: 1, max: 6 })
})

const memberIds = (count: number) => Array.from({ length: count }, (_, index) => idOf("usr", index + 1))

/** Creates a tenant with a team of `members` users. Returns the macro that assigns work to the team. */
const begin = Effect.fnUntraced(function* (tenantId: string, members: number, strategy: Strategy) {
  yield* createTenant({ tenantId, name: "Acme", domain: `${tenantId}.example`, preset: null, hipaa: false })
  for (let number = 1; number <= members; number++) yield* (yield* Users).insert(userRecord(tenantId, number))
  yield* (yield* Teams).insert(teamRecord(tenantId, 1, { memberIds: memberIds(members) }))
  const actions = [{ type: "assign", to: idOf("team", 1), strategy }] as const
  return (yield* createMacro(tenantId, { name: "Assign", actions })).macroId
})

/** A new contact writes, and the macro assigns the lead and the conversation. Returns the contact. */
const receive = Effect.fnUntraced(function* (tenantId: string, macroId: string, number: number) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const raw = rawMail({ id: `${number}.${tenantId}@customer.example`, from: `person.${number}@customer.example` })
  const { contactId } = yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
  yield* runMacro(tenant, macroId, contactId ?? "")
  return contactId ?? ""
})

/** Returns the number of contacts of each member. The lead and the conversation of a contact have the same member. */
const sharesOf = Effect.fnUntraced(function* (tenantId: string, members: number, contacts: ReadonlyArray<string>) {
  const shares = new Map<string, number>(memberIds(members).map((userId) => [userId, 0]))
  for (const { assigneeId, leadId } of yield* (yield* Conversations).among(tenantId, contacts)) {
    const lead = yield* (yield* Leads).get(tenantId, leadId ?? "")
    assert.strictEqual(lead.assigneeId, assigneeId)
    shares.set(assigneeId ?? "nobody", (shares.get(assigneeId ?? "nobody") ?? 0) + 1)
  }
  return shares
})

const spread = (shares: Iterable<number>): number => Math.max(...shares) - Math.min(...shares)

describe("assignment on several servers", () => {
  for (const [name, open] of severalServers) {
    it.live(`gives equal shares to the active members in any order of runs on ${name}`, () =>
      Effect.gen(function* () {
        const on = yield* open
        let tenants = 0
        const property = fc.asyncProperty(situations, async ({ afterwards, first, members, strategy }) => {
          const tenantId = `shares-${++tenants}`
          const run = Effect.gen(function* () {
            const macroId = yield* on(0, begin(tenantId, members, strategy))
            const receiveAll = (from: number, count: number) =>
              Effect.forEach(
                Array.from({ length: count }, (_, index) => from + index),
                (number) => on(number, receive(tenantId, macroId, number)),
                { concurrency: 6 }
              )
            const contacts = yield* receiveAll(0, first)
            const shares = yield* on(1, sharesOf(tenantId, members, contacts))
            assert.isAtMost(spread(shares.values()), 1)
            yield* on(0, deactivateUser(tenantId, idOf("usr", 1)))
            const more = yield* receiveAll(first, afterwards)
            const later = yield* on(2, sharesOf(tenantId, members, more))
            assert.strictEqual(later.get(idOf("usr", 1)), 0)
            assert.isUndefined(later.get("nobody"))
          })
          await Effect.runPromise(run)
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: 8 }))
      }).pipe(Effect.scoped)
    )
  }
})
