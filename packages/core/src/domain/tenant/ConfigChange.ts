import type { Json } from "../text/Json.ts"

/** The operations that create a version of a configuration. */
export const changeActions = ["replace", "patch", "scaffold", "guardrails"] as const
export type ChangeAction = (typeof changeActions)[number]

/** One difference between two versions of a configuration. */
export interface ConfigDifference {
  /**
   * The path in the format of `/config`, joined with dots. List items with an id use it as a step:
   * `rules.quote.priority`.
   */
  readonly path: string
  /** Absent when the value was added. A long value is cut to a text that ends with `…`. */
  readonly before?: Json
  /** Absent when the value was removed. */
  readonly after?: Json
  /** The difference as a sentence. */
  readonly summary: string
}

/** The record of a saved version: author, time and differences. */
export interface ConfigChange {
  readonly tenantId: string
  /** The new version, based on `fromVersion`. */
  readonly version: number
  readonly fromVersion: number
  readonly action: ChangeAction
  /** The preset of the version, or null. */
  readonly preset: string | null
  /** The name of the principal (`principalName`). */
  readonly changedBy: string
  /** Epoch milliseconds. */
  readonly changedAt: number
  /** At most `maxDifferences` entries. */
  readonly differences: ReadonlyArray<ConfigDifference>
  /** The number of further differences. */
  readonly omitted: number
}
