import { Schema } from "effect"

/** Reasons against a message that a permitted person may set aside for one message. */
export const overridableReasons = ["undeliverable"] as const

/** A reason against a message that a permitted person may set aside. */
export type OverridableReason = (typeof overridableReasons)[number]

/** What a person sets aside for one message. Kept with the send, so that a later attempt of the same message stands. */
export interface SendOverride {
  readonly reasons: ReadonlyArray<OverridableReason>
  /** Name of the principal (`principalName`): the receipt names the user. */
  readonly by: string
}

const Kept = Schema.Struct({
  override: Schema.Struct({ reasons: Schema.Array(Schema.Literals(overridableReasons)), by: Schema.String })
})

const isKept = Schema.is(Kept)

/** What the metadata of a message says of an override, for whoever reads the conversation later. */
export const overrideNote = (override: SendOverride | null | undefined): Readonly<Record<string, unknown>> =>
  override === null || override === undefined ? {} : { override: { reasons: override.reasons, by: override.by } }

/** The override that the metadata of a message of ours tells of; null: none. */
export const overrideIn = (metadata: Readonly<Record<string, unknown>>): SendOverride | null =>
  isKept(metadata) ? metadata.override : null
