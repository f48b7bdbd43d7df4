import { Data } from "effect"
import type { ContactId } from "../Id.ts"

/** What a tenant keeps of its contacts beyond what everybody has: flat, so that it can be shown and compared. */
export type ContactAttributes = Readonly<Record<string, string | number | boolean | null>>

/** Tags of one contact at most. */
export const maxTags = 50

/** A person or business that writes to the tenant. */
export interface Contact {
  readonly contactId: ContactId
  readonly tenantId: string
  readonly name: string | null
  /** The address to write to, as first given; identities hold every normalised one. */
  readonly email: string | null
  /** E.164 where the number could be read, else as given. */
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: ContactAttributes
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
  /** The contact that took over everything of this one; it changes no more unless the merge is undone. */
  readonly mergedInto: ContactId | null
}

/** No such contact in this tenant. */
export class ContactNotFound extends Data.TaggedError("ContactNotFound")<{ readonly contactId: string }> {}

/** The contact has been merged into another: change that one, or undo the merge. */
export class ContactMerged extends Data.TaggedError("ContactMerged")<{
  readonly contactId: ContactId
  readonly mergedInto: ContactId
}> {}

/** An identity of the new or changed contact belongs to another one already. */
export class ContactExists extends Data.TaggedError("ContactExists")<{
  readonly contactId: ContactId
  readonly identity: string
}> {}

/** What was given as an email address or phone number is none. */
export class IdentityInvalid extends Data.TaggedError("IdentityInvalid")<{
  /** The field of the request; empty: all of it. */
  readonly field: "email" | "phone" | "external_id" | ""
  readonly reason: string
}> {}
