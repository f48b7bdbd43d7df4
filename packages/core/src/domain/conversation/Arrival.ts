import type { MessageId } from "../Id.ts"

/** The result of one arrival. */
export type ArrivalOutcome = "message" | "duplicate_of" | "auto" | "bounce" | "own" | "quarantined" | "failed"

/** One line of the inbound ledger. Every arrival has one, so no message disappears unnoticed. */
export interface Arrival {
  readonly arrivalId: string
  readonly tenantId: string
  readonly channel: string
  readonly source: string
  readonly outcome: ArrivalOutcome
  /** The stored message, or the original of a duplicate; null if nothing was stored. */
  readonly messageId: MessageId | null
  readonly detail: string | null
  readonly receivedAt: number
}
