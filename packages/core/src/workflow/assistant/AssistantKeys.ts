import { Clock, Effect } from "effect"
import {
  type AssistantAccess,
  AssistantNotConfigured,
  mintAssistantSecret,
  RetellKeyInvalid,
  retellSealContext
} from "../../domain/assistant/AssistantAccess.ts"
import { hashSecret } from "../../domain/access/Credential.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Assistants } from "../../port/repository/tenant/Assistants.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { withSpan } from "../WithSpan.ts"

const change = Effect.fnUntraced(function* (
  tenantId: string,
  changes: Partial<Pick<AssistantAccess, "prefix" | "hash" | "retellKey">>
) {
  yield* (yield* Tenants).get(tenantId)
  const assistants = yield* Assistants
  const now = yield* Clock.currentTimeMillis
  const found = yield* assistants.find(tenantId)
  const before = found ?? { tenantId, prefix: null, hash: null, retellKey: null, createdAt: now }
  const access: AssistantAccess = { ...before, ...changes, updatedAt: now }
  yield* assistants.save(access)
  return access
})

/**
 * Creates the secret of a tenant's assistants, and invalidates the previous one. Only the response to this request
 * shows the secret.
 */
export const makeAssistantSecret = Effect.fnUntraced(function* (tenantId: string) {
  const { pepper } = yield* Secrets
  const { key, prefix } = mintAssistantSecret((yield* Randomness).bytes)
  const changes = { prefix, hash: hashSecret(pepper, key) }
  const access = yield* (yield* Transactions).atomically(tenantId, change(tenantId, changes))
  return { access, secret: key }
}, withSpan("makeAssistantSecret"))

/** Sets the key with which Retell signs its requests. The key is stored sealed, and no response shows it. */
export const setRetellKey = Effect.fnUntraced(function* (tenantId: string, key: string) {
  if (!/^[\x21-\x7e]{8,200}$/u.test(key))
    return yield* new RetellKeyInvalid({
      reason: "The Retell key is invalid. Send the API key that has the webhook badge at Retell."
    })
  const retellKey = (yield* Vault).seal(key, retellSealContext(tenantId))
  return yield* (yield* Transactions).atomically(tenantId, change(tenantId, { retellKey }))
}, withSpan("setRetellKey"))

/** Returns the credentials of a tenant's assistants. A response must show only the prefix of the secret. */
export const readAssistant = Effect.fnUntraced(function* (tenantId: string) {
  yield* (yield* Tenants).get(tenantId)
  const access = yield* (yield* Assistants).find(tenantId)
  return access ?? (yield* new AssistantNotConfigured({ tenantId }))
}, withSpan("readAssistant"))

/** Removes the access of every assistant of a tenant. */
export const removeAssistant = Effect.fnUntraced(function* (tenantId: string) {
  yield* (yield* Tenants).get(tenantId)
  // The audit entry is written in the same unit of work, so that it exists exactly when the removal succeeded.
  const removed = yield* (yield* Transactions).atomically(tenantId, (yield* Assistants).remove(tenantId))
  if (!removed) return yield* new AssistantNotConfigured({ tenantId })
}, withSpan("removeAssistant"))
