/** A number that a tenant does not want to hear from or write to. */
export interface BlockedNumber {
  readonly tenantId: string
  /** E.164. */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** Blocked numbers of a tenant at most. */
export const blockedNumbersLimit = 10_000
