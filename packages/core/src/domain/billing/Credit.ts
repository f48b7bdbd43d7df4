import { Data, Schema } from "effect"
import { CreditId } from "../Id.ts"
import type { CappedKind } from "./Plan.ts"
import { Time } from "../Field.ts"

/**
 * The kinds of credit entries. `refund` returns credits for a failed use (positive), or removes credits after the
 * refund of a purchase (negative).
 */
export const creditKinds = ["grant", "purchase", "use", "refund", "adjustment", "expire"] as const

export type CreditKind = (typeof creditKinds)[number]

/** A new entry for the credit ledger. */
export class CreditEntry extends Schema.Opaque<CreditEntry>()(
  Schema.Struct({
    tenantId: Schema.String,
    kind: Schema.Literals(creditKinds),
    /** Positive adds credits, negative removes them; never 0. */
    amount: Schema.Int,
    /** The cause of the entry, for example `grant:contract-7`. A repeated reference has no effect. */
    reference: Schema.String,
    /** A note for people; null if there is none. */
    note: Schema.NullOr(Schema.String)
  })
) {}

/** One immutable line of the credit ledger. */
export class CreditTransaction extends Schema.Opaque<CreditTransaction>()(
  Schema.Struct({
    ...CreditEntry.fields,
    transactionId: CreditId,
    /** Counts 1, 2, 3 … within each tenant. */
    number: Schema.Int,
    balance: Schema.Int.annotate({ description: "The balance after the transaction" }),
    createdAt: Time
  })
) {}

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
