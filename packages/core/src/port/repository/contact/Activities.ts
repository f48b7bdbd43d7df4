import type { Effect } from "effect"
import { Context } from "effect"
import type { Activity, TimelineKey } from "../../../domain/contact/Activity.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

/** What happened to contacts and is kept for their timelines. */
export class Activities extends Context.Service<
  Activities,
  {
    readonly insert: (activity: Activity) => Effect.Effect<void, StoreUnavailable>
    /** What happened to a contact before a key of its timeline, newest first. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
  }
>()("core/port/repository/contact/Activities") {}
