import {
  type FieldOf,
  fieldNames,
  isSecret,
  isTime,
  type Noun,
  nullable,
  snakeCase,
  type SnakeCase,
  type Time
} from "@leadloom/core/internal/domain/Field"
import { Schema, SchemaAST } from "effect"
import { isoTime, millisOf, Time as RequestTime, Timestamp } from "./Field.ts"

/** The schema of a field in JSON. Times become `At`, and ids become strings. */
type WireField<S, At> = S extends Time
  ? At
  : S extends Schema.NullOr<infer Inner>
    ? WireField<Inner, At> extends infer Wire extends Schema.Constraint
      ? Schema.NullOr<Wire>
      : never
    : S extends { readonly parts: ReadonlyArray<unknown> }
      ? Schema.String
      : S

const wireAst = (ast: SchemaAST.AST, time: Schema.Constraint, isRequest: boolean): Schema.Constraint | null => {
  if (isTime(ast)) return time
  if (SchemaAST.isTemplateLiteral(ast)) return Schema.String
  // Only requests are checked against length limits, because a stored value may be older than the limit.
  return SchemaAST.isString(ast) && !isRequest && ast.checks !== undefined ? Schema.String : null
}

/** Returns the schema of a field in JSON, with its description. */
const wireField = (field: Schema.Constraint, time: Schema.Constraint, isRequest: boolean): Schema.Constraint => {
  const { ast, isNullable } = nullable(field.ast)
  const wire = wireAst(ast, time, isRequest)
  if (wire === null) return field
  const description = SchemaAST.resolveDescription(field.ast)
  const schema = Schema.make<Schema.Top>((isNullable ? Schema.NullOr(wire) : wire).ast)
  return description === undefined ? schema : schema.annotate({ description })
}

/** Gives a replaced schema the description of the field. A named schema and a described one keep their own. */
const likeField = (replaced: Schema.Constraint, field: Schema.Constraint): Schema.Constraint => {
  const description = SchemaAST.resolveDescription(field.ast)
  const isDescribed = SchemaAST.resolveDescription(replaced.ast) !== undefined
  const isNamed = SchemaAST.resolveIdentifier(replaced.ast) !== undefined
  if (description === undefined || isDescribed || isNamed) return replaced
  return Schema.make<Schema.Top>(replaced.ast).annotate({ description })
}

const about = (identifier: string, description: string | undefined) =>
  description === undefined ? { identifier } : { identifier, description }

/** A field of the JSON that is not a field of the noun: its schema, and the function that computes its value. */
export interface Computed<A, S extends Schema.Constraint = Schema.Constraint> {
  readonly schema: S
  readonly of: (record: A) => S["Type"]
}

/** Describes a computed field. */
export const computed = <A, S extends Schema.Constraint>(
  schema: S,
  of: (record: A) => NoInfer<S["Type"]>
): Computed<A, S> => ({ schema, of })

/** Applies a function to a value that is not null. */
export const orNull = <A, B>(value: A | null, map: (value: A) => B): B | null => (value === null ? null : map(value))

/** The differences between a noun and its JSON. A noun is a record type of core's domain. */
export interface WireOptions<Field extends string, A> {
  /** The description of the JSON in the API. */
  readonly description?: string
  /** The field whose name in JSON is `id`. */
  readonly id?: Field
  /** The fields that the JSON contains. Default: all fields. */
  readonly pick?: ReadonlyArray<Field>
  readonly omit?: ReadonlyArray<Field>
  /** The JSON names of fields whose name is not the snake case of the field name. */
  readonly names?: { readonly [F in Field]?: string }
  /** Schemas that replace the derived ones. The encoded value does not change. */
  readonly schemas?: { readonly [F in Field]?: Schema.Constraint }
  /** Further fields of the JSON. */
  readonly computed?: { readonly [key: string]: Computed<A> }
}

type WireName<Field extends string, O> = O extends { readonly id: Field }
  ? "id"
  : O extends { readonly names: { readonly [F in Field]: infer Name extends string } }
    ? Name
    : SnakeCase<Field>

type Listed<O, Key extends string> = O extends { readonly [K in Key]: ReadonlyArray<infer Field> } ? Field : never

type Shown<N extends Noun, O> = O extends { readonly pick: ReadonlyArray<unknown> }
  ? Extract<FieldOf<N>, Listed<O, "pick">>
  : Exclude<FieldOf<N>, Listed<O, "omit">>

type WireSchema<N extends Noun, O, Field extends FieldOf<N>> = O extends {
  readonly schemas: { readonly [F in Field]: infer Given extends Schema.Constraint }
}
  ? Given
  : WireField<N["fields"][Field], typeof Timestamp>

type ComputedFields<O> = O extends { readonly computed: infer C }
  ? { readonly [Key in keyof C]: C[Key] extends { readonly schema: infer S extends Schema.Constraint } ? S : never }
  : unknown

type WireFields<N extends Noun, O> = {
  readonly [Field in Shown<N, O> as WireName<Field, O>]: WireSchema<N, O, Field>
} & ComputedFields<O>

/** The fields that the JSON reads. */
type Read<N extends Noun, O> = O extends { readonly computed: unknown } ? N["Type"] : Pick<N["Type"], Shown<N, O>>

/** The JSON of a noun: its schema, and the function that encodes a record. */
export interface Wire<A, Fields extends Schema.Struct.Fields> {
  readonly schema: Schema.Struct<Fields>
  readonly toJson: (record: A) => Schema.Struct.Type<Fields>
}

