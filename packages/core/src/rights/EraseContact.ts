import { Clock, Effect } from "effect"
import { Secrets } from "../access/Secrets.ts"
import { type Contact, ContactMerged } from "../contact/Contact.ts"
import { Contacts } from "../port/Contacts.ts"
import { Erasures } from "../port/Erasures.ts"
import { Holdings } from "../port/Holdings.ts"
import { Ids } from "../port/Ids.ts"
import { Objects } from "../port/Objects.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { eraseMessages } from "./EraseMessages.ts"
import { counted, type Erasure, ErasureNotConfirmed, receiptHash } from "./Erasure.ts"
import type { Kind } from "./Kind.ts"
import { kinds, kindsByName } from "./Kinds.ts"
import { type Row, textOf } from "./Record.ts"
import { tombstone } from "./Tombstone.ts"

/** Rows that one unit of work takes away at most: units of the tenant's mail wait for it. */
const batchRows = 200

/** Rows of one kind that the first unit takes; what somebody may have beyond that goes with the batches. */
const closingRows = 5_000

/** Objects that are taken away between two units of work. */
const batchObjects = 50

/**
 * What goes in the first unit of work: from then on nobody finds the contact or its leads, and new mail of the same person
 * makes a new one. Each is a few rows a contact.
 */
const closing: ReadonlyArray<Kind> = [
  kindsByName.identities,
  kindsByName.conversation_aliases,
  kindsByName.conversations,
  kindsByName.merge_suggestions,
  kindsByName.contact_merge_items,
  kindsByName.contact_merges,
  kindsByName.contact_tags,
  kindsByName.contact_digests,
  kindsByName.lead_scores,
  kindsByName.leads,
  kindsByName.contacts
]

/** What goes with the messages that it is found by. */
const byMessage = new Set([kindsByName.messages, ...kinds.filter(({ belongs }) => belongs.by === "message")])

/** What goes batch by batch after the messages; scores before the leads that they are found by. */
const afterwards: ReadonlyArray<Kind> = [kindsByName.lead_scores, kindsByName.contact_merge_items, ...kinds].filter(
  (kind) => !byMessage.has(kind) && kind !== kindsByName.undeliverable
)

const emailsOf = (identities: ReadonlyArray<Row>): ReadonlyArray<string> =>
  identities.flatMap((row) => {
    const identity = textOf(row, "identity")
    return identity.startsWith("email:") ? [identity.slice("email:".length)] : []
  })

/** That nothing may be sent to an address stays known, and nothing else of it. */
const hashUndeliverable = Effect.fnUntraced(function* (erasure: Erasure) {
  const { contactId, tenantId } = erasure
  const holdings = yield* Holdings
  const { pepper } = yield* Secrets
  const kind = kindsByName.undeliverable
  const rows = yield* holdings.some(tenantId, kind, contactId, batchRows)
  const marks = rows.map((row) => ({ ...row, email: tombstone(textOf(row, "email"), pepper), reason: "erased" }))
  const known = new Set((yield* holdings.present(tenantId, kind, marks)).map((row) => textOf(row, "email")))
  yield* holdings.remove(tenantId, kind, rows)
  yield* holdings.insert(
    tenantId,
    kind,
    marks.filter(({ email }) => !known.has(email))
  )
  return counted(erasure.erased, kind.name, rows.length)
})

/** Others may stand under leads that are taken away. */
const releaseLeads = Effect.fnUntraced(function* (tenantId: string, contactId: string, rows: ReadonlyArray<Row>) {
  const leadIds = rows.map((row) => textOf(row, "lead_id"))
  if (leadIds.length > 0) yield* (yield* Holdings).releaseLeads(tenantId, contactId, leadIds)
})

/** Closes the contact: what finds it goes at once, and what was to be done about it is not done. */
const close = Effect.fnUntraced(function* (contact: Contact, requestedBy: string, now: number) {
  const { contactId, tenantId } = contact
  const holdings = yield* Holdings
  const identities = yield* holdings.some(tenantId, kindsByName.identities, contactId, closingRows)
  const opened: Erasure = {
    erasureId: yield* (yield* Ids).next("era"),
    tenantId,
    contactId,
    requestedBy,
    requestedAt: now,
    completedAt: null,
    erased: {},
    emails: emailsOf(identities),
    receiptHash: null
  }
  let erased = yield* hashUndeliverable(opened)
  yield* holdings.stopWork(tenantId, contactId)
  for (const kind of closing) {
    const rows = yield* holdings.some(tenantId, kind, contactId, closingRows)
    if (kind === kindsByName.leads) yield* releaseLeads(tenantId, contactId, rows)
    yield* holdings.remove(tenantId, kind, rows)
    erased = counted(erased, kind.name, rows.length)
  }
  const erasure = { ...opened, erased }
  yield* (yield* Erasures).save(erasure)
  return erasure
})

/** The erasure of a contact as it stands: begun now, or before. Runs inside a unit of work. */
const begin = Effect.fnUntraced(function* (tenantId: string, contactId: string, requestedBy: string, now: number) {
  const known = yield* (yield* Erasures).ofContact(tenantId, contactId)
  return known ?? (yield* close(yield* (yield* Contacts).get(tenantId, contactId), requestedBy, now))
})

