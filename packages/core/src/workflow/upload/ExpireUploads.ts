import { Clock, Effect } from "effect"
import { uploadGraceMillis } from "../../domain/upload/Upload.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Objects } from "../../port/system/Objects.ts"
import { log } from "../LogEvents.ts"
import { withSpan } from "../WithSpan.ts"

/** The number of uploads that one step deletes. */
const batch = 100

/**
 * Deletes the expired uploads of a tenant: first the content, then the record. After a failure between both, the next
 * run deletes the record, because deleting a missing object succeeds.
 */
const expireOf = Effect.fnUntraced(function* (tenantId: string, before: number) {
  const uploads = yield* Uploads
  const { remove } = yield* Objects
  let removed = 0
  for (;;) {
    const found = yield* uploads.expired(tenantId, before, batch)
    for (const { uploadId } of found) yield* remove(tenantId, uploadId)
    yield* uploads.remove(
      tenantId,
      found.map(({ uploadId }) => uploadId)
    )
    removed += found.length
    if (found.length < batch) return removed
  }
})

/** Deletes the expired uploads of all tenants. Returns the number of deleted uploads. */
export const expireUploads = Effect.fnUntraced(function* () {
  const before = (yield* Clock.currentTimeMillis) - uploadGraceMillis
  let removed = 0
  for (const { tenantId } of yield* (yield* Tenants).list) {
    removed += yield* expireOf(tenantId, before).pipe(
      Effect.catchTag("ObjectsUnavailable", ({ reason }) =>
        Effect.as(log("uploads.remove_failed", { tenant: tenantId, reason }), 0)
      )
    )
  }
  return removed
}, withSpan("expireUploads"))
