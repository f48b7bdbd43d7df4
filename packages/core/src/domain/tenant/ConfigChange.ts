import { Schema } from "effect"
import type { Json } from "../text/Json.ts"
import { Time, unchecked, UserName } from "../Field.ts"
import { UserId } from "../Id.ts"

/** The kinds of requests that save a version of a configuration. */
export const changeActions = ["replace", "patch", "scaffold", "guardrails", "rules"] as const
export type ChangeAction = (typeof changeActions)[number]

/** The maximum length of the comment on a change. */
export const maxCommentLength = 500

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
    version: Schema.Int.annotate({ description: "The version that the change created; versions count from 1" }),
    fromVersion: Schema.Int.annotate({ description: "The version on which the change was based" }),
    action: Schema.Literals(changeActions).annotate({
      description:
        "The kind of request: a full replacement, a merge patch, a preset (`scaffold`), or a change of guardrails or rules"
    }),
    preset: Schema.NullOr(Schema.String).annotate({
      description: "The preset from which the version was created; null if none was used"
    }),
    /** The name of the principal (`principalName`). */
    changedBy: Schema.String.annotate({ description: "The caller: `admin`, `user:<subject>` or the id of an API key" }),
    changedByUser: Schema.NullOr(UserId).annotate({
      description: "The user as whom the caller acts; null: the caller acted as no user"
    }),
    changedByUserName: UserName,
    comment: Schema.NullOr(Schema.String).annotate({
      description: "Why the caller made the change, for people; null: the caller stated nothing"
    }),
    changedAt: Time.annotate({ description: "The time of the change (ISO 8601 in UTC)" }),
    /** At most `maxDifferences` entries. */
    differences: Schema.Array(unchecked<ConfigDifference>()).annotate({
      description: "The changed values; at most 200, `omitted` counts the rest"
    }),
    omitted: Schema.Int.annotate({ description: "The number of changes that are not listed" })
  })
) {}
