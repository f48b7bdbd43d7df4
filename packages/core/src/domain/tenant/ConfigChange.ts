import { Schema } from "effect"
import type { Json } from "../text/Json.ts"
import { Time, unchecked } from "../Field.ts"

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
export class ConfigChange extends Schema.Opaque<ConfigChange>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The new version, based on `fromVersion`. */
    version: Schema.Int,
    fromVersion: Schema.Int,
    action: Schema.Literals(changeActions),
    /** The preset of the version, or null. */
    preset: Schema.NullOr(Schema.String),
    /** The name of the principal (`principalName`). */
    changedBy: Schema.String,
    changedAt: Time,
    /** At most `maxDifferences` entries. */
    differences: Schema.Array(unchecked<ConfigDifference>()),
    omitted: Schema.Int.annotate({ description: "The number of changes that are not listed" })
  })
) {}
