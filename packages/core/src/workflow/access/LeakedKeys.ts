import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { auditedPart, recordAuditChange } from "./Audited.ts"
import { ApiKeys } from "../../port/repository/tenant/ApiKeys.ts"
import { Sources } from "../../port/repository/tenant/Sources.ts"
import { type StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { parseSourceKey, type Source, sourceKeyScheme } from "../../domain/access/Source.ts"
import {
  apiKeyScheme,
  isUsable,
  type KeyStatus,
  parseApiKey,
  statusOf,
  type StoredKey
} from "../../domain/access/StoredKey.ts"
import { auditedKey } from "./ApiKeys.ts"
import { type Credential, hashSecret } from "../../domain/access/Credential.ts"
import { type LeakPlace, placesIn } from "../../domain/access/LeakReport.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** An occurrence of a key in a text. The key has the format of this deployment. */
export interface LeakedKey {
  readonly kind: "api_key" | "source_key"
  /** The first part of the key, which lists show. No response contains the full key. */
  readonly prefix: string
  /**
   * `unknown`: the checksum is valid, but the key is not stored on this deployment. It was removed, or it belongs to
   * another deployment.
   */
  readonly status: KeyStatus | "unknown"
  /** True if the key was valid at the time of the look-up. */
  readonly live: boolean
  /** Null for an unknown key and for a source of all tenants. */
  readonly tenantId: string | null
  /** The id of the API key or of the source. */
  readonly id: string | null
  /** True if the key was valid and this action has revoked it. */
  readonly revoked: boolean
}

/** The maximum number of keys that are checked in one text. */
export const maxLeakedKeys = 500

/** The text contains more than `maxLeakedKeys` keys. */
export class LeakedKeyLimitExceeded extends TaggedError("LeakedKeyLimitExceeded")<{ readonly limit: number }> {}

/**
 * Matches text that has the form of a long-lived secret (`Credential`), without a letter or digit before or after it.
 */
const shape = new RegExp(
  `(?<![0-9A-Za-z])(?:${apiKeyScheme}|${sourceKeyScheme})_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}(?![0-9A-Za-z])`,
  "gu"
)

/** Returns the distinct keys in a text. The checksum distinguishes keys from random text without a database query. */
export const findKeys = (text: string): ReadonlyArray<Credential> =>
  [...new Set(text.match(shape) ?? [])]
    .map((found) => parseApiKey(found) ?? parseSourceKey(found))
    .filter((credential) => credential !== null)

/** A key in a text, and its stored row. Null when no row is stored. */
type Found = Credential &
  (
    | { readonly kind: "api_key"; readonly stored: StoredKey | null }
    | { readonly kind: "source_key"; readonly stored: Source | null }
  )

const lookUp = Effect.fnUntraced(function* (
  credential: Credential
): Effect.fn.Return<Found, StoreUnavailable, ApiKeys | Sources | Secrets> {
  const hash = hashSecret((yield* Secrets).pepper, credential.key)
  return credential.prefix.startsWith(`${apiKeyScheme}_`)
    ? { ...credential, kind: "api_key", stored: yield* (yield* ApiKeys).findByHash(hash) }
    : { ...credential, kind: "source_key", stored: yield* (yield* Sources).findByHash(hash) }
})

const unknown = { status: "unknown", live: false, tenantId: null, id: null, revoked: false } as const

const leakedKeyOf = ({ kind, prefix, stored }: Found, ended: ReadonlySet<string>, now: number): LeakedKey => {
  if (stored === null) return { kind, prefix, ...unknown }
  const revoked = ended.has(stored.hash)
  const { tenantId } = stored
  return "keyId" in stored
    ? { kind, prefix, status: statusOf(stored, now), live: isUsable(stored, now), tenantId, id: stored.keyId, revoked }
    : { kind, prefix, status: "active", live: true, tenantId, id: stored.sourceId, revoked }
}

/** The stored rows of the leaked keys of one tenant. */
interface Held {
  readonly apiKeys: ReadonlyArray<StoredKey>
  readonly sources: ReadonlyArray<Source>
}

const held = (found: ReadonlyArray<Found>): Held => ({
  apiKeys: found.flatMap(({ kind, stored }) => (kind === "api_key" && stored !== null ? [stored] : [])),
  sources: found.flatMap(({ kind, stored }) => (kind === "source_key" && stored !== null ? [stored] : []))
})

/** Returns the fields that the audit trail records. */
const reportedKeys = ({ apiKeys, sources }: Held) => ({
  api_keys: apiKeys.map(auditedKey),
  sources: sources.map(({ prefix, sourceId }) => ({ source_id: sourceId, prefix }))
})

/** The maximum number of places in one audit entry. */
const maxPlaces = 100

/** Returns the places where the keys were found, for the audit trail. Investigations of misuse need them. */
const reportedPlaces = (found: ReadonlyArray<Found>, places: ReadonlyMap<string, ReadonlyArray<LeakPlace>>) =>
  found
    .flatMap(({ key, prefix }) => (places.get(key) ?? []).map(({ source, url }) => ({ prefix, url, source })))
    .slice(0, maxPlaces)

/**
 * Revokes the keys that are still valid. The keys are read again inside the unit of work. Returns the keys before and
 * after, and the hashes of the revoked keys.
 */
const end = Effect.fnUntraced(function* ({ apiKeys, sources }: Held, now: number) {
  const keys = yield* ApiKeys
  const stands = { before: new Array<StoredKey>(), after: new Array<StoredKey>() }
  const ended: Array<string> = []
  for (const { keyId, tenantId } of apiKeys) {
    const before = yield* keys.get(tenantId, keyId)
    const after = isUsable(before, now) ? { ...before, revokedAt: now } : before
    if (after !== before) {
      yield* keys.update(after)
      ended.push(before.hash)
    }
    stands.before.push(before)
    stands.after.push(after)
  }
  for (const { hash, sourceId, tenantId } of sources) {
    // The source may have been removed and created again. It then has another key, which has not leaked.
    if ((yield* (yield* Sources).findByHash(hash)) === null) continue
    yield* (yield* Sources).remove(tenantId, sourceId)
    ended.push(hash)
  }
  return { ended, before: { apiKeys: stands.before, sources }, after: { apiKeys: stands.after, sources: [] } }
})

/**
 * Records the leaked keys of one tenant as a part of the privileged action. With `revoke`, also revokes them. Returns
 * the hashes of the revoked keys.
 */
const settle = Effect.fnUntraced(function* (
  tenantId: string,
  found: Held,
  found_at: ReturnType<typeof reportedPlaces>,
  revoke: boolean
) {
  if (!revoke) {
    yield* recordAuditChange({ before: reportedKeys(found), after: { ...reportedKeys(found), found_at } }, tenantId)
    return []
  }
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    // Neither error can occur: API keys are never deleted, and the source was read in this unit of work.
    const { after, before, ended } = yield* Effect.catchTags(end(found, now), {
      KeyNotFound: Effect.die,
      SourceNotFound: Effect.die
    })
    yield* recordAuditChange({ before: reportedKeys(before), after: { ...reportedKeys(after), found_at } })
    return ended
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

/** Groups keys by tenant. The empty id stands for the deployment. Keys that are not stored are omitted. */
const byTenant = (found: ReadonlyArray<Found>): ReadonlyMap<string, ReadonlyArray<Found>> =>
  Map.groupBy(
    found.filter(({ stored }) => stored !== null),
    ({ stored }) => stored?.tenantId ?? ""
  )

/**
 * Finds keys of this deployment in a text, for example in the report of a secret scanner. Returns the owner and the
 * status of each key.
 *
 * With `revoke`, valid keys become invalid immediately. API keys are revoked. The sources of source keys are removed,
 * because a source consists only of its key. The audit trail of each affected tenant gets an entry in the same unit of
 * work. The entry contains the keys, their state before and after, and the places where they were found (`LeakReport`).
 * The log contains every revoked key and `by`.
 */
export const checkLeakedKeys = Effect.fnUntraced(function* (text: string, revoke: boolean, by: string) {
  const keys = findKeys(text)
  if (keys.length > maxLeakedKeys) return yield* new LeakedKeyLimitExceeded({ limit: maxLeakedKeys })
  const now = yield* Clock.currentTimeMillis
  const found = yield* Effect.forEach(keys, lookUp)
  const places = placesIn(text)
  const ended = new Set<string>()
  for (const [tenantId, theirs] of byTenant(found)) {
    const part = settle(tenantId, held(theirs), reportedPlaces(theirs, places), revoke)
    const hashes = yield* auditedPart(tenantId, part)
    hashes.forEach((hash) => ended.add(hash))
  }
  const leaked = found.map((each) => leakedKeyOf(each, ended, now))
  for (const { id, prefix, revoked, tenantId } of leaked) {
    if (revoked) yield* log("key.leaked", { tenant: tenantId, by, prefix, key: id })
  }
  return leaked
}, withSpan("checkLeakedKeys"))
