import { Effect } from "effect"
import { runCallErrand } from "../call/RunCallErrand.ts"
import { runMailErrand } from "../email/hosted/RunMailErrand.ts"
import { runTextErrand } from "../sms/RunTextErrand.ts"
import type { QueuedErrand } from "./Errand.ts"

/** Does any errand: each kind in the room that it belongs to. */
export const runErrand = Effect.fnUntraced(function* (queued: QueuedErrand) {
  const { errand } = queued
  switch (errand.kind) {
    case "fetch":
    case "catch_up":
    case "revoke":
      return yield* runMailErrand({ ...queued, errand })
    case "find_text":
    case "fetch_media":
      return yield* runTextErrand({ ...queued, errand })
    case "delete_recording":
    case "settle_call":
      return yield* runCallErrand({ ...queued, errand })
  }
})
