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
import { withSpan } from "../WithSpan.ts"

/** The evidence that a request is from an assistant. */
export interface AssistantProof {
  /** The secret in one of the request's headers. Null when no header contains a secret. */
  readonly secret: string | null
  /** Returns whether the signature of the request is valid for a key. Null when the request is not signed. */
  readonly isSigned: ((key: string) => boolean) | null
}

/** Checks that a request comes from an assistant of the tenant, and returns the tenant. */
export const authenticateAssistant = Effect.fnUntraced(function* (
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
    // The key was sealed with a secret key that is no longer available. The tenant must set it again.
    const key = yield* (yield* Vault)
      .open(retellKey, retellSealContext(tenantId))
      .pipe(Effect.catchTag("UnsealFailed", () => Effect.fail(new AssistantNotConfigured({ tenantId }))))
    if (isSigned(key)) return tenant
  }
  return yield* new AssistantRefused({ tenantId })
}, withSpan("authenticateAssistant"))
