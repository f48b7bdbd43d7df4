import { Schema } from "effect"
import type { Json } from "../text/Json.ts"
import { Time, unchecked } from "../Field.ts"

/** The kinds of requests that save a version of a configuration. */
export const changeActions = ["replace", "patch", "scaffold", "guardrails"] as const
export type ChangeAction = (typeof changeActions)[number]

/** One difference between two versions of a configuration. */
export interface ConfigDifference {
  /**
   * The path in the format of `/config`, joined with dots. In a list of items with ids, the id is a step of the path:
   * `rules.quote.priority`.
   */
  readonly path: string
  /**
   * The earlier value. Absent when the change added the value. A long value is replaced by a cut text that ends with
   * `…`.
   */
  readonly before?: Json
  /** The new value. Absent when the change removed the value. */
  readonly after?: Json
  /** One sentence that describes the difference. */
  readonly summary: string
}

/** The record of a saved version: author, time and differences. */
export class ConfigChange extends Schema.Opaque<ConfigChange>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The new version, and the version on which it is based. */
    version: Schema.Int,
    fromVersion: Schema.Int,
    action: Schema.Literals(changeActions),
    /** The preset from which the version was created; null if none was used. */
    preset: Schema.NullOr(Schema.String),
    /** The name of the principal (`principalName`). */
    changedBy: Schema.String,
    changedAt: Time,
    /** At most `maxDifferences` entries. */
    differences: Schema.Array(unchecked<ConfigDifference>()),
    omitted: Schema.Int.annotate({ description: "The number of changes that are not listed" })
  })
) {}
