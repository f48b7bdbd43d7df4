/**
 * Authenticates callers and manages their credentials: API keys, source keys and session tokens. It also contains
 * idempotent requests and the audit trail. Permissions do not belong here (`domain/access`). Tests:
 * `packages/testkit/src/suite/access`, `packages/core/test/domain/access`.
 */
import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { constantTimeEquals, hashSecret } from "../../domain/access/Credential.ts"
import { maySendEvent } from "../../domain/access/Permission.ts"
import type { AdminPrincipal, Principal, SourcePrincipal } from "../../domain/access/Principal.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { readSession } from "../../domain/access/SessionToken.ts"
import { parseSourceKey, sourceKeyScheme } from "../../domain/access/Source.ts"
import { apiKeyScheme, isUsable, parseApiKey } from "../../domain/access/StoredKey.ts"
import { IdTokens } from "../../port/provider/IdTokens.ts"
import { ConsoleSessions } from "../../port/repository/tenant/ConsoleSessions.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Sources } from "../../port/repository/tenant/Sources.ts"
import { withSpan } from "../WithSpan.ts"

/** The credential is missing or invalid. `reason` is only logged. The response is the same for all reasons. */
export class CredentialInvalid extends TaggedError("CredentialInvalid")<{ readonly reason: string }> {}

/** The precision of `lastUsedAt`. Because it is coarse, most requests do not have to write the time. */
const lastUsedStepMillis = 60_000

const invalid = (reason: string) => Effect.fail(new CredentialInvalid({ reason }))

const authenticateApiKey = Effect.fnUntraced(function* (credential: string) {
  if (parseApiKey(credential) === null) return yield* invalid("not an API key")
  const keys = yield* ApiKeys
  const stored = yield* keys.findByHash(hashSecret((yield* Secrets).pepper, credential))
  const now = yield* Clock.currentTimeMillis
  if (stored === null) return yield* invalid("unknown API key")
  if (!isUsable(stored, now)) return yield* invalid(`API key ${stored.keyId} is revoked or expired`)
  if (now - (stored.lastUsedAt ?? 0) >= lastUsedStepMillis) {
    yield* keys.noteUse(stored, now)
  }
  const { keyId, scopes, tenantId } = stored
  const principal: Principal = { _tag: "ApiKey", tenantId, keyId, scopes }
  return principal
})

/** Returns the source to which a key belongs. */
export const authenticateSourceKey = Effect.fnUntraced(function* (credential: string) {
  if (parseSourceKey(credential) === null) return yield* invalid("not a source key")
  const source = yield* (yield* Sources).findByHash(hashSecret((yield* Secrets).pepper, credential))
  if (source === null) return yield* invalid("unknown source key")
  const principal: SourcePrincipal = { _tag: "Source", sourceId: source.sourceId, tenantId: source.tenantId ?? "all" }
  return principal
})

const authenticateSession = Effect.fnUntraced(function* (credential: string) {
  const { sessionKeys } = yield* Secrets
  if (sessionKeys.length === 0) return yield* invalid("sessions are not configured")
  const now = yield* Clock.currentTimeMillis
  const reading = readSession(credential, sessionKeys, now)
  if (reading._tag === "Refused") return yield* invalid(`session token: ${reading.reason}`)
  const { issuedAt: _, expiresAt: __, ...session } = reading.session
  if (session.role !== undefined) {
    const stored = yield* (yield* ConsoleSessions).find(session.tenantId, session.jti, now)
    if (stored === null)
      return yield* invalid("console session: ended, revoked, or its user has another role or is deactivated")
  }
  const principal: Principal = { _tag: "Session", ...session }
  return principal
})

const authenticateIdToken = Effect.fnUntraced(function* (credential: string) {
  const identity = yield* (yield* IdTokens)
    .verify(credential)
    .pipe(Effect.catchTag("IdTokenInvalid", ({ reason }) => invalid(`ID token: ${reason}`)))
  const principal: Principal = { _tag: "IdToken", ...identity }
  return principal
})

/** The number of characters of a keyed hash by which logs distinguish admin keys. */
const adminMarkLength = 8

/**
 * Returns the operator when the credential is an admin key, and null otherwise. Compares the credential with all keys,
 * so that the time does not reveal a match.
 */
const operatorOf = (credential: string, { adminKeys, pepper }: Secrets["Service"]): AdminPrincipal | null => {
  const matching = adminKeys.filter((key) => constantTimeEquals(credential, key))
  if (matching.length === 0) return null
  const operator: AdminPrincipal = { _tag: "Admin" }
  return adminKeys.length === 1
    ? operator
    : { ...operator, key: hashSecret(pepper, credential).slice(0, adminMarkLength) }
}

/** Returns the principal to which a Bearer credential belongs. The form of the credential determines its kind. */
export const authenticate = Effect.fnUntraced(function* (credential: string) {
  if (credential === "") return yield* invalid("no credential")
  const operator = operatorOf(credential, yield* Secrets)
  if (operator !== null) return operator
  if (credential.startsWith(`${apiKeyScheme}_`)) return yield* authenticateApiKey(credential)
  if (credential.startsWith(`${sourceKeyScheme}_`)) return yield* authenticateSourceKey(credential)
  switch (credential.split(".", 4).length) {
    case 2:
      return yield* authenticateSession(credential)
    case 3:
      return yield* authenticateIdToken(credential)
    default:
      return yield* invalid("unknown credential format")
  }
}, withSpan("authenticate"))

/** The source has no key, so its events endpoint accepts no request. */
export class SourceKeyNotFound extends TaggedError("SourceKeyNotFound")<{ readonly sourceId: string }> {}

/**
 * Authenticates a request to the events endpoint. Accepts only the key of this source of this tenant. A source with a
 * valid key exists, so its existence is checked only
 * after a failure.
 */
export const authenticateSource = Effect.fnUntraced(function* (credential: string, tenantId: string, sourceId: string) {
  const sources = yield* Sources
  const authenticated = Effect.flatMap(authenticateSourceKey(credential), (principal) =>
    maySendEvent(principal, tenantId, sourceId)
      ? Effect.succeed(principal)
      : invalid(`not the key of source ${sourceId}`)
  )
  return yield* Effect.catchTag(authenticated, "CredentialInvalid", (refusal) =>
    Effect.flatMap(
      sources.isConfigured(tenantId, sourceId),
      (isConfigured): Effect.Effect<never, CredentialInvalid | SourceKeyNotFound> =>
        Effect.fail(isConfigured ? refusal : new SourceKeyNotFound({ sourceId }))
    )
  )
}, withSpan("authenticateSource"))
