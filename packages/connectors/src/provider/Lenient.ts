import { Effect, Option, Schema } from "effect"

/** A provider value that may be missing or have another type; then it is null. */
const orNull = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(null))))

/** A field that may be absent, null or of another type. Additional fields are ignored. */
export const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(orNull(schema))

/** Like `maybe`, for a list whose items may have another type. */
export const listOf = <S extends Schema.Constraint>(schema: S) => maybe(Schema.Array(orNull(schema)))
