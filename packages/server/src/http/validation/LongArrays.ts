import type { Issue } from "@leadloom/api/internal/Echo"
import { SchemaAST } from "effect"

/** The maximum number of issues that the search collects. */
const enough = 20

interface Search {
  readonly found: Array<Issue>
  /**
   * The number of union members that the search may still try. Each matching member causes another search of the value.
   */
  tries: number
}

const isCount = (value: unknown): value is number => typeof value === "number"

/** Returns the maximum array length of a check; null if it has none. */
const maximumOf = (check: SchemaAST.Check<unknown>): number | null => {
  if (check._tag === "FilterGroup") return smallest(check.checks.map(maximumOf))
  const constraint: unknown = check.annotations?.["arbitraryConstraint"]
  if (typeof constraint !== "object" || constraint === null || !("maxLength" in constraint)) return null
  return isCount(constraint.maxLength) ? constraint.maxLength : null
}

const smallest = (maxima: ReadonlyArray<number | null>): number | null => {
  const given = maxima.filter(isCount)
  return given.length === 0 ? null : Math.min(...given)
}

/** Returns the maximum number of items of an array; null if the schema has none. */
export const maxItemsOf = (ast: SchemaAST.AST): number | null => smallest((ast.checks ?? []).map(maximumOf))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const searchArray = (ast: SchemaAST.Arrays, value: ReadonlyArray<unknown>, path: string, search: Search): void => {
  const maximum = maxItemsOf(ast)
  if (maximum !== null && value.length > maximum) {
    search.found.push({ path, message: `Expected at most ${maximum} items, got ${value.length}.` })
    return
  }
  const [item] = ast.rest
  if (item === undefined || !mayHold(item)) return
  for (const [index, inner] of value.entries()) {
    if (search.found.length >= enough) return
    searchValue(item, inner, path === "" ? String(index) : `${path}.${index}`, search)
  }
}

const searchObject = (
  ast: SchemaAST.Objects,
  value: Readonly<Record<string, unknown>>,
  path: string,
  search: Search
): void => {
  for (const { name, type } of ast.propertySignatures) {
    if (search.found.length >= enough) return
    const field = String(name)
    if (mayHold(type) && Object.hasOwn(value, field))
      searchValue(type, value[field], path === "" ? field : `${path}.${field}`, search)
  }
}

/**
 * Returns whether a schema may contain arrays. Only a schema without a transformation can be searched, because it
 * describes the encoded input.
 */
const mayHold = (ast: SchemaAST.AST): boolean =>
  ast.encoding === undefined && (SchemaAST.isArrays(ast) || SchemaAST.isObjects(ast) || SchemaAST.isUnion(ast))

const searchValue = (ast: SchemaAST.AST, value: unknown, path: string, search: Search): void => {
  if (SchemaAST.isArrays(ast)) {
    if (Array.isArray(value)) searchArray(ast, value, path, search)
  } else if (SchemaAST.isObjects(ast)) {
    if (isRecord(value)) searchObject(ast, value, path, search)
  } else if (SchemaAST.isUnion(ast)) {
    for (const member of ast.types) {
      if (search.tries-- <= 0) return
      if (mayHold(member)) searchValue(member, value, path, search)
    }
  }
}

/**
 * Returns an issue for each array with too many items. The schema library decodes all items before it checks their
 * number. This function only compares lengths, so it is cheap even for a huge array.
 */
export const longArrays = (schema: SchemaAST.AST, value: unknown): ReadonlyArray<Issue> => {
  const search: Search = { found: [], tries: 100_000 }
  if (mayHold(schema)) searchValue(schema, value, "", search)
  return search.found
}
