import type { MessageId } from "../Id.ts"

/** What became of one arrival. */
export type ArrivalOutcome = "message" | "duplicate_of" | "auto" | "bounce" | "own" | "quarantined" | "failed"

/** One line of the inbound ledger: every arrival is in it, so that nothing ever just vanishes. */
export interface Arrival {
  readonly arrivalId: string
  readonly tenantId: string
  readonly channel: string
  readonly source: string
  readonly outcome: ArrivalOutcome
  /** The stored message, or the one this is a copy of; null when nothing was stored. */
  readonly messageId: MessageId | null
  readonly detail: string | null
  readonly receivedAt: number
}
