import { Clock, Effect } from "effect"
import { noteChange } from "./Audited.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { draftApiKey, keyTold } from "./CreateApiKey.ts"
import { isActive, KeyNotActive, rotationGraceHours, type StoredKey } from "../../domain/access/StoredKey.ts"

/** A key that was made to expire is followed by one that lasts as long from now on. */
const expiryOfNext = ({ createdAt, expiresAt }: StoredKey, now: number): number | null =>
  expiresAt === null ? null : now + (expiresAt - createdAt)

/**
 * Replaces a key by a fresh one of the same name and scopes. The old one works for another `rotationGraceHours`, or until
 * it would have expired anyway.
 */
export const rotateApiKey = Effect.fn("rotateApiKey")(function* (tenantId: string, keyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  const graceEnds = now + rotationGraceHours * 3_600_000
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const old = yield* keys.get(tenantId, keyId)
      if (!isActive(old, now)) return yield* new KeyNotActive({ keyId })
      const { name, scopes } = old
      const fresh = yield* draftApiKey(tenantId, { name, scopes, expiresAt: expiryOfNext(old, now) })
      yield* keys.update({ ...old, replacedAt: now, expiresAt: Math.min(old.expiresAt ?? graceEnds, graceEnds) })
      yield* keys.insert(fresh.stored)
      yield* noteChange({ before: keyTold(old), after: keyTold(fresh.stored) })
      return fresh
    })
  )
})
