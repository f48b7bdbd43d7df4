import { Clock, Data, Effect } from "effect"
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
export const maxLeakedKeys = 500

/** The text holds more than `maxLeakedKeys` keys. */
export class LeakedKeyLimitExceeded extends Data.TaggedError("LeakedKeyLimitExceeded")<{ readonly limit: number }> {}

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

/** A key of a text, and what is kept of it: null where nobody here has it. */
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

/** What a tenant has of the keys that were found, at one moment. */
interface Held {
  readonly apiKeys: ReadonlyArray<StoredKey>
  readonly sources: ReadonlyArray<Source>
}

const held = (found: ReadonlyArray<Found>): Held => ({
  apiKeys: found.flatMap(({ kind, stored }) => (kind === "api_key" && stored !== null ? [stored] : [])),
  sources: found.flatMap(({ kind, stored }) => (kind === "source_key" && stored !== null ? [stored] : []))
})

/** What the audit trail says of them. */
const reportedKeys = ({ apiKeys, sources }: Held) => ({
  api_keys: apiKeys.map(auditedKey),
  sources: sources.map(({ prefix, sourceId }) => ({ source_id: sourceId, prefix }))
})

/** Places that one entry tells of. */
const maxPlaces = 100

/** Where keys were found, as the audit trail says it: whoever has to find out who used them begins there. */
const reportedPlaces = (found: ReadonlyArray<Found>, places: ReadonlyMap<string, ReadonlyArray<LeakPlace>>) =>
  found
    .flatMap(({ key, prefix }) => (places.get(key) ?? []).map(({ source, url }) => ({ prefix, url, source })))
    .slice(0, maxPlaces)

/** Ends what still opens something, read anew within the unit of work: how it stood, how it stands, and what was ended. */
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
    // Of the same name there may be another one by now, whose key nobody has found.
    if ((yield* (yield* Sources).findByHash(hash)) === null) continue
    yield* (yield* Sources).remove(tenantId, sourceId)
    ended.push(hash)
  }
  return { ended, before: { apiKeys: stands.before, sources }, after: { apiKeys: stands.after, sources: [] } }
})

/** What is done to one tenant's keys, as a part of the action; answers the hashes of those that it ended. */
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
    // Both have just been read, and keys are never taken away.
    const { after, before, ended } = yield* Effect.catchTags(end(found, now), {
      KeyNotFound: Effect.die,
      SourceNotFound: Effect.die
    })
    yield* recordAuditChange({ before: reportedKeys(before), after: { ...reportedKeys(after), found_at } })
    return ended
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

/** Whose keys were found; empty: the deployment's. Keys that nobody here has concern nobody. */
const byTenant = (found: ReadonlyArray<Found>): ReadonlyMap<string, ReadonlyArray<Found>> =>
  Map.groupBy(
    found.filter(({ stored }) => stored !== null),
    ({ stored }) => stored?.tenantId ?? ""
  )

/**
 * Finds our keys in a text, as a secret scanner or a colleague reports it, and says whose they are and whether they still
 * open anything. With `revoke` those that do are ended at once: API keys are revoked, and the sources of source keys
 * removed, of which the key is all that there is. The audit trail of every tenant whose keys were found has an entry, of
 * the same unit of work as what was done to them: which keys, how they stood before and after, and where they were found
 * (`LeakReport`). Each that was ended is in the log with who did it.
 */
export const checkLeakedKeys = Effect.fn("checkLeakedKeys")(function* (text: string, revoke: boolean, by: string) {
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
    if (revoked)
      yield* Effect.logWarning("A leaked key was revoked").pipe(
        Effect.annotateLogs({ by, prefix, id, tenant: tenantId })
      )
  }
  return leaked
})
