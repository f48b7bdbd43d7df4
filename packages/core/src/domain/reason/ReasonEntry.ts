import { Schema } from "effect"

/** The outcome of a step of a run. */
export type StepOutcome = "done" | "skipped" | "suppressed" | "failed"

/** The parameters of a reason. */
export type ReasonFields = Readonly<Record<string, Schema.Codec<unknown>>>

/** The definition of one reason: its parameters, its text, and the outcome that it gives to a step. */
export interface ReasonEntry<F extends ReasonFields> {
  readonly fields: F
  readonly text: (of: Schema.Struct<F>["Type"]) => string
  readonly outcome: StepOutcome
}

/** Defines a reason. `outcome` is `done` for a reason that alone does not end a step. */
export const reason = <const F extends ReasonFields>(
  fields: F,
  text: ReasonEntry<F>["text"] | string,
  outcome: StepOutcome = "done"
): ReasonEntry<F> => ({
  fields,
  text: typeof text === "string" ? () => text : text,
  outcome
})

/** The type of the reasons of a table: a union that is tagged with `code`. */
export type ReasonOf<T extends Readonly<Record<string, { readonly fields: ReasonFields }>>> = {
  readonly [C in keyof T]: { readonly code: C } & Schema.Struct<T[C]["fields"]>["Type"]
}[keyof T]

export const text = Schema.String
export const textOrNull = Schema.NullOr(text)
export const count = Schema.Finite
/** Epoch milliseconds within the range of a JavaScript `Date`. */
export const time = Schema.Finite.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 }))
