import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Credits } from "../../port/repository/tenant/BillingAccounts.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([number]: CursorKey): number | null => (typeof number === "number" ? number : null)

/** Returns a page of a tenant's credit transactions, newest first. */
export const listCredits = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  const credits = yield* Credits
  return yield* readPage(
    {
      scope: { tenantId, list: "credits" },
      fetch: (limit, before: number | null) => credits.page(tenantId, limit, before),
      keyOf: (line) => [line.number],
      readKey
    },
    page
  )
}, withSpan("listCredits"))

/** Returns the credit balance of a tenant. It can be negative after a refund of credits that were already used. */
export const readCreditBalance = Effect.fnUntraced(function* (tenantId: string) {
  return (yield* (yield* Credits).last(tenantId))?.balance ?? 0
})
