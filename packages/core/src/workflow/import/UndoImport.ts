import { Clock, Effect } from "effect"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identityOfKey } from "../../domain/contact/Identity.ts"
import {
  type ContactImport,
  type ImportedContact,
  importJobId,
  ImportNotUndoable,
  restoredContact,
  revertsPerUnit
} from "../../domain/import/ContactImport.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { replaceLostPrimaries } from "../contact/ChangeIdentities.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** Starts the undo of a completed import. Workers process it, and the import shows their progress. */
export const undoImport = Effect.fnUntraced(function* (tenantId: string, importId: string) {
  yield* (yield* Tenants).get(tenantId)
  const imports = yield* ContactImports
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const of = yield* imports.get(tenantId, importId)
      if (of.status !== "done" || of.dryRun)
        return yield* new ImportNotUndoable({ status: of.dryRun ? "dry run" : of.status })
      const undoing: ContactImport = { ...of, status: "undoing", updatedAt: now }
      yield* imports.update(undoing)
      const job = { kind: "contact_import", importId: of.importId, part: 0 } as const
      // The job of the import may still be ending. `renew` prevents it from deleting the new one.
      yield* (yield* Jobs).renew({ tenantId, jobId: importJobId(of.importId), job, dueAt: now, createdAt: now })
      yield* recordAuditChange({ before: { status: of.status }, after: { status: "undoing" } })
      return undoing
    })
  )
}, withSpan("undoImport"))

/**
 * Reverts the change of one contact. A created contact is archived, unless it has changed or written since. A changed
 * contact gets back its earlier values, except those that have changed since. Returns false if the contact stays.
 */
const revert = Effect.fnUntraced(function* (tenantId: string, item: ImportedContact, country: string, now: number) {
  const contacts = yield* Contacts
  const current = yield* contacts
    .get(tenantId, item.contactId)
    .pipe(Effect.catchTag("ContactNotFound", () => Effect.succeed(null)))
  if (current === null || current.mergedInto !== null) return false
  const { after, before, contactId, identities } = item
  const isChanged = current.updatedAt !== after.updatedAt
  if (before === null && (isChanged || (yield* (yield* Conversations).head(tenantId, contactId)) !== null)) return false
  yield* contacts.detach(tenantId, contactId, identities.map(identityOfKey))
  const reverted =
    before === null
      ? { ...current, archivedAt: now }
      : yield* replaceLostPrimaries(restoredContact(current, before, after), country)
  const stored = { ...reverted, updatedAt: now }
  yield* contacts.update(stored)
  yield* recordEvents([contactEvent("contact.updated", stored)], now)
  return true
})

/** Reverts the next changes of an import in one unit of work. Returns false when none is left. */
export const undoSome = Effect.fnUntraced(function* ({ importId, tenantId }: ContactImport) {
  const imports = yield* ContactImports
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const of = yield* imports.get(tenantId, importId)
      const items = yield* imports.some(tenantId, importId, revertsPerUnit)
      let { kept, reverted } = of
      for (const item of items) {
        if (yield* revert(tenantId, item, config.defaultCountry, now)) reverted += 1
        else kept += 1
      }
      const contactIds = items.map(({ contactId }) => contactId)
      yield* imports.forget(tenantId, importId, contactIds)
      const status = items.length === 0 ? "undone" : "undoing"
      yield* imports.update({ ...of, status, kept, reverted, updatedAt: now })
      return items.length > 0
    })
  )
})
