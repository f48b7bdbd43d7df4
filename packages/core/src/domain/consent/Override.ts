import { Schema } from "effect"

/** The reasons for a denial that a permitted person may override for one message. */
export const overridableReasons = ["undeliverable"] as const

export type OverridableReason = (typeof overridableReasons)[number]

/**
 * A person's override for one message. It is stored with the send, so it also applies to later attempts of the same
 * send.
 */
export interface SendOverride {
  readonly reasons: ReadonlyArray<OverridableReason>
  /** The name of the principal, from `principalName`, for the audit record of the send. */
  readonly by: string
}

const Kept = Schema.Struct({
  override: Schema.Struct({ reasons: Schema.Array(Schema.Literals(overridableReasons)), by: Schema.String })
})

const isKept = Schema.is(Kept)

/** Returns the metadata that records an override, for readers of the conversation. */
export const overrideNote = (override: SendOverride | null | undefined): Readonly<Record<string, unknown>> =>
  override === null || override === undefined ? {} : { override: { reasons: override.reasons, by: override.by } }

/** Returns the override from the metadata of an outbound message; null if there is none. */
export const overrideIn = (metadata: Readonly<Record<string, unknown>>): SendOverride | null =>
  isKept(metadata) ? metadata.override : null
