import { assert, it } from "@effect/vitest"
import { draftRecord, idOf } from "@leadloom/testkit/suite/Records"
import type { Accepted } from "@leadloom/core/internal/workflow/intake/Inbound"
import { acceptRequest } from "@leadloom/core/internal/workflow/intake/AcceptMessage"
import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { makeDoubles, servicesOf } from "@leadloom/testkit/suite/Doubles"
import { companyRecord } from "@leadloom/testkit/suite/WorkspaceRecords"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { temporaryPostgres } from "../TemporaryPostgres.ts"
import { inboundOf, type RandomMessage } from "./Arrivals.ts"
import { contentsOf } from "./Contents.ts"

/** A change between two bursts, to the records of an earlier message. */
interface Change {
  readonly kind: "lose" | "win" | "archive" | "draft" | "tag"
  readonly of: number
}

interface Burst {
  readonly messages: ReadonlyArray<RandomMessage>
  readonly change: Change
}

const small = fc.nat({ max: 4 })
const sometimes = fc.option(small, { nil: null, freq: 2 })
const message: fc.Arbitrary<RandomMessage> = fc.record({
  kind: fc.constantFrom("mail", "mail", "mail", "list", "own", "own", "chat", "form"),
  person: small,
  other: fc.option(small, { nil: null, freq: 1 }),
  id: fc.option(fc.nat({ max: 24 }), { nil: null, freq: 6 }),
  references: fc.array(fc.nat({ max: 24 }), { maxLength: 3 }),
  thread: sometimes,
  subject: fc.nat({ max: 2 }),
  time: fc.nat({ max: 9 }),
  print: fc.constantFrom(null, null, "one", "two")
})
const burst: fc.Arbitrary<Burst> = fc.record({
  messages: fc.array(message, { minLength: 12, maxLength: 30 }),
  change: fc.record({ kind: fc.constantFrom("lose", "win", "archive", "draft", "tag"), of: fc.nat() })
})

const apply = Effect.fnUntraced(function* (tenantId: string, { kind, of }: Change, accepted: ReadonlyArray<Accepted>) {
  const { atomically } = yield* Transactions
  const { contactId = null, leadId = null } = accepted[of % accepted.length] ?? {}
  if (contactId === null) return
  const unit = Effect.gen(function* () {
    const contacts = yield* Contacts
    const contact = yield* contacts.get(tenantId, contactId)
    if (kind === "archive") return yield* contacts.update({ ...contact, archivedAt: 1 })
    if (kind === "tag") return yield* contacts.update({ ...contact, tags: ["new", String(of)] })
    if (kind === "draft") {
      const draftId = idOf("draft", Number(tenantId.startsWith("alone")) * 10_000 + (of % 10_000))
      return yield* (yield* Drafts).propose(draftRecord(tenantId, 1, { contactId, draftId }))
    }
    const leads = yield* Leads
    if (leadId === null) return
    const lead = yield* leads.get(tenantId, leadId)
    yield* leads.update({ ...lead, state: kind === "lose" ? "lost" : "won" }, lead)
  })
  yield* atomically(tenantId, unit)
})

/**
 * Accepts a message. Returns null if it conflicts with an earlier one. `begin` receives its index when it is decided.
 */
const accept = (tenantId: string, message: RandomMessage, index: number, begin: (index: number) => void) =>
  Effect.flatMap(Ids, (ids) =>
    acceptRequest(inboundOf(message, index, tenantId)).pipe(
      Effect.catchTag("IdempotencyConflict", () => Effect.succeed(null)),
      Effect.provideService(
        Ids,
        // Every accepted message requests the id of its ledger line last.
        Ids.of({
          next: (prefix) => {
            if (prefix === "arr") begin(index)
            return ids.next(prefix)
          }
        })
      )
    )
  )

const noPlace: Accepted = {
  outcome: "failed",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail: null
}

/** Accepts concurrently in batches for one tenant, and in the same order by units of work for another one. */
const run = Effect.fnUntraced(function* (bursts: ReadonlyArray<Burst>, number: number) {
  const [together, alone] = [`together-${number}`, `alone-${number}`]
  const companies = yield* Companies
  for (const tenantId of [together, alone])
    yield* companies.insert(companyRecord(tenantId, 1, { domain: "customer.example" }))
  const real = yield* Transactions
  const units = Transactions.of({ atomically: (tenantId, unit) => real.atomically(tenantId, unit) })
  const acceptedTogether: Array<Accepted> = []
  const acceptedAlone: Array<Accepted> = []
  let offset = 0
  for (const { change, messages } of bursts) {
    const order: Array<number> = []
    const results = yield* Effect.forEach(
      messages,
      (message, index) => accept(together, message, offset + index, (begun) => order.push(begun)),
      { concurrency: "unbounded" }
    )
    // A message that left its batch was decided twice. Its last decision counts. A conflict has no ledger line.
    const last = [...new Set(order.toReversed())].toReversed()
    const conflicts = results.flatMap((result, index) => (result === null ? [offset + index] : []))
    const byIndex = new Map<number, Accepted | null>()
    for (const index of [...last.filter((index) => !conflicts.includes(index)), ...conflicts]) {
      const message = messages[index - offset]
      if (message === undefined) return assert.fail("an unknown message")
      const result = yield* Effect.provideService(
        accept(alone, message, index, () => undefined),
        Transactions,
        units
      )
      byIndex.set(index, result)
    }
    for (const [index, result] of results.entries()) {
      const other = byIndex.get(offset + index) ?? null
      assert.strictEqual(result?.outcome, other?.outcome)
      acceptedTogether.push(result ?? noPlace)
      acceptedAlone.push(other ?? noPlace)
    }
    offset += messages.length
    yield* apply(together, change, acceptedTogether)
    yield* apply(alone, change, acceptedAlone)
  }
  assert.deepStrictEqual(yield* contentsOf(together), yield* contentsOf(alone))
})

it.effect("batches store the same as units of work in the same order", () =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Layer.Success<typeof services>>()
    let number = 0
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 4 }), (bursts) =>
          Effect.runPromiseWith(context)(run(bursts, (number += 1)))
        ),
        { numRuns: 15, endOnFailure: true }
      )
    )
  }).pipe(Effect.provide(services))
)

const services = Layer.merge(temporaryPostgres, servicesOf(makeDoubles(), []))
