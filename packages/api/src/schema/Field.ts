import { channels } from "@leadloom/core/domain/Channel"
import { Schema } from "effect"

/** ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
export const Timestamp = Schema.String.annotate({
  description: "ISO 8601, UTC, milliseconds",
  format: "date-time",
  examples: ["2026-03-01T09:30:00.000Z"]
})

/** A date, or a date and a time with or without its offset from UTC. */
const isoPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/iu

/**
 * An ISO 8601 time in epoch milliseconds; NaN when it is none. Without an offset it is UTC here, whatever the machine's
 * own zone.
 */
export const millisOf = (text: string): number => {
  const match = isoPattern.exec(text)
  if (match === null) return Number.NaN
  const [spelled, offset] = match
  return Date.parse(spelled.length === 10 || offset !== undefined ? spelled : `${spelled}Z`)
}

/** A time that a client gives, to be read with `millisOf`. */
export const Time = Schema.String.check(
  Schema.makeFilter((text) => !Number.isNaN(millisOf(text)), { message: "Expected an ISO 8601 time" })
).annotate({ description: "ISO 8601; UTC where it names no offset", examples: ["2026-03-01T09:30:00.000Z"] })

/** How a message travels. */
export const Channel = Schema.Literals(channels).annotate({
  identifier: "Channel",
  message: `Expected one of ${channels.join(", ")}`
})

/** The tenant of the path. */
export const TenantPath = { tenant_id: Schema.String }

/** How deep a free-form object may nest. What walks it, `JSON.stringify` for one, does so on the stack. */
export const metadataLevels = 32

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => fits(inner, levels - 1)))

/** Makes a POST safe to repeat: the same key and body receive the first response again, another body 409. */
export const IdempotencyKey = {
  "idempotency-key": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description:
      "Makes the request safe to repeat, for 24 hours: the same key and body receive the first response again, with " +
      "Idempotent-Replayed: true; another body is refused with 409 IDEMPOTENCY_CONFLICT, and a request that is still " +
      "under way with 409 IDEMPOTENCY_IN_PROGRESS. At most 255 characters"
  })
}

/** A free-form object. */
export const Metadata = Schema.Record(Schema.String, Schema.Unknown).check(
  Schema.makeFilter((value) => fits(value, metadataLevels), {
    message: `Expected at most ${metadataLevels} levels of nesting`
  })
)

/** A text of at least one and at most `maximum` characters. */
export const text = (maximum: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maximum))

/** Lets through what it does not know: senders outside our control add fields of their own. */
export const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)])

/** Milliseconds since the epoch in the form of `Timestamp`. */
export const isoTime = (millis: number): string => new Date(millis).toISOString()
