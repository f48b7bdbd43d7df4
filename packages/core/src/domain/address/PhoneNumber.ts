import { Data } from "effect"

/** A number of the operator's account at a provider, lent to one tenant: what comes there is the tenant's. */
export interface PhoneNumber {
  /** E.164. */
  readonly phone: string
  readonly tenantId: string
  /** What the tenant writes and calls from where nothing else decides it; one number of a tenant at most. */
  readonly isDefault: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The number is another tenant's. */
export class PhoneNumberTaken extends Data.TaggedError("PhoneNumberTaken")<{
  readonly phone: string
  readonly tenantId: string
}> {}

/** No tenant has this number. */
export class PhoneNumberNotFound extends Data.TaggedError("PhoneNumberNotFound")<{ readonly phone: string }> {}

/** The number a tenant sends from: the default one, else the oldest; null where it has none. Oldest first. */
export const senderAmong = (numbers: ReadonlyArray<PhoneNumber>): string | null =>
  (numbers.find(({ isDefault }) => isDefault) ?? numbers[0])?.phone ?? null
