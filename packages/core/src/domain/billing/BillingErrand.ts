/** Something to be looked up at a provider of payments because it told of a change, or because it is time. */
export interface BillingErrand {
  readonly kind: "billing_refresh"
  /** A checkout to be looked at first; null: none. */
  readonly checkoutId: string | null
}

/** Looks, and nothing else. */
export const look: BillingErrand = { kind: "billing_refresh", checkoutId: null }

/** The one errand that follows a notice. */
export const noticedId = (noticeId: string): string => `billing_refresh:notice:${noticeId}`

/** The one errand that looks at a time (epoch milliseconds) by itself. */
export const timedId = (at: number): string => `billing_refresh:at:${at}`

/** The one errand that ends what is paid for a tenant that is not served any more. */
export const archivedId = "billing_refresh:archived"
