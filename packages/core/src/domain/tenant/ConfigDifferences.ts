import { isJson, type Json } from "../text/Json.ts"
import type { ConfigDifference } from "./ConfigChange.ts"
import { configJson, type TenantConfig } from "./TenantConfig.ts"

/** The maximum number of stored differences of one change. */
export const maxDifferences = 200
/** The maximum stored length of a value in characters. */
const maxValueLength = 500

type Fields = Readonly<Record<string, unknown>>
interface Named extends Fields {
  readonly id: string
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isNamed = (value: unknown): value is Named => isFields(value) && typeof value["id"] === "string"

/** Returns the items of a list by their ids. Returns null when an item has no id or two items have the same id. */
const byId = (value: unknown): ReadonlyMap<string, Named> | null => {
  if (!Array.isArray(value) || !value.every(isNamed)) return null
  const found = new Map(value.map((item) => [item.id, item]))
  return found.size === value.length ? found : null
}

const text = (value: unknown): string => JSON.stringify(value) ?? "nothing"
const same = (one: unknown, other: unknown): boolean => text(one) === text(other)
const cut = (long: string): string =>
  long.length <= maxValueLength ? long : `${long.slice(0, maxValueLength).toWellFormed()}…`

const kept = (value: unknown): Json => {
  if (typeof value === "string") return cut(value)
  const written = text(value)
  return written.length <= maxValueLength && isJson(value) ? value : cut(written)
}

/** Returns the name of an item for a sentence. */
const nameOf = (value: unknown): string => {
  const name = isFields(value) && typeof value["name"] === "string" ? ` "${value["name"]}"` : ""
  const kind = isFields(value) && typeof value["kind"] === "string" ? ` (${value["kind"]})` : ""
  return `${name}${kind}`
}

const isShort = (value: unknown): boolean => text(value).length <= 80

const sentence = (path: string, before: unknown, after: unknown): string => {
  if (before === undefined) return `${path}${nameOf(after)} was added${isFields(after) ? "" : `: ${cut(text(after))}`}`
  if (after === undefined) return `${path}${nameOf(before)} was removed`
  if (isShort(before) && isShort(after)) return `${path} is ${text(after)} instead of ${text(before)}`
  return `${path} was changed`
}

/** A changed value. `before` is undefined for an added value, and `after` for a removed one. */
export interface ChangedValue {
  /** Joined with dots. Rules and guardrails go by their id. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
  readonly summary: string
}

const difference = ({ after, before, path, summary }: ChangedValue): ConfigDifference => ({
  path,
  ...(before === undefined ? {} : { before: kept(before) }),
  ...(after === undefined ? {} : { after: kept(after) }),
  summary
})

/** Reports a change in the order of the items that both lists contain. */
const reordered = (
  path: string,
  before: ReadonlyMap<string, Named>,
  after: ReadonlyMap<string, Named>
): ReadonlyArray<ChangedValue> => {
  const old = [...before.keys()].filter((id) => after.has(id))
  const now = [...after.keys()].filter((id) => before.has(id))
  if (same(old, now)) return []
  return [{ path, before: old, after: now, summary: `${path} were reordered` }]
}

const compareFields = (path: string, before: Fields, after: Fields): ReadonlyArray<ChangedValue> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    compare(path === "" ? name : `${path}.${name}`, before[name], after[name])
  )

const compare = (path: string, before: unknown, after: unknown): ReadonlyArray<ChangedValue> => {
  if (same(before, after)) return []
  const [old, now] = [byId(before), byId(after)]
  if (old !== null && now !== null) {
    const things = compareFields(path, Object.fromEntries(old), Object.fromEntries(now))
    return [...things, ...reordered(path, old, now)]
  }
  if (isFields(before) && isFields(after)) return compareFields(path, before, after)
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.some(isFields)) {
    return before.flatMap((item: unknown, index) => compare(`${path}.${index}`, item, after[index]))
  }
  return [{ path, before, after, summary: sentence(path, before, after) }]
}

/**
 * Compares two configurations in the format of `/config`. Rules and guardrails are matched by id, so an inserted rule
 * is one difference and does not change the following rules.
 */
export const changedValues = (before: TenantConfig, after: TenantConfig): ReadonlyArray<ChangedValue> =>
  compareFields("", configJson.toJson(before), configJson.toJson(after))

/**
 * Returns the differences of two configurations for the history. Values in differences are cut. The stored versions of
 * the configuration are complete.
 */
export const compareDecisions = (
  before: TenantConfig,
  after: TenantConfig
): { readonly differences: ReadonlyArray<ConfigDifference>; readonly omitted: number } => {
  const all = changedValues(before, after)
  return {
    differences: all.slice(0, maxDifferences).map(difference),
    omitted: Math.max(0, all.length - maxDifferences)
  }
}
