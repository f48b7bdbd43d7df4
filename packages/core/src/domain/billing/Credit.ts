import { Data } from "effect"
import type { CreditId } from "../Id.ts"
import type { CappedKind } from "./Plan.ts"

/**
 * The kinds of credit entries. `refund` returns credits for a failed use (positive), or removes credits after the
 * refund of a purchase (negative).
 */
export const creditKinds = ["grant", "purchase", "use", "refund", "adjustment", "expire"] as const

export type CreditKind = (typeof creditKinds)[number]

/** A new entry for the credit ledger. */
export interface CreditEntry {
  readonly tenantId: string
  readonly kind: CreditKind
  /** Positive adds credits, negative removes them; never 0. */
  readonly amount: number
  /** The cause of the entry, for example `grant:contract-7`. A repeated reference has no effect. */
  readonly reference: string
  /** A note for people; null if there is none. */
  readonly note: string | null
}

/** One immutable line of the credit ledger. */
export interface CreditTransaction extends CreditEntry {
  readonly transactionId: CreditId
  /** Counts 1, 2, 3 … within each tenant. */
  readonly number: number
  /** The credits after this line. Negative if a purchase was refunded after its credits were used. */
  readonly balance: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The price of one use beyond the plan's cap, in credits. */
export const creditsPerUse: Readonly<Record<CappedKind, number>> = { actions: 1, ai_calls: 1 }

/** The reference already belongs to a different entry. */
export class CreditReferenceTaken extends Data.TaggedError("CreditReferenceTaken")<{
  readonly reference: string
  readonly transactionId: CreditId
}> {}

/** The amount is invalid for its kind. `reason` states the rule. */
export class CreditInvalid extends Data.TaggedError("CreditInvalid")<{
  readonly field: string
  readonly reason: string
}> {}
