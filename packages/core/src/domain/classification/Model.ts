import { TaggedError } from "../TaggedError.ts"

/**
 * The use of a language model for one answer. It includes retries and repairs, because the provider charges for every
 * call.
 */
export interface ModelUse {
  /** The provider's name of the model. */
  readonly model: string
  readonly calls: number
  /** Tokens as counted by the provider; 0 if it reports none. */
  readonly inputTokens: number
  readonly outputTokens: number
}

/** No language model is configured. */
export class ModelMissing extends TaggedError("ModelMissing")<{}> {}

/** The language model returned no usable answer. */
export class ModelFailed extends TaggedError("ModelFailed")<{
  /** The cause, for people. Contains no secrets and no output of the model. */
  readonly reason: string
  /** True if a later retry may succeed, for example after a rate limit, an outage or a timeout. */
  readonly later: boolean
  /** The provider's requested delay before a retry; null if it sets none. */
  readonly retryAfterMillis: number | null
  /** The use of the failed request; null if no call was made. */
  readonly use: ModelUse | null
}> {}

/**
 * Returns whether messages of a tenant may be sent to a language model. For a HIPAA tenant, the operator must allow it.
 */
export const mayUseModel = (
  { hipaa }: { readonly hipaa: boolean },
  model: { readonly configured: boolean; readonly coversHipaa: boolean }
): boolean => model.configured && (!hipaa || model.coversHipaa)

/**
 * The recorded answer of a language model, or its failure. A replay of the run uses the record instead of the model.
 */
export type Recorded<A> =
  | { readonly outcome: "answered"; readonly value: A; readonly use: ModelUse }
  | { readonly outcome: "failed"; readonly reason: string; readonly use: ModelUse | null }
