import { runMailErrand } from "../email/hosted/RunMailErrand.ts"
import type { QueuedErrand } from "./Errand.ts"

/** Does any errand: each kind in the room that it belongs to. */
export const runErrand = (queued: QueuedErrand) => {
  const { errand } = queued
  switch (errand.kind) {
    case "fetch":
    case "catch_up":
    case "revoke":
      return runMailErrand({ ...queued, errand })
  }
}
