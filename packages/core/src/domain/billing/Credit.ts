import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { CreditId } from "../Id.ts"
import type { CappedKind } from "./Plan.ts"
import { Time } from "../Field.ts"

/**
 * The kinds of credit entries. A positive `refund` returns the credits of a failed use. A negative `refund` removes
 * credits after the refund of a purchase.
 */
export const creditKinds = ["grant", "purchase", "use", "refund", "adjustment", "expire"] as const

export type CreditKind = (typeof creditKinds)[number]

/** A new entry of the credit ledger. */
export class CreditEntry extends Schema.Opaque<CreditEntry>()(
  Schema.Struct({
    tenantId: Schema.String,
    kind: Schema.Literals(creditKinds).annotate({
      description:
        "The cause: `grant`, `adjustment` and `expire` by the operator, `purchase` and `refund` by a payment, `use` by an action or a model call beyond the plan"
    }),
    /** Positive adds credits, negative removes them; never 0. */
    amount: Schema.Int,
    /** The cause of the entry, for example `grant:contract-7`. A second entry with the same reference has no effect. */
    reference: Schema.String,
    note: Schema.NullOr(Schema.String).annotate({ description: "A note for people; null if there is none" })
  })
) {}

/** One immutable line of the credit ledger. */
export class CreditTransaction extends Schema.Opaque<CreditTransaction>()(
  Schema.Struct({
    ...CreditEntry.fields,
    transactionId: CreditId.annotate({ description: "Id of the transaction" }),
    /** Counts 1, 2, 3 … within each tenant. */
    number: Schema.Int,
    balance: Schema.Int.annotate({ description: "The balance after the transaction" }),
    createdAt: Time.annotate({ description: "The time of the transaction (ISO 8601 in UTC)" })
  })
) {}

/** The price of one use beyond the plan's cap, in credits. */
export const creditsPerUse: Readonly<Record<CappedKind, number>> = { actions: 1, ai_calls: 1 }

/** A different entry already has this reference. */
export class CreditReferenceTaken extends TaggedError("CreditReferenceTaken")<{
  readonly reference: string
  readonly transactionId: CreditId
}> {}

/** The amount is not allowed for the kind of entry. `reason` states the rule. */
export class CreditInvalid extends TaggedError("CreditInvalid")<{
  readonly field: string
  readonly reason: string
}> {}
