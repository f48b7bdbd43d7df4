import { Clock, Data, Effect } from "effect"
import { noteChange } from "../audit/Audited.ts"
import { ApiKeys } from "../port/ApiKeys.ts"
import { Sources } from "../port/Sources.ts"
import type { StoreUnavailable } from "../port/StoreUnavailable.ts"
import { Transactions } from "../port/Transactions.ts"
import { removeSource } from "../tenant/RemoveSource.ts"
import { apiKeyScheme, parseApiKey } from "./ApiKey.ts"
import { keyTold } from "./CreateApiKey.ts"
import { type Credential, hashSecret } from "./Credential.ts"
import { Secrets } from "./Secrets.ts"
import { parseSourceKey, sourceKeyScheme } from "./SourceKey.ts"
import { isUsable, type KeyStatus, statusOf } from "./StoredKey.ts"

/** A key of ours that stands in a text. */
export interface LeakedKey {
  readonly kind: "api_key" | "source_key"
  /** What lists show of it; the whole key is repeated nowhere. */
  readonly prefix: string
  /** `unknown`: its checksum is right, and nobody here has it: removed, or of another deployment. */
  readonly status: KeyStatus | "unknown"
  /** It opened something when it was looked up. */
  readonly live: boolean
  /** Null: unknown, or a source of all tenants. */
  readonly tenantId: string | null
  /** The key's id, or its source's. */
  readonly id: string | null
  /** It was live, and this has ended it. */
  readonly revoked: boolean
}

/** Keys of one text that are looked up. */
export const mostLeakedKeys = 500

/** The text holds more than `mostLeakedKeys` keys. */
export class LeakedKeysTooMany extends Data.TaggedError("LeakedKeysTooMany")<{ readonly limit: number }> {}

/** Anything of the shape of a long-lived secret (`Credential`), with nothing of its alphabet before or behind it. */
const shape = new RegExp(
  `(?<![0-9A-Za-z])(?:${apiKeyScheme}|${sourceKeyScheme})_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}(?![0-9A-Za-z])`,
  "gu"
)

/** The keys that a text holds, each once, told from look-alikes by their checksum and without any look-up. */
export const findKeys = (text: string): ReadonlyArray<Credential> =>
  [...new Set(text.match(shape) ?? [])]
    .map((found) => parseApiKey(found) ?? parseSourceKey(found))
    .filter((credential) => credential !== null)

type Services = ApiKeys | Sources | Secrets | Transactions

const unknown = { status: "unknown", live: false, tenantId: null, id: null, revoked: false } as const

const lookUpApiKey = Effect.fnUntraced(function* (
  { key, prefix }: Credential,
  revoke: boolean
): Effect.fn.Return<LeakedKey, StoreUnavailable, Services> {
  const keys = yield* ApiKeys
  const stored = yield* keys.findByHash(hashSecret((yield* Secrets).pepper, key))
  const kind = "api_key"
  if (stored === null) return { kind, prefix, ...unknown }
  const now = yield* Clock.currentTimeMillis
  const { keyId, tenantId } = stored
  const live = isUsable(stored, now)
  if (live && revoke) {
    // Read again within the unit: it writes the whole state of the key.
    const unit = Effect.gen(function* () {
      const before = yield* keys.get(tenantId, keyId)
      const after = { ...before, revokedAt: now }
      yield* keys.update(after)
      yield* noteChange({ before: keyTold(before), after: keyTold(after) })
    })
    yield* (yield* Transactions).atomically(
      tenantId,
      Effect.catchTag(unit, "KeyNotFound", () => Effect.void)
    )
  }
  return { kind, prefix, status: statusOf(stored, now), live, tenantId, id: keyId, revoked: live && revoke }
})

const lookUpSourceKey = Effect.fnUntraced(function* (
  { key, prefix }: Credential,
  revoke: boolean
): Effect.fn.Return<LeakedKey, StoreUnavailable, Services> {
  const sources = yield* Sources
  const source = yield* sources.findByHash(hashSecret((yield* Secrets).pepper, key))
  const kind = "source_key"
  if (source === null) return { kind, prefix, ...unknown }
  const { sourceId, tenantId } = source
  if (revoke) yield* Effect.catchTag(removeSource(tenantId, sourceId), "SourceNotFound", () => Effect.void)
  return { kind, prefix, status: "active", live: true, tenantId, id: sourceId, revoked: revoke }
})

/**
 * Finds our keys in a text, as a secret scanner or a colleague reports it, and says whose they are and whether they still
 * open anything. With `revoke` those that do are ended at once: API keys are revoked, and the sources of source keys
 * removed, of which the key is all that there is. Who ended each goes to the log; the audit trail of the first tenant
 * concerned has the entry of the action.
 */
export const checkLeakedKeys = Effect.fn("checkLeakedKeys")(function* (text: string, revoke: boolean, by: string) {
  const found = findKeys(text)
  if (found.length > mostLeakedKeys) return yield* new LeakedKeysTooMany({ limit: mostLeakedKeys })
  const leaked: ReadonlyArray<LeakedKey> = yield* Effect.forEach(found, (credential) =>
    credential.prefix.startsWith(`${apiKeyScheme}_`)
      ? lookUpApiKey(credential, revoke)
      : lookUpSourceKey(credential, revoke)
  )
  for (const { id, prefix, revoked, tenantId } of leaked) {
    if (revoked)
      yield* Effect.logWarning("A leaked key was revoked").pipe(
        Effect.annotateLogs({ by, prefix, id, tenant: tenantId })
      )
  }
  return leaked
})
