import { Effect, Option, Schema } from "effect"

/** A value of a provider that promises little: null where it is null or of another kind. */
const orNull = <S extends Schema.Constraint>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.catchDecoding(() => Effect.succeed(Option.some(null))))

/** A field that may be absent, null or of another kind: all the same. What else an answer holds is ignored. */
export const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(orNull(schema))

/** Such a field that is a list, of which an item may be of another kind. */
export const listOf = <S extends Schema.Constraint>(schema: S) => maybe(Schema.Array(orNull(schema)))
