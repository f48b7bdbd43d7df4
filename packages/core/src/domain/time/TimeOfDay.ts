import { Schema } from "effect"

/** A time of day, `HH:MM`. */
export const TimeOfDay = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a time like 09:30" })
)
