// Wire schemas that several endpoint groups share. A schema that only one group uses belongs in the file of the group.
// Tests: `packages/api/test`.
import { channels } from "@leadloom/core/internal/domain/Channel"
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

/**
 * Annotations of a check that JSON Schema cannot state. Without them, the framework drops the description of a schema
 * whose last check is such a check.
 */
export const unstated = { toJsonSchema: () => ({}) }

/** A time in a request, read with `millisOf`. */
export const Time = Schema.String.check(
  Schema.makeFilter((text) => !Number.isNaN(millisOf(text)), { ...unstated, message: "Expected an ISO 8601 time" })
).annotate({ description: "ISO 8601; a time without an offset is UTC", examples: ["2026-03-01T09:30:00.000Z"] })

export const Channel = Schema.Literals(channels).annotate({
  identifier: "Channel",
  description: "The channel of a message. `webhook`: forms, custom events and requests of partner applications",
  message: `Expected one of ${channels.join(", ")}`
})

export const TenantPath = {
  tenant_id: Schema.String.annotate({
    description:
      "The id of the tenant. A credential reaches only its own tenants; another tenant's data is reported as not found"
  })
}

/** The position in a list that is read page by page. */
export const cursor = Schema.optionalKey(Schema.String).annotate({
  description:
    "The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400"
})

/** The query of a list that is complete unless the request sets a limit. */
export const optionalPage = {
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 250 }))).annotate({
    description: "The entries per page, 1 to 250. Default: all entries on one page"
  }),
  cursor
}

/** The position after a page. */
export const nextCursor = Schema.NullOr(Schema.String).annotate({
  description: "Send this value as `cursor` to read the next page; null: this is the last page"
})

/** Returns the schema of the number of entries per page. The handler applies the default. */
export const pageSize = (maximum: number, defaultSize: number) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))).annotate({
    description: `The entries per page, 1 to ${maximum}. Default: ${defaultSize}`
  })

/**
 * The maximum nesting depth of a free-form object. The limit protects the stack: recursive functions such as
 * `JSON.stringify` use more of it for each level.
 */
export const metadataLevels = 32

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => fits(inner, levels - 1)))

/** The version on which a change is based, as an `ETag`. */
export const IfMatch = {
  "if-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description:
      "The ETag of the version that the caller has read. If the server has a newer version, the status is 412"
  })
}

/**
 * Makes a POST safe to repeat. A repetition with the same key and body receives the first response again. A repetition
 * with another body receives 409.
 */
export const IdempotencyKey = {
  "idempotency-key": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description:
      "Makes the request safe to repeat for 24 hours. A repetition with the same key and body receives the first response again, with " +
      "Idempotent-Replayed: true. A repetition with another body receives 409 IDEMPOTENCY_CONFLICT. A repetition during the first " +
      "request receives 409 IDEMPOTENCY_IN_PROGRESS. At most 255 characters"
  })
}

export const Metadata = Schema.Record(Schema.String, Schema.Unknown).check(
  Schema.makeFilter((value) => fits(value, metadataLevels), {
    ...unstated,
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

const dayMillis = 86_400_000

/** The last time that a `Date` can have. */
const maxTime = 8.64e15

const digits = (value: number, length: number): string => String(value).padStart(length, "0")

const minutes = Array.from({ length: 1_440 }, (_, at) => `${digits(Math.floor(at / 60), 2)}:${digits(at % 60, 2)}:`)
const seconds = Array.from({ length: 60 }, (_, at) => `${digits(at, 2)}.`)
const millis = Array.from({ length: 1_000 }, (_, at) => `${digits(at, 3)}Z`)

/** The days that were formatted last, at their number modulo 512. */
const days: Array<{ readonly day: number; readonly text: string }> = []

/** Returns the date of a day after 1970-01-01, with the separator `T`. */
const dateOf = (day: number): string => {
  const place = day & 511
  const known = days[place]
  if (known?.day === day) return known.text
  const text = new Date(day * dayMillis).toISOString().slice(0, -"00:00:00.000Z".length)
  days[place] = { day, text }
  return text
}

/**
 * Formats epoch milliseconds as a `Timestamp`, like `Date.toISOString`. That takes ten times as long, and without the
 * tables it is most of the work for a record with several times.
 */
export const isoTime = (time: number): string => {
  if (!Number.isInteger(time) || time > maxTime) return new Date(time).toISOString()
  const day = Math.floor(time / dayMillis)
  const ofDay = time - day * dayMillis
  const second = Math.floor(ofDay / 1_000)
  const date = dateOf(day)
  return `${date}${minutes[Math.floor(second / 60)]}${seconds[second % 60]}${millis[ofDay - second * 1_000]}`
}
