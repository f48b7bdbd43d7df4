import { type Issue, shorten, shortenIssues } from "@leadloom/api/Echo"
import { SchemaAST, SchemaIssue } from "effect"

/** The maximum number of unknown fields of one object that an error names. Further unknown fields are only counted. */
const maxUnknownNamed = 3

const unknownField = "Unknown field."

/** Replaces messages of the schema library by messages that API users understand. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "This field is required."
  if (issue._tag === "UnexpectedKey") return unknownField
  return SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

interface Found {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

const dotted = (path: ReadonlyArray<string>): string => path.map((step) => shorten(step)).join(".")

/** Lists issues. Of the unknown fields of one object, the first ones are named and the others are counted. */
const listed = (all: ReadonlyArray<Found>): ReadonlyArray<Issue> => {
  const unknown = new Map<string, Set<string>>()
  const issues: Array<Issue> = []
  for (const { message, path } of all) {
    if (message === unknownField) {
      const parent = dotted(path.slice(0, -1))
      const names = unknown.get(parent) ?? new Set()
      const before = names.size
      unknown.set(parent, names.add(path.at(-1) ?? ""))
      // Each member of a union reports the same unknown field, so repetitions are skipped.
      if (names.size === before || names.size > maxUnknownNamed) continue
    }
    issues.push({ path: dotted(path), message })
  }
  const counts = [...unknown].flatMap(([path, names]) => unnamed(path, names.size - maxUnknownNamed))
  return shortenIssues([...counts, ...issues])
}

/** Returns an issue that states the number of unnamed unknown fields. */
const unnamed = (path: string, count: number): ReadonlyArray<Issue> =>
  count <= 0 ? [] : [{ path, message: `${count} more unknown fields.` }]

/** Lists the issues that a schema found, up to the limit of one response. */
export const fieldIssues = (found: SchemaIssue.Issue): ReadonlyArray<Issue> =>
  listed(
    format(found).issues.map(({ message, path = [] }) => ({
      path: path.map((step) => String(typeof step === "object" ? step.key : step)),
      message
    }))
  )

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

const inside = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : null),
    value
  )

/**
 * Returns the issue at which decoding of a large value stopped; for a union, one issue per member. Also counts the
 * other unknown fields of the same object. This is cheap, because only the field names are read.
 */
export const firstIssue = (found: SchemaIssue.Issue, value: unknown): ReadonlyArray<Issue> => {
  const stopped = stoppedAtUnknown(found, [])
  const fields = stopped === null ? null : fieldsOf(stopped.ast)
  if (stopped === null || fields === null) return fieldIssues(found)
  const parent = stopped.path.slice(0, -1)
  return unknownFieldIssues(dotted(parent.map(String)), inside(value, parent), fields)
}