/** Takes rows of one kind away. */
const eraseKind = (kind: Kind) =>
  Effect.fnUntraced(function* (erasure: Erasure) {
    const { contactId, tenantId } = erasure
    const holdings = yield* Holdings
    const rows = yield* holdings.some(tenantId, kind, contactId, batchRows)
    if (rows.length === 0) return null
    if (kind === kindsByName.leads) yield* releaseLeads(tenantId, contactId, rows)
    yield* holdings.remove(tenantId, kind, rows)
    return counted(erasure.erased, kind.name, rows.length)
  })

/** Empties what partners were told, and are told when they ask again. */
const eraseEvents = Effect.fnUntraced(function* ({ contactId, erased, tenantId }: Erasure) {
  const count = yield* (yield* Holdings).redactEvents(tenantId, contactId, batchRows)
  return count === 0 ? null : counted(erased, "events", count)
})

/** In this order: what is found by the messages goes before them, and what they stand under after them. */
const steps = [eraseMessages(batchRows), ...afterwards.map(eraseKind), eraseEvents]

/** Takes away objects that rows referred to. What a crash leaves is found again by the next request. */
const eraseObjects = Effect.fnUntraced(function* ({ erasureId, tenantId }: Erasure) {
  const erasures = yield* Erasures
  const { remove } = yield* Objects
  const { atomically } = yield* Transactions
  for (;;) {
    const keys = yield* erasures.objects(tenantId, erasureId, batchObjects)
    if (keys.length === 0) return
    yield* Effect.forEach(keys, (key) => remove(tenantId, key), { concurrency: 8, discard: true })
    yield* atomically(tenantId, erasures.dropObjects(tenantId, erasureId, keys))
  }
})

type Step = (typeof steps)[number]

/**
 * One step of an erasure as it stands, which somebody else may have carried on meanwhile. False: there is nothing more to
 * do for it. Runs inside a unit of work.
 */
const advance = Effect.fnUntraced(function* (step: Step, tenantId: string, contactId: string) {
  const erasures = yield* Erasures
  const erasure = yield* erasures.ofContact(tenantId, contactId)
  if (erasure === null || erasure.completedAt !== null) return false
  const erased = yield* step(erasure)
  if (erased === null) return false
  yield* erasures.save({ ...erasure, erased })
  return true
})

/** The receipt, written once. Runs inside a unit of work. */
const complete = Effect.fnUntraced(function* (begun: Erasure, now: number) {
  const erasure = (yield* (yield* Erasures).ofContact(begun.tenantId, begun.contactId)) ?? begun
  if (erasure.completedAt !== null) return erasure
  const done: Erasure = { ...erasure, completedAt: now, emails: [] }
  const receipt = { ...done, receiptHash: receiptHash(done) }
  yield* (yield* Erasures).save(receipt)
  return receipt
})

/** Erases one contact, apart from those that were merged into it. */
const eraseOne = Effect.fnUntraced(function* (tenantId: string, contactId: string, requestedBy: string) {
  const { atomically } = yield* Transactions
  const begun = yield* atomically(
    tenantId,
    Effect.flatMap(Clock.currentTimeMillis, (now) => begin(tenantId, contactId, requestedBy, now))
  )
  for (const step of steps) while (yield* atomically(tenantId, advance(step, tenantId, contactId)));
  yield* eraseObjects(begun)
  return yield* atomically(
    tenantId,
    Effect.flatMap(Clock.currentTimeMillis, (now) => complete(begun, now))
  )
})

/** Contacts that were merged into this one, and into those, before whom they were merged into. */
const mergedAway = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const holdings = yield* Holdings
  const found = [contactId]
  for (const id of found) {
    const rows = yield* holdings.some(tenantId, kindsByName.contacts, id, closingRows)
    found.push(...rows.map((row) => textOf(row, "contact_id")).filter((one) => !found.includes(one)))
  }
  return found.slice(1).toReversed()
})

/** What was merged into another is that one now: who is meant has to be said. */
const refuseMerged = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  if ((yield* (yield* Erasures).ofContact(tenantId, contactId)) !== null) return
  const { contactId: id, mergedInto } = yield* (yield* Contacts).get(tenantId, contactId)
  if (mergedInto !== null) return yield* new ContactMerged({ contactId: id, mergedInto })
})

/**
 * Erases a contact and everything kept of it, in bounded units of work; answers with the receipt. Contacts that were
 * merged into it go first, each with a receipt of its own. Asking again goes on where a crash broke it off, and gives the
 * same receipt when it was complete. Threads with others keep the others' messages.
 */
export const eraseContact = Effect.fn("eraseContact")(function* (request: {
  readonly tenantId: string
  readonly contactId: string
  /** The contact's id once more, against accidents. */
  readonly confirm: string
  readonly requestedBy: string
}) {
  const { confirm, contactId, requestedBy, tenantId } = request
  yield* (yield* Tenants).get(tenantId)
  if (confirm !== contactId) return yield* new ErasureNotConfirmed({ contactId })
  yield* refuseMerged(tenantId, contactId)
  for (const id of yield* mergedAway(tenantId, contactId)) yield* eraseOne(tenantId, id, requestedBy)
  return yield* eraseOne(tenantId, contactId, requestedBy)
})
