import { Clock, Data, Effect } from "effect"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { ApiKeys } from "../port/ApiKeys.ts"
import { Sources } from "../port/Sources.ts"
import { apiKeyScheme, parseApiKey } from "./ApiKey.ts"
import { constantTimeEquals } from "./ConstantTime.ts"
import { hashSecret } from "./Credential.ts"
import type { Principal } from "./Principal.ts"
import { Secrets } from "./Secrets.ts"
import { readSession, sessionKey } from "./SessionToken.ts"
import { parseSourceKey, sourceKeyScheme } from "./SourceKey.ts"
import { isUsable } from "./StoredKey.ts"

/** Nobody here issued this credential, or it is over. One answer for every reason; the reason is for the log. */
export class CredentialInvalid extends Data.TaggedError("CredentialInvalid")<{ readonly reason: string }> {}

/** How long `lastUsedAt` may lag behind, so that reading does not turn into writing. */
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
    yield* keys.update({ ...stored, lastUsedAt: now }).pipe(Effect.catchTag("KeyNotFound", () => Effect.void))
  }
  const principal: Principal = { _tag: "ApiKey", tenantId: stored.tenantId, keyId: stored.keyId }
  return principal
})

const authenticateSourceKey = Effect.fnUntraced(function* (credential: string) {
  if (parseSourceKey(credential) === null) return yield* invalid("not a source key")
  const source = yield* (yield* Sources).findByHash(hashSecret((yield* Secrets).pepper, credential))
  if (source === null) return yield* invalid("unknown source key")
  const principal: Principal = { _tag: "Source", sourceId: source.sourceId, tenantId: source.tenantId ?? "all" }
  return principal
})

const authenticateSession = Effect.fnUntraced(function* (credential: string) {
  const { sessionSecret } = yield* Secrets
  if (sessionSecret === null) return yield* invalid("sessions are not configured")
  const reading = readSession(credential, [sessionKey(utf8ToBytes(sessionSecret))], yield* Clock.currentTimeMillis)
  if (reading._tag === "Refused") return yield* invalid(`session token: ${reading.reason}`)
  const principal: Principal = { _tag: "Session", tenantId: reading.session.tenantId, jti: reading.session.jti }
  return principal
})

/** Tells who a Bearer credential belongs to. Credentials are told apart by their shape. */
export const authenticate = Effect.fn("authenticate")(function* (credential: string) {
  if (credential === "") return yield* invalid("no credential")
  const { adminKey } = yield* Secrets
  if (adminKey !== null && constantTimeEquals(credential, adminKey)) {
    const operator: Principal = { _tag: "Admin" }
    return operator
  }
  if (credential.startsWith(`${apiKeyScheme}_`)) return yield* authenticateApiKey(credential)
  if (credential.startsWith(`${sourceKeyScheme}_`)) return yield* authenticateSourceKey(credential)
  if (credential.split(".").length === 2) return yield* authenticateSession(credential)
  return yield* invalid("of no known shape")
})
