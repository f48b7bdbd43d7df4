// Contacts: their fields, identities and merges. Their records in a CRM do not belong here (`domain/crm`). Tests:
// `packages/core/test/domain/contact`, `packages/testkit/src/suite/contact`.

import { Data } from "effect"
import type { ContactId } from "../Id.ts"

/** Additional data of a tenant about a contact. Flat, so that values can be shown and compared. */
export type ContactAttributes = Readonly<Record<string, string | number | boolean | null>>

/** The limit of tags per contact. */
export const maxTags = 50

/** A person or business that communicates with the tenant. */
export interface Contact {
  readonly contactId: ContactId
  readonly tenantId: string
  readonly name: string | null
  /** The address for messages, as first given. The identities contain every normalised address. */
  readonly email: string | null
  /** In E.164 if the number is valid, otherwise as given. */
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: ContactAttributes
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  /** The contact that this one was merged into. A merged contact is read-only until the merge is undone. */
  readonly mergedInto: ContactId | null
}

/** The tenant has no contact with this id. */
export class ContactNotFound extends Data.TaggedError("ContactNotFound")<{ readonly contactId: string }> {}

/** The contact was merged into another one. Change that contact, or undo the merge. */
export class ContactMerged extends Data.TaggedError("ContactMerged")<{
  readonly contactId: ContactId
  readonly mergedInto: ContactId
}> {}

/** Another contact already has an identity of the new or changed contact. */
export class ContactExists extends Data.TaggedError("ContactExists")<{
  readonly contactId: ContactId
  readonly identity: string
}> {}

/** The given email address, phone number or external id is invalid. */
export class IdentityInvalid extends Data.TaggedError("IdentityInvalid")<{
  /** The field of the request; empty if the error concerns the whole request. */
  readonly field: "email" | "phone" | "external_id" | ""
  readonly reason: string
}> {}
