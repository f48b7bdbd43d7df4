import { Schema } from "effect"
import { type FieldOf, fieldNames, type Noun, snakeCase, type SnakeCase } from "./Field.ts"
import { isObject } from "./text/Json.ts"

type Values = Readonly<Record<string, unknown>>

/** Settings inside of settings. */
interface Part<A> {
  readonly schema: Schema.Constraint
  readonly toJson: (settings: A) => unknown
  readonly fromJson: (json: never) => A
  readonly complete: (saved: never) => A
}

/** The defaults of settings, and the differences from their JSON. */
export interface SettingsOptions<N extends Noun> {
  /** The description of the JSON in the API. */
  readonly description?: string
  readonly defaults: N["Type"]
  /** The fields that a request may omit. An omitted field gets its default. */
  readonly optional?: ReadonlyArray<FieldOf<N>>
  /** Names other than the field's name in snake case. */
  readonly names?: { readonly [F in FieldOf<N>]?: string }
  /** The fields that are settings themselves. */
  readonly parts?: { readonly [F in FieldOf<N>]?: Part<N["Type"][F]> }
}

type NameOf<Field extends string, O> = O extends {
  readonly names: { readonly [F in Field]: infer Name extends string }
}
  ? Name
  : SnakeCase<Field>

type SchemaOf<N extends Noun, O, Field extends FieldOf<N>> = O extends {
  readonly parts: { readonly [F in Field]: { readonly schema: infer Given extends Schema.Constraint } }
}
  ? Given
  : N["fields"][Field]

type JsonFields<N extends Noun, O> = {
  readonly [Field in FieldOf<N> as NameOf<Field, O>]: O extends { readonly optional: ReadonlyArray<infer Optional> }
    ? Field extends Optional
      ? Schema.optionalKey<SchemaOf<N, O, Field>>
      : SchemaOf<N, O, Field>
    : SchemaOf<N, O, Field>
}

/** A noun that a client reads and writes as a whole, and that this program stores as JSON. */
export interface Settings<A, Fields extends Schema.Struct.Fields> {
  readonly defaults: A
  /** The schema of the JSON of requests and responses. */
  readonly schema: Schema.Struct<Fields>
  readonly toJson: (settings: A) => Schema.Struct.Type<Fields>
  /** Converts decoded JSON. Omitted fields get their defaults. */
  readonly fromJson: (json: Schema.Struct.Type<Fields>) => A
  /** Completes settings that any version of this software has stored. Missing fields get their defaults. */
  readonly complete: (saved: Partial<A>) => A
}

/** `Part` for the implementation, which reads fields by name. */
interface OpenPart {
  readonly schema: Schema.Constraint
  readonly toJson: (settings: Values) => unknown
  readonly fromJson: (json: Values) => unknown
  readonly complete: (saved: Values) => unknown
}

/** Derives the JSON of settings from their schema: names in snake case, values as they are. */
export function settings<N extends Noun, const O extends SettingsOptions<N>>(
  noun: N,
  identifier: string,
  options: O
): Settings<N["Type"], JsonFields<N, O>>
export function settings(
  noun: Noun,
  identifier: string,
  options: {
    readonly description?: string
    readonly defaults: Values
    readonly optional?: ReadonlyArray<string>
    readonly names?: Readonly<Record<string, string>>
    readonly parts?: Readonly<Record<string, OpenPart>>
  }
): Settings<Values, Schema.Struct.Fields> {
  const { defaults, description, names = {}, optional = [], parts = {} } = options
  const fields = fieldNames(noun).flatMap((field: string) => {
    const schema = parts[field]?.schema ?? noun.fields[field]
    if (schema === undefined) return []
    const shown = optional.includes(field) ? Schema.optionalKey(Schema.make<Schema.Top>(schema.ast)) : schema
    return [{ field, key: names[field] ?? snakeCase(field), schema: shown, part: parts[field] ?? null }]
  })
  const parted = fields.flatMap(({ field, part }) => (part === null ? [] : [{ field, part }]))
  const about = description === undefined ? { identifier } : { identifier, description }
  // Copies have all keys from the start, so that engines give all of them one shape.
  const empty = Object.fromEntries(fields.map(({ key }) => [key, null]))
  return {
    defaults,
    schema: Schema.Struct(Object.fromEntries(fields.map(({ key, schema }) => [key, schema]))).annotate(about),
    toJson: (record) => {
      const json: Record<string, unknown> = { ...empty }
      for (const { field, key, part } of fields) {
        const value = record[field]
        json[key] = part !== null && isObject(value) ? part.toJson(value) : value
      }
      return json
    },
    fromJson: (json) => {
      const record: Record<string, unknown> = { ...defaults }
      for (const { field, key, part } of fields) {
        const value = json[key]
        if (value !== undefined) record[field] = part !== null && isObject(value) ? part.fromJson(value) : value
      }
      return record
    },
    complete: (saved) => {
      const record: Record<string, unknown> = { ...defaults, ...saved }
      for (const { field, part } of parted) {
        const value = saved[field]
        if (isObject(value)) record[field] = part.complete(value)
      }
      return record
    }
  }
}
