import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { hashSecret } from "../../domain/access/Credential.ts"
import { Secrets } from "../../domain/access/Secrets.ts"
import { mintSourceKey, type Source } from "../../domain/access/Source.ts"
import { Sources } from "../../port/repository/tenant/Sources.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "./Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** The id of the new source is invalid. */
export class SourceInvalid extends TaggedError("SourceInvalid")<{ readonly reason: string }> {}

const sourceIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u

/**
 * Creates a source of custom events for one tenant, or for all tenants if `tenantId` is null. Only the response to this
 * request shows the key of the source.
 */
export const createSource = Effect.fnUntraced(function* (tenantId: string | null, sourceId: string) {
  if (!sourceIdPattern.test(sourceId)) {
    return yield* new SourceInvalid({
      reason: "Use 1 to 64 letters, digits, dots, dashes and underscores. Start with a letter or a digit."
    })
  }
  if (tenantId !== null) yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const minted = mintSourceKey((yield* Randomness).bytes)
  const source: Source = {
    sourceId,
    tenantId,
    prefix: minted.prefix,
    hash: hashSecret(pepper, minted.key),
    createdAt: yield* Clock.currentTimeMillis
  }
  const { prefix } = source
  const opened = Effect.gen(function* () {
    yield* (yield* Sources).insert(source)
    yield* recordAuditChange({ before: null, after: { source_id: sourceId, prefix } })
  })
  yield* (yield* Transactions).atomically(tenantId ?? "", opened)
  return { source, key: minted.key }
}, withSpan("createSource"))

/**
 * Removes a source of custom events of one tenant, or of all tenants if `tenantId` is null. Its key becomes invalid.
 */
export const removeSource = Effect.fnUntraced(function* (tenantId: string | null, sourceId: string) {
  const unit = Effect.gen(function* () {
    yield* (yield* Sources).remove(tenantId, sourceId)
    yield* recordAuditChange({ before: { source_id: sourceId }, after: null })
  })
  yield* (yield* Transactions).atomically(tenantId ?? "", unit)
}, withSpan("removeSource"))
