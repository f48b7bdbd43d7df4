// Wire schemas that several endpoint groups share. A schema that only one group uses belongs in the file of the group.
// Tests: `packages/api/test`.
import { channels } from "@leadloom/core/domain/Channel"
import { Schema } from "effect"

/** ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`. */
export const Timestamp = Schema.String.annotate({
  description: "ISO 8601 in UTC with milliseconds",
  format: "date-time",
  examples: ["2026-03-01T09:30:00.000Z"]
})

/** A date, or a date and a time with an optional offset from UTC. */
const isoPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/iu

/**
 * Returns an ISO 8601 time in epoch milliseconds, or NaN for an invalid time. A time without an offset is UTC,
 * regardless of the server's time zone.
 */
export const millisOf = (text: string): number => {
  const match = isoPattern.exec(text)
  if (match === null) return Number.NaN
  const [spelled, offset] = match
  return Date.parse(spelled.length === 10 || offset !== undefined ? spelled : `${spelled}Z`)
}

/** A time in a request, read with `millisOf`. */
export const Time = Schema.String.check(
  Schema.makeFilter((text) => !Number.isNaN(millisOf(text)), { message: "Expected an ISO 8601 time" })
).annotate({ description: "ISO 8601; a time without an offset is UTC", examples: ["2026-03-01T09:30:00.000Z"] })

export const Channel = Schema.Literals(channels).annotate({
  identifier: "Channel",
  message: `Expected one of ${channels.join(", ")}`
})

export const TenantPath = { tenant_id: Schema.String }

/**
 * The maximum nesting depth of a free-form object. The limit protects the stack: recursive functions such as
 * `JSON.stringify` use more of it for each level.
 */
export const metadataLevels = 32

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => fits(inner, levels - 1)))

/**
 * Makes a POST safe to repeat. A repetition with the same key and body receives the first response again. A repetition
 * with another body receives 409.
 */
export const IdempotencyKey = {
  "idempotency-key": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description:
      "Makes the request safe to repeat for 24 hours. A repetition with the same key and body receives the first response again, with" +
      "Idempotent-Replayed: true. A repetition with another body receives 409 IDEMPOTENCY_CONFLICT. A repetition during the first" +
      "request receives 409 IDEMPOTENCY_IN_PROGRESS. At most 255 characters"
  })
}

export const Metadata = Schema.Record(Schema.String, Schema.Unknown).check(
  Schema.makeFilter((value) => fits(value, metadataLevels), {
    message: `Expected at most ${metadataLevels} levels of nesting`
  })
)

/** Returns the schema of a text with 1 to `maximum` characters. */
export const text = (maximum: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maximum))

/**
 * Returns the schema of an object that accepts additional fields, because external senders may add fields of their own.
 */
export const open = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)])

/** Formats epoch milliseconds as a `Timestamp`. */
export const isoTime = (millis: number): string => new Date(millis).toISOString()
