import { Data } from "effect"

/**
 * A phone number of the operator's provider account, assigned to one tenant. Messages and calls to it belong to the
 * tenant.
 */
export interface PhoneNumber {
  /** E.164. */
  readonly phone: string
  readonly tenantId: string
  /** The tenant's sender number if nothing else determines one. At most one number of a tenant is the default. */
  readonly isDefault: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The number belongs to another tenant. */
export class PhoneNumberTaken extends Data.TaggedError("PhoneNumberTaken")<{
  readonly phone: string
  readonly tenantId: string
}> {}

/** The number belongs to no tenant. */
export class PhoneNumberNotFound extends Data.TaggedError("PhoneNumberNotFound")<{ readonly phone: string }> {}

/**
 * Returns the sender number of a tenant: the default number, otherwise the oldest number. Returns null if the tenant
 * has no number. Expects the oldest number first.
 */
export const senderAmong = (numbers: ReadonlyArray<PhoneNumber>): string | null =>
  (numbers.find(({ isDefault }) => isDefault) ?? numbers[0])?.phone ?? null
