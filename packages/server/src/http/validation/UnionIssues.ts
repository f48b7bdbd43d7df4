/**
 * The issues of one decoding as paths and messages. Of the members of a union, only the closest one is reported,
 * because a person means one of them.
 */
import { closestName } from "@leadloom/core/internal/domain/text/ClosestName"
import { SchemaAST, SchemaIssue } from "effect"

/** An issue with its place, and the value for which a similar name is suggested. */
export interface Found {
  readonly path: ReadonlyArray<string>
  readonly message: string
  readonly isUnknownField: boolean
  /** The names among which a misspelled name or value is searched. */
  readonly names: ReadonlyArray<string>
}

/** The message for a field that the schema does not contain. */
export const unknownField = "Unknown field."

/** Replaces messages of the schema library by messages that API users understand. */
const leafHook: SchemaIssue.LeafHook = (issue) => {
  if (issue._tag === "MissingKey") return "This field is required."
  return issue._tag === "UnexpectedKey" ? unknownField : SchemaIssue.defaultLeafHook(issue)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook })

const stringsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isLiteral(ast) && typeof ast.literal === "string" ? [ast.literal] : []

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

const propertiesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures : []

/** The names that a value or a field name could mean. */
const namesOf = (issue: SchemaIssue.Issue): ReadonlyArray<string> => {
  if (issue._tag === "UnexpectedKey") return propertiesOf(issue.ast).map(({ name }) => String(name))
  return issue._tag === "AnyOf" || issue._tag === "InvalidType" ? membersOf(issue.ast).flatMap(stringsOf) : []
}

const leaf = (issue: SchemaIssue.Issue, path: ReadonlyArray<string>): ReadonlyArray<Found> =>
  format(issue).issues.map((one) => ({
    path: [...path, ...(one.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))],
    message: one.message,
    isUnknownField: issue._tag === "UnexpectedKey",
    names: namesOf(issue)
  }))

/** The field by which the members of a union differ, and its permitted values. */
interface Discriminator {
  readonly name: string
  readonly values: ReadonlyArray<string>
}

const discriminatorOf = (ast: SchemaAST.AST): Discriminator | null => {
  const members = membersOf(ast).map(propertiesOf)
  const [first = []] = members
  for (const { name } of first) {
    const values = members.map((properties) =>
      properties.filter((property) => property.name === name).flatMap(({ type }) => membersOf(type).flatMap(stringsOf))
    )
    const distinct = [...new Set(values.flat())]
    if (values.every(({ length }) => length > 0 && length < distinct.length))
      return { name: String(name), values: distinct }
  }
  return null
}

const oneOf = (values: ReadonlyArray<string>): string => `Expected one of ${values.join(", ")}.`

type Tag = SchemaIssue.Issue["_tag"]

/** Returns the fields of one object with an issue of one of the kinds; without kinds, with any issue. */
const fieldsWith = (issue: SchemaIssue.Issue, ...tags: ReadonlyArray<Tag>): ReadonlyArray<string> => {
  switch (issue._tag) {
    case "Encoding":
      return fieldsWith(issue.issue, ...tags)
    case "Composite":
      return issue.issues.flatMap((inner) => fieldsWith(inner, ...tags))
    case "Pointer":
      return tags.length === 0 || tags.includes(issue.issue._tag) ? issue.path.map(String) : []
    default:
      return []
  }
}

/** The number of fields by which a value differs from a member of a union. A value of another type differs most. */
const distance = (issue: SchemaIssue.Issue): number => {
  switch (issue._tag) {
    case "Encoding":
    case "Filter":
      return distance(issue.issue)
    case "AnyOf":
      return Math.min(Number.POSITIVE_INFINITY, ...issue.issues.map(distance))
    case "InvalidType":
      return Number.POSITIVE_INFINITY
    default:
      return fieldsWith(issue, "MissingKey", "UnexpectedKey").length
  }
}

/** Returns whether an unknown field is probably a misspelled field that is missing. */
const isMisspelled = (issue: SchemaIssue.Issue): boolean => {
  const missing = fieldsWith(issue, "MissingKey")
  const [unknown, ...others] = fieldsWith(issue, "UnexpectedKey")
  return unknown !== undefined && others.length === 0 && closestName(unknown, missing) !== null
}

/** Returns the member that the author of the value probably meant; null if several are equally likely. */
const closestMember = (issues: ReadonlyArray<SchemaIssue.Issue>): SchemaIssue.Issue | null => {
  const distances = issues.map(distance)
  const least = Math.min(...distances)
  const closest = issues.filter((_, index) => distances[index] === least)
  const [only = null] = closest.length === 1 ? closest : closest.filter(isMisspelled)
  return only
}

/** Describes the members of a union of objects by their required fields. */
const describeMembers = (ast: SchemaAST.Union): string | null => {
  const required = membersOf(ast).map((member) =>
    propertiesOf(member).flatMap(({ name, type }) => (type.context?.isOptional === true ? [] : [String(name)]))
  )
  return required.every(({ length }) => length > 0)
    ? `Expected exactly one of these sets of fields: ${required.map((names) => names.join(" + ")).join("; ")}.`
    : null
}

/** Describes the permitted values of a union; null if the schema library describes them better. */
const describeUnion = (ast: SchemaAST.Union): string | null => {
  const values = membersOf(ast).map(stringsOf)
  return values.every(({ length }) => length > 0) ? oneOf(values.flat()) : describeMembers(ast)
}

const ofUnion = (union: SchemaIssue.AnyOf, path: ReadonlyArray<string>): ReadonlyArray<Found> => {
  const { ast, issues } = union
  const discriminator = discriminatorOf(ast)
  if (discriminator !== null && issues.every((issue) => fieldsWith(issue).includes(discriminator.name))) {
    const { name, values } = discriminator
    return [{ path: [...path, name], message: oneOf(values), isUnknownField: false, names: values }]
  }
  const closest = closestMember(issues)
  if (closest !== null) return foundIn(closest, path)
  const description = describeUnion(ast)
  return leaf(new SchemaIssue.AnyOf(ast, []), path).map((found) =>
    description === null ? found : { ...found, message: description }
  )
}

/** Lists the issues of one decoding in their order. */
export const foundIn = (issue: SchemaIssue.Issue, path: ReadonlyArray<string> = []): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Encoding":
      return foundIn(issue.issue, path)
    case "Pointer":
      return foundIn(issue.issue, [...path, ...issue.path.map(String)])
    case "Composite":
      return issue.issues.flatMap((inner) => foundIn(inner, path))
    case "AnyOf":
      return ofUnion(issue, path)
    default:
      return leaf(issue, path)
  }
}
