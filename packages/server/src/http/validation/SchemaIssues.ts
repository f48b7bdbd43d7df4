import { type Issue, maxIssues, shorten, shortenIssues } from "@leadloom/api/internal/Echo"
import { closestName } from "@leadloom/core/internal/domain/text/ClosestName"
import { SchemaAST, type SchemaIssue } from "effect"
import { type Found, foundIn, unknownField } from "./UnionIssues.ts"

/** The maximum number of unknown fields of one object that an error names. Further unknown fields are only counted. */
const maxUnknownNamed = 3

/** The maximum number of fields of an object that an error about an unknown field lists. */
const maxFieldsNamed = 10

const dotted = (path: ReadonlyArray<string>): string => path.map((step) => shorten(step)).join(".")

const inside = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : null),
    value
  )

/** Adds the name that the author of the value probably meant. */
const withSuggestion = ({ isUnknownField, message, names, path }: Found, value: unknown): string => {
  const given = isUnknownField ? path.at(-1) : inside(value, path)
  const closest = typeof given === "string" ? closestName(given, names) : null
  if (closest !== null) return `${message.replace(/\.?$/u, ".")} Did you mean ${closest}?`
  return isUnknownField && names.length > 0 && names.length <= maxFieldsNamed
    ? `${message} Use one of ${names.join(", ")}.`
    : message
}

/** Lists issues. Of the unknown fields of one object, the first ones are named and the others are counted. */
const listed = (all: ReadonlyArray<Found>, value: unknown): ReadonlyArray<Issue> => {
  const unknown = new Map<string, number>()
  const issues: Array<Issue> = []
  for (const found of all) {
    const { isUnknownField, path } = found
    if (isUnknownField) {
      const parent = dotted(path.slice(0, -1))
      const count = (unknown.get(parent) ?? 0) + 1
      unknown.set(parent, count)
      if (count > maxUnknownNamed) continue
    }
    // The search for a similar name takes time, so only the issues that the response contains have one.
    const message = issues.length < maxIssues ? withSuggestion(found, value) : found.message
    issues.push({ path: dotted(path), message })
  }
  const counts = [...unknown].flatMap(([path, count]) => unnamed(path, count - maxUnknownNamed))
  return shortenIssues([...counts, ...issues])
}

/** Returns an issue that states the number of unnamed unknown fields. */
const unnamed = (path: string, count: number): ReadonlyArray<Issue> =>
  count <= 0 ? [] : [{ path, message: `${count} more unknown fields.` }]

/**
 * Lists the issues that a schema found in a value, up to the limit of one response. Of the members of a union, only the
 * closest one is reported. Without the value, no similar values are suggested.
 */
export const fieldIssues = (found: SchemaIssue.Issue, value?: unknown): ReadonlyArray<Issue> =>
  listed(foundIn(found), value)

/** Returns the fields of an object that its schema does not contain. */
export const unknownFields = (
  value: unknown,
  fields: ReadonlySet<string>
): { readonly named: ReadonlyArray<string>; readonly count: number } => {
  const named: Array<string> = []
  let count = 0
  for (const name of Object.keys(Object(value))) {
    if (fields.has(name)) continue
    count++
    if (named.length < maxUnknownNamed) named.push(name)
  }
  return { named, count }
}

/** Returns the unknown fields of one object as issues. */
export const unknownFieldIssues = (path: string, value: unknown, fields: ReadonlySet<string>): ReadonlyArray<Issue> => {
  const { count, named } = unknownFields(value, fields)
  if (count === 0) return []
  const before = path === "" ? "" : `${path}.`
  return shortenIssues([
    ...unnamed(path, count - named.length),
    ...named.map((name) => ({ path: `${before}${shorten(name)}`, message: unknownField }))
  ])
}

/** Returns the field names of an object schema; null if it permits any field or is not an object schema. */
export const fieldsOf = (ast: SchemaAST.AST): ReadonlySet<string> | null =>
  SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0
    ? new Set(ast.propertySignatures.map(({ name }) => String(name)))
    : null

/** Returns the path of the unknown field at which decoding stopped; null if decoding stopped for another reason. */
const stoppedAtUnknown = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>
): { readonly ast: SchemaAST.AST; readonly path: ReadonlyArray<PropertyKey> } | null => {
  switch (issue._tag) {
    case "Pointer":
      return stoppedAtUnknown(issue.issue, [...path, ...issue.path])
    case "Filter":
    case "Encoding":
      return stoppedAtUnknown(issue.issue, path)
    case "Composite":
    case "AnyOf": {
      // If several members of a union failed, the intended member is unknown.
      const [only, ...others] = issue.issues
      return only === undefined || others.length > 0 ? null : stoppedAtUnknown(only, path)
    }
    case "UnexpectedKey":
      return { ast: issue.ast, path }
    default:
      return null
  }
}

/**
 * Returns the issue at which decoding of a large value stopped; for a union, that of the closest member. Also counts
 * the other unknown fields of the same object. This is cheap, because only the field names are read.
 */
export const firstIssue = (found: SchemaIssue.Issue, value: unknown): ReadonlyArray<Issue> => {
  const stopped = stoppedAtUnknown(found, [])
  const fields = stopped === null ? null : fieldsOf(stopped.ast)
  if (stopped === null || fields === null) return fieldIssues(found, value)
  const parent = stopped.path.slice(0, -1)
  return unknownFieldIssues(dotted(parent.map(String)), inside(value, parent), fields)
}
