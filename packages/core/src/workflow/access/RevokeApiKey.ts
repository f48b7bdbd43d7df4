import { Clock, Effect } from "effect"
import { noteChange } from "./Audited.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { keyTold } from "./CreateApiKey.ts"
import { KeyNotFound } from "../../domain/access/StoredKey.ts"

/** Revokes a key at once, one in its grace period too. A key that is revoked already is not found. */
export const revokeApiKey = Effect.fn("revokeApiKey")(function* (tenantId: string, keyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const key = yield* keys.get(tenantId, keyId)
      if (key.revokedAt !== null) return yield* new KeyNotFound({ keyId })
      const revoked = { ...key, revokedAt: now }
      yield* keys.update(revoked)
      yield* noteChange({ before: keyTold(key), after: keyTold(revoked) })
    })
  )
})
