import { Data } from "effect"

/** What asking a language model cost. Retries and repairs are in it: every call is paid for. */
export interface ModelUse {
  /** The model that answered, by the provider's name for it. */
  readonly model: string
  readonly calls: number
  /** Tokens read and written, as the provider counts them; 0 where it does not say. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** This server has no language model. */
export class ModelMissing extends Data.TaggedError("ModelMissing")<{}> {}

/** The language model gave no answer that can be used. */
export class ModelFailed extends Data.TaggedError("ModelFailed")<{
  /** For people: what went wrong, without secrets and without what the model said. */
  readonly reason: string
  /** Asking again later may help: a limit, an outage, a time-out. Otherwise the same question fails again. */
  readonly later: boolean
  /** How long the provider asks to be left alone; null: it does not say. */
  readonly retryAfterMillis: number | null
  /** What was spent all the same; null: nothing. */
  readonly use: ModelUse | null
}> {}

/** Whether messages of a tenant may be shown to a model. Those of a HIPAA tenant only where the operator has seen to it. */
export const mayUseModel = (
  { hipaa }: { readonly hipaa: boolean },
  model: { readonly configured: boolean; readonly coversHipaa: boolean }
): boolean => model.configured && (!hipaa || model.coversHipaa)

/** What a language model said, or why it said nothing, kept with the run: whoever replays the run asks nobody. */
export type Recorded<A> =
  | { readonly outcome: "answered"; readonly value: A; readonly use: ModelUse }
  | { readonly outcome: "failed"; readonly reason: string; readonly use: ModelUse | null }
