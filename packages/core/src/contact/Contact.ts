import { Data } from "effect"
import type { ContactId } from "../Id.ts"

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
  readonly createdAt: number
  readonly updatedAt: number
  readonly archivedAt: number | null
}

/** No such contact in this tenant. */
export class ContactNotFound extends Data.TaggedError("ContactNotFound")<{ readonly contactId: string }> {}

/** An identity of the new or changed contact belongs to another one already. */
export class ContactExists extends Data.TaggedError("ContactExists")<{
  readonly contactId: ContactId
  readonly identity: string
}> {}

/** What was given as an email address or phone number is none. */
export class IdentityInvalid extends Data.TaggedError("IdentityInvalid")<{
  readonly field: "email" | "phone"
  readonly reason: string
}> {}
