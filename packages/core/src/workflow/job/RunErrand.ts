import { Effect } from "effect"
import { runBillingErrand } from "../billing/RunBillingErrand.ts"
import { adoptLocation } from "../crm/AdoptLocation.ts"
import { runCrmErrand } from "../crm/RunCrmErrand.ts"
import { runFirstSync } from "../crm/RunFirstSync.ts"
import { runCallErrand } from "../call/RunCallErrand.ts"
import { runCrmRule } from "../crm/RunCrmRule.ts"
import { runMailErrand } from "../mailbox/RunMailErrand.ts"
import { runTextErrand } from "../sms/RunTextErrand.ts"
import type { QueuedErrand } from "../../domain/job/Errand.ts"

/** Does any errand: each kind in the room that it belongs to. */
export const runErrand = Effect.fnUntraced(function* (queued: QueuedErrand) {
  const { errand } = queued
  switch (errand.kind) {
    case "fetch":
    case "catch_up":
    case "revoke":
      return yield* runMailErrand({ ...queued, errand })
    case "billing_refresh":
      return yield* runBillingErrand({ ...queued, errand })
    case "crm_sync":
    case "crm_meet":
      return yield* runCrmErrand({ ...queued, errand })
    case "crm_first_sync":
      return yield* runFirstSync({ ...queued, errand })
    case "crm_adopt":
      return yield* adoptLocation({ ...queued, errand })
    case "find_text":
    case "fetch_media":
      return yield* runTextErrand({ ...queued, errand })
    case "delete_recording":
    case "delete_recordings":
    case "settle_call":
      return yield* runCallErrand({ ...queued, errand })
    case "crm_action":
      return yield* runCrmRule({ ...queued, errand })
  }
})
