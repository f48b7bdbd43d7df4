import { Context, Effect, Layer } from "effect"
import type { Activity, TimelineKey } from "../../domain/contact/Activity.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const oldestFirst = by<Activity>(
  ({ at }) => at,
  ({ activityId }) => activityId
)

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
>()("core/port/repository/Activities") {
  static readonly layerMemory: Layer.Layer<Activities> = Layer.effect(
    Activities,
    Effect.map(MemoryState, ({ activities }) =>
      Activities.of({
        insert: (activity) => addNew(activities, keyOf(activity.tenantId, activity.activityId), activity),
        before: (tenantId, contactId, key, limit) =>
          Effect.sync(() =>
            ofTenant(activities, tenantId)
              .filter((activity) => activity.contactId === contactId)
              .filter(({ activityId, at }) => key === null || at < key.at || (at === key.at && activityId < key.id))
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
          )
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
