import { Schema, SchemaAST } from "effect"

/**
 * The schema of times in epoch milliseconds. It has its own TypeScript type, so the types of derived schemas also show
 * which fields are times.
 */
export interface Time extends Schema.Finite {
  readonly Rebuild: Time
  readonly epochMillis: true
}

/** Epoch milliseconds within the range of a JavaScript `Date`. */
export const Time: Time = Schema.make<Time>(
  Schema.Finite.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 })).annotate({ epochMillis: true }).ast,
  { epochMillis: true }
)

/** The name of a user at the time of an action. Records of actions keep it, because a user may be renamed later. */
export const UserName = Schema.NullOr(Schema.String).annotate({
  description: "The name of this user at that time; null: no user, or stored by an earlier version"
})

/** Returns whether a schema is `Time`, with or without further annotations. */
export const isTime = (ast: SchemaAST.AST): boolean => SchemaAST.resolve(ast)?.["epochMillis"] === true

/**
 * Creates the schema of a field whose JSON is not checked. The field contains only JSON that this program has written,
 * so its rows are not decoded. Such a field cannot be part of an archive, because archives are untrusted input.
 */
export const unchecked = <A>(): Schema.Codec<A> => Schema.make<Schema.Codec<A>>(Schema.Unknown.ast)

/** Returns whether a field has the annotation `secret`: no client may see it. */
export const isSecret = (schema: FieldSchema | undefined): boolean =>
  schema !== undefined && SchemaAST.resolve(schema.ast)?.["secret"] === true

/** The schema of a field. */
export type FieldSchema = Schema.ConstraintDecoder<unknown>

/** A noun: a struct schema, whose fields determine its row, its line in archives and its wire format. */
export interface Noun {
  readonly fields: Readonly<Record<string, FieldSchema>>
  readonly Type: object
}

/** The name of a field of a noun. */
export type FieldOf<N extends Noun> = keyof N["Type"] & keyof N["fields"] & string

/** Returns the names of a noun's fields, in the order of their declaration. */
export const fieldNames = <N extends Noun>(noun: N): ReadonlyArray<FieldOf<N>> => {
  const isField = (name: string): name is FieldOf<N> => Object.hasOwn(noun.fields, name)
  return Object.keys(noun.fields).filter(isField)
}

/** Separates the null of a nullable schema: returns the schema without null, and whether the schema allows null. */
export const nullable = (ast: SchemaAST.AST): { readonly ast: SchemaAST.AST; readonly isNullable: boolean } => {
  if (!SchemaAST.isUnion(ast)) return { ast, isNullable: false }
  const [one, ...more] = ast.types.filter((type) => !SchemaAST.isNull(type))
  if (one === undefined || one === ast) return { ast, isNullable: true }
  const isNullable = ast.types.some(SchemaAST.isNull)
  return { ast: more.length === 0 ? one : ast, isNullable }
}

/** The snake case of a camel-case name. */
export type SnakeCase<Text extends string> = Text extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Text

/** Returns a camel-case name in snake case. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
