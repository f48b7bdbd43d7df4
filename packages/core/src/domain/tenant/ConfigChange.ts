import type { Json } from "../text/Json.ts"

/** What made a version of a configuration. */
export const changeActions = ["replace", "patch", "scaffold", "guardrails"] as const
export type ChangeAction = (typeof changeActions)[number]

/** One place at which two versions of a configuration differ. */
export interface ConfigDifference {
  /** As the configuration is written at `/config`, joined with dots; things that have an id go by it: `rules.quote.priority`. */
  readonly path: string
  /** Absent before: it was added. A long value is cut to a text that ends with `…`. */
  readonly before?: Json
  /** Absent after: it was removed. */
  readonly after?: Json
  /** The same as a sentence for people. */
  readonly summary: string
}

/** Who made a version of a configuration, when, and what is different in it. */
export interface ConfigChange {
  readonly tenantId: string
  /** The version that was made; it came out of `fromVersion`. */
  readonly version: number
  readonly fromVersion: number
  readonly action: ChangeAction
  /** Preset that it was made from; null: none. */
  readonly preset: string | null
  /** Name of the principal (`principalName`). */
  readonly changedBy: string
  /** Epoch milliseconds. */
  readonly changedAt: number
  /** At most `maxDifferences`. */
  readonly differences: ReadonlyArray<ConfigDifference>
  /** Differences beyond those. */
  readonly omitted: number
}
