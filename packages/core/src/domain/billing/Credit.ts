import { Data } from "effect"
import type { CreditId } from "../Id.ts"
import type { CappedKind } from "./Plan.ts"

/**
 * Why credits came or went. `refund`: a use came to nothing and is given back (more), or a purchase was paid back (less).
 */
export const creditKinds = ["grant", "purchase", "use", "refund", "adjustment", "expire"] as const

export type CreditKind = (typeof creditKinds)[number]

/** What somebody books. */
export interface CreditEntry {
  readonly tenantId: string
  readonly kind: CreditKind
  /** Credits that come, or go when below zero; never 0. */
  readonly amount: number
  /** What it is booked for, for example `grant:contract-7`. The same counts once. */
  readonly reference: string
  /** For people; null: none. */
  readonly note: string | null
}

/** A line of the ledger. Lines are never changed. */
export interface CreditTransaction extends CreditEntry {
  readonly transactionId: CreditId
  /** 1, 2, 3 … in each tenant. */
  readonly number: number
  /** Credits after it. Below zero where what was used has been paid back. */
  readonly balance: number
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** What one use beyond the plan's cap costs, in credits. */
export const creditsPerUse: Readonly<Record<CappedKind, number>> = { actions: 1, ai_calls: 1 }

/** Something else has been booked for this. */
export class CreditReferenceTaken extends Data.TaggedError("CreditReferenceTaken")<{
  readonly reference: string
  readonly transactionId: CreditId
}> {}

/** The amount does not go with its kind; `reason` says what does. */
export class CreditInvalid extends Data.TaggedError("CreditInvalid")<{
  readonly field: string
  readonly reason: string
}> {}
