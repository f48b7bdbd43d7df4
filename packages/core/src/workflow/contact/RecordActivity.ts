import { Effect } from "effect"
import { Activities } from "../../port/repository/contact/Activities.ts"
import { Ids } from "../../port/system/Ids.ts"
import type { Activity } from "../../domain/contact/Activity.ts"

/**
 * Keeps something that happened for the timeline of its contact. Runs inside the unit of work of the change it tells of,
 * with the time of that change.
 */
export const recordActivity = Effect.fnUntraced(function* (happened: Omit<Activity, "activityId">) {
  yield* (yield* Activities).insert({ activityId: yield* (yield* Ids).next("act"), ...happened })
})
