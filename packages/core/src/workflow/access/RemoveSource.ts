import { Effect } from "effect"
import { noteChange } from "./Audited.ts"
import { Sources } from "../../port/repository/tenant/Sources.ts"
import { Transactions } from "../../port/system/Transactions.ts"

/** Closes a source of custom events of one tenant, or of all of them (`tenantId` null): its key is good for nothing. */
export const removeSource = Effect.fn("removeSource")(function* (tenantId: string | null, sourceId: string) {
  const unit = Effect.gen(function* () {
    yield* (yield* Sources).remove(tenantId, sourceId)
    yield* noteChange({ before: { source_id: sourceId }, after: null })
  })
  yield* (yield* Transactions).atomically(tenantId ?? "", unit)
})
