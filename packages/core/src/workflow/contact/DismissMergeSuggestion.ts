import { Clock, Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { MergeWithItself } from "../../domain/contact/ContactMerge.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Marks two contacts as different persons, so that their merge is no longer suggested. Idempotent. The order of the two
 * contacts does not matter.
 */
export const dismissMergeSuggestion = Effect.fnUntraced(function* (
  tenantId: string,
  primaryId: string,
  duplicateId: string
) {
  yield* (yield* Tenants).get(tenantId)
  if (primaryId === duplicateId) return yield* new MergeWithItself({ contactId: primaryId })
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const one = yield* requireUnmergedContact(tenantId, primaryId)
      const other = yield* requireUnmergedContact(tenantId, duplicateId)
      yield* contacts.dismissSuggestion(tenantId, one.contactId, other.contactId, now)
    })
  )
}, withSpan("dismissMergeSuggestion"))