/**
 * Derives the JSON of a noun: names in snake case, times as `Timestamp`, everything else as it is. All conversions are
 * chosen here, once. Throws if a noun with secrets does not list its shown fields. `identifier` names the schema in the
 * API. Null means that the schema is part of another schema.
 */
export function wire<N extends Noun, const O extends WireOptions<FieldOf<N>, N["Type"]>>(
  noun: N,
  identifier: string | null,
  options: O
): Wire<Read<N, O>, WireFields<N, O>>
export function wire<N extends Noun>(
  noun: N,
  identifier: string | null,
  {
    computed: more = {},
    description,
    id,
    names = {},
    omit = [],
    pick,
    schemas = {}
  }: WireOptions<FieldOf<N>, N["Type"]>
): Wire<N["Type"], Schema.Struct.Fields> {
  const shown = (pick ?? fieldNames(noun)).filter((field) => !omit.includes(field))
  const secrets = fieldNames(noun).filter((field) => isSecret(noun.fields[field]))
  if (secrets.length > 0 && (pick === undefined || shown.some((field) => secrets.includes(field)))) {
    throw new Error(`${identifier} must list its shown fields, without ${secrets.join(", ")}`)
  }
  const fields = shown.flatMap((field) => {
    const schema = noun.fields[field]
    if (schema === undefined) return []
    const key = field === id ? "id" : (names[field] ?? snakeCase(field))
    return [
      {
        field,
        key,
        schema: schemas[field] === undefined ? wireField(schema, Timestamp, false) : likeField(schemas[field], schema),
        isTime: isTime(nullable(schema.ast).ast)
      }
    ]
  })
  const further = Object.entries(more).map(([key, { of, schema }]) => ({ key, of, schema }))
  const schema = Schema.Struct(Object.fromEntries([...fields, ...further].map(({ key, schema }) => [key, schema])))
  return {
    schema: identifier === null ? schema : schema.annotate(about(identifier, description)),
    toJson: (record: N["Type"]) => {
      // The object starts empty: a copy of a template costs more than the transitions of its shape.
      const json: Record<string, unknown> = {}
      for (const { field, isTime, key } of fields) {
        const value: unknown = record[field]
        json[key] = isTime && typeof value === "number" ? isoTime(value) : value
      }
      for (const { key, of } of further) json[key] = of(record)
      return json
    }
  }
}

/** Describes a field. A named schema keeps its own description, which is the same in all fields. */
const described = (field: Schema.optionalKey<Schema.Top>, description: string): Schema.Constraint =>
  SchemaAST.resolveIdentifier(field.ast) === undefined
    ? field.annotate({ description })
    : field.pipe(Schema.annotateKey({ description }))

/** The fields that a request may set, with their descriptions and schemas where they differ from those of the noun. */
export type Settable<Field extends string> = {
  readonly [F in Field]?: { readonly description?: string; readonly schema?: Schema.Constraint }
}

type SetFields<N extends Noun, S> = {
  readonly [Field in FieldOf<N> & keyof S as SnakeCase<Field>]: S[Field] extends {
    readonly schema: infer Given extends Schema.Constraint
  }
    ? Schema.optionalKey<Given>
    : WireField<N["fields"][Field], typeof RequestTime> extends infer Wire extends Schema.Constraint
      ? Schema.optionalKey<Wire>
      : never
}

/** The value of a field in a request. An id is any string, because the domain checks it later. */
type InputOf<S extends Schema.Constraint> =
  S extends Schema.NullOr<infer Inner>
    ? InputOf<Inner> | null
    : S extends { readonly parts: ReadonlyArray<unknown> }
      ? string
      : S["Type"]

type Changed<N extends Noun, S> = { readonly [Field in FieldOf<N> & keyof S]?: InputOf<N["fields"][Field]> }

/** The JSON of a request that changes a record: its schema, and the function that reads the fields in the request. */
export interface ChangeRequest<Fields extends Schema.Struct.Fields, Changes> {
  readonly schema: Schema.Struct<Fields>
  readonly fromJson: (json: Schema.Struct.Type<Fields>) => Changes
}

/** Derives the JSON of a request that changes some fields of a noun. Every field is optional. */
export function changeRequest<N extends Noun, const S extends Settable<FieldOf<N>>>(
  noun: N,
  identifier: string,
  description: string,
  settable: S
): ChangeRequest<SetFields<N, S>, Changed<N, S>>
export function changeRequest<N extends Noun>(
  noun: N,
  identifier: string,
  description: string,
  settable: Settable<FieldOf<N>>
): ChangeRequest<Schema.Struct.Fields, object> {
  const fields = fieldNames(noun).flatMap((field) => {
    const schema = noun.fields[field]
    const { [field]: given } = settable
    if (schema === undefined || given === undefined) return []
    const { ast } = given.schema ?? wireField(schema, RequestTime, true)
    const optional = Schema.optionalKey(Schema.make<Schema.Top>(ast))
    return [
      {
        field,
        key: snakeCase(field),
        schema: given.description === undefined ? optional : described(optional, given.description),
        isTime: isTime(nullable(schema.ast).ast)
      }
    ]
  })
  return {
    schema: Schema.Struct(Object.fromEntries(fields.map(({ key, schema }) => [key, schema]))).annotate({
      identifier,
      description
    }),
    fromJson: (json) =>
      Object.fromEntries(
        fields.flatMap(({ field, isTime, key }) => {
          const value: unknown = json[key]
          if (value === undefined) return []
          return [[field, isTime && typeof value === "string" ? millisOf(value) : value]]
        })
      )
  }
}
