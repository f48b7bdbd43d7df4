import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { type ErasureKey, Erasures } from "../../port/repository/contact/Erasures.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of erasures, newest first. */
export const listErasures = Effect.fnUntraced(function* (
  tenantId: string,
  page: { readonly limit: number; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "erasures" }
  let after: ErasureKey | null = null
  if (page.cursor !== null) {
    const [requestedAt, erasureId] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof requestedAt !== "number" || typeof erasureId !== "string") return yield* new CursorInvalid()
    after = { requestedAt, erasureId }
  }
  const found = yield* (yield* Erasures).page(tenantId, page.limit + 1, after)
  const erasures = found.slice(0, page.limit)
  const last = erasures.at(-1)
  const more = found.length > page.limit && last !== undefined
  return { erasures, nextCursor: more ? encodeCursor(scope, [last.requestedAt, last.erasureId], pepper) : null }
}, withSpan("listErasures"))
