import { Effect } from "effect"
import {
  AssistantNotConfigured,
  AssistantRefused,
  parseAssistantSecret,
  retellSealContext
} from "../../domain/assistant/AssistantAccess.ts"
import { constantTimeEquals, hashSecret } from "../../domain/access/Credential.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Assistants } from "../../port/repository/tenant/Assistants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Vault } from "../../port/system/Vault.ts"

/** By what a request proves to come from an assistant. */
export interface AssistantProof {
  /** The secret in one of its headers; null: none has it. */
  readonly secret: string | null
  /** Whether the request is signed with a key; null: it is not signed. */
  readonly isSigned: ((key: string) => boolean) | null
}

/** Tells whether a request comes from an assistant of the tenant, and answers with the tenant. */
export const authenticateAssistant = Effect.fn("authenticateAssistant")(function* (
  tenantId: string,
  { isSigned, secret }: AssistantProof
) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const access = yield* (yield* Assistants).find(tenantId)
  if (access === null) return yield* new AssistantNotConfigured({ tenantId })
  const { hash, retellKey } = access
  if (secret !== null && hash !== null && parseAssistantSecret(secret) !== null) {
    const { pepper } = yield* Secrets
    if (constantTimeEquals(hashSecret(pepper, secret), hash)) return tenant
  }
  if (isSigned !== null && retellKey !== null) {
    // A key that was sealed under a secret key that is gone is as good as none: it is set again.
    const key = yield* (yield* Vault)
      .open(retellKey, retellSealContext(tenantId))
      .pipe(Effect.catchTag("UnsealFailed", () => Effect.fail(new AssistantNotConfigured({ tenantId }))))
    if (isSigned(key)) return tenant
  }
  return yield* new AssistantRefused({ tenantId })
})
