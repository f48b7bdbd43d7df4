import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { ConfigVersionNotFound } from "../../domain/tenant/Tenant.ts"
import { ConfigChanges, Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of the changes to a tenant's configuration, newest first. */
export const listConfigChanges = Effect.fnUntraced(function* (
  tenantId: string,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "config_changes" }
  let before: number | null = null
  if (page.cursor !== null) {
    const [version] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof version !== "number") return yield* new CursorInvalid()
    before = version
  }
  const found = yield* (yield* ConfigChanges).page(tenantId, page.limit + 1, before)
  const changes = found.slice(0, page.limit)
  const last = changes.at(-1)
  const more = found.length > page.limit && last !== undefined
  return { changes, nextCursor: more ? encodeCursor(scope, [last.version], pepper) : null }
}, withSpan("listConfigChanges"))

/** Returns one version of a configuration, and the record of its change. The record is null for the first version. */
export const readConfigVersion = Effect.fnUntraced(function* (tenantId: string, version: number) {
  const tenants = yield* Tenants
  yield* tenants.get(tenantId)
  const config = yield* tenants.configAt(tenantId, version)
  if (config === null) return yield* new ConfigVersionNotFound({ tenantId, version })
  return { config, change: yield* (yield* ConfigChanges).find(tenantId, version) }
}, withSpan("readConfigVersion"))
