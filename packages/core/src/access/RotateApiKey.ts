import { Clock, Effect } from "effect"
import { noteChange } from "../audit/Audited.ts"
import { ApiKeys } from "../port/ApiKeys.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { draftApiKey, keyTold } from "./CreateApiKey.ts"
import { isActive, KeyNotActive, rotationGraceHours } from "./StoredKey.ts"

/** Replaces a key by a fresh one of the same name. The old one works for another `rotationGraceHours`. */
export const rotateApiKey = Effect.fn("rotateApiKey")(function* (tenantId: string, keyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const keys = yield* ApiKeys
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const old = yield* keys.get(tenantId, keyId)
      if (!isActive(old)) return yield* new KeyNotActive({ keyId })
      const fresh = yield* draftApiKey(tenantId, old.name)
      yield* keys.update({ ...old, expiresAt: now + rotationGraceHours * 3_600_000 })
      yield* keys.insert(fresh.stored)
      yield* noteChange({ before: keyTold(old), after: keyTold(fresh.stored) })
      return fresh
    })
  )
})
