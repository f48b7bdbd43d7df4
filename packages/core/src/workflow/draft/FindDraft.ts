import { Effect } from "effect"
import { liveContact } from "../contact/LiveContact.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { type Draft, type DraftChange, DraftChanged, DraftNotFound } from "../../domain/draft/Draft.ts"
import type { MessageId } from "../../domain/Id.ts"

/** The draft that a caller means: the one named, else the one that is pending, else the contact's newest. */
export const findDraft = Effect.fnUntraced(function* (tenantId: string, contactId: string, draftId: string | null) {
  const contact = yield* liveContact(tenantId, contactId)
  const drafts = yield* Drafts
  const found =
    draftId === null
      ? ((yield* drafts.pending(tenantId, contact.contactId)) ?? (yield* drafts.newest(tenantId, contact.contactId)))
      : yield* drafts.find(tenantId, draftId)
  if (found === null || found.contactId !== contact.contactId)
    return yield* new DraftNotFound({ tenantId, contactId: contact.contactId })
  return { contact, draft: found }
})

/** Says what a draft has become, and what is pending now. */
export const draftChanged = Effect.fnUntraced(function* (
  { contactId, tenantId }: Draft,
  reason: DraftChange,
  messageId: MessageId | null = null
) {
  const current = yield* (yield* Drafts).pending(tenantId, contactId)
  return yield* new DraftChanged({ reason, current, messageId })
})
