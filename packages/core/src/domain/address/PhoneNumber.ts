import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"

/**
 * A phone number of the operator's provider account that is assigned to one tenant. Messages and calls to this number
 * belong to the tenant.
 */
export class PhoneNumber extends Schema.Opaque<PhoneNumber>()(
  Schema.Struct({
    phone: Schema.String.annotate({ description: "E.164" }),
    tenantId: Schema.String.annotate({ description: "The tenant that uses the number" }),
    isDefault: Schema.Boolean.annotate({
      description: "Whether messages are sent from this number when no other setting selects a number"
    }),
    createdAt: Time.annotate({ description: "The time at which the number was assigned (ISO 8601 in UTC)" })
  })
) {}

/** Another tenant already has the number. */
export class PhoneNumberTaken extends TaggedError("PhoneNumberTaken")<{
  readonly phone: string
  readonly tenantId: string
}> {}

/** No tenant has the number. */
export class PhoneNumberNotFound extends TaggedError("PhoneNumberNotFound")<{ readonly phone: string }> {}

/**
 * Returns the sender number of a tenant: the default number, otherwise the oldest number. Returns null if the tenant
 * has no number. `numbers` must list the oldest number first.
 */
export const senderAmong = (numbers: ReadonlyArray<PhoneNumber>): string | null =>
  (numbers.find(({ isDefault }) => isDefault) ?? numbers[0])?.phone ?? null
