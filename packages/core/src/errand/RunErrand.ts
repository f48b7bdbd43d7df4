import { Effect } from "effect"
import { runCrmErrand } from "../crm/RunCrmErrand.ts"
import { runCrmRule } from "../crm/RunCrmRule.ts"
import { runMailErrand } from "../email/hosted/RunMailErrand.ts"
import type { QueuedErrand } from "./Errand.ts"

/** Does any errand: each kind in the room that it belongs to. */
export const runErrand = Effect.fnUntraced(function* (queued: QueuedErrand) {
  const { errand } = queued
  switch (errand.kind) {
    case "fetch":
    case "catch_up":
    case "revoke":
      return yield* runMailErrand({ ...queued, errand })
    case "crm_sync":
    case "crm_meet":
      return yield* runCrmErrand({ ...queued, errand })
    case "crm_action":
      return yield* runCrmRule({ ...queued, errand })
  }
})
