import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Blocklist } from "../../port/repository/contact/OptOuts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requirePhone } from "../tenant/AssignNumber.ts"
import { type BlockedNumber, maxBlockedNumbers } from "../../domain/consent/OptOut.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { withSpan } from "../WithSpan.ts"

/** The blocklist has reached its maximum length. */
export class BlocklistFull extends TaggedError("BlocklistFull")<{ readonly limit: number }> {}

/** Blocks a number. Messages from it get no answer, and nothing is sent to it. Idempotent. */
export const blockNumber = Effect.fnUntraced(function* (tenantId: string, text: string) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const phone = yield* requirePhone(text, config.defaultCountry)
  const createdAt = yield* Clock.currentTimeMillis
  const blocklist = yield* Blocklist
  const block = Effect.gen(function* () {
    if ((yield* blocklist.count(tenantId)) >= maxBlockedNumbers && !(yield* blocklist.holds(tenantId, [phone])))
      return yield* new BlocklistFull({ limit: maxBlockedNumbers })
    return yield* blocklist.add({ tenantId, phone, createdAt })
  })
  return yield* (yield* Transactions).atomically(tenantId, block)
}, withSpan("blockNumber"))

/** Removes a number from the blocklist, in all its forms. Idempotent. */
export const unblockNumber = Effect.fnUntraced(function* (tenantId: string, text: string) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const phone = yield* requirePhone(text, config.defaultCountry)
  const unblock = (yield* Blocklist).remove(tenantId, yield* spellingsOf(phone))
  yield* (yield* Transactions).atomically(tenantId, unblock)
}, withSpan("unblockNumber"))

/** Returns a page of the blocklist, ordered by number. */
export const listBlocked = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  yield* (yield* Tenants).get(tenantId)
  const blocklist = yield* Blocklist
  return yield* readPage(
    {
      scope: { tenantId, list: "blocked_numbers" },
      keyOf: ({ phone }: BlockedNumber) => [phone],
      readKey: ([phone]) => (typeof phone === "string" ? phone : null),
      fetch: (limit, after) => blocklist.page(tenantId, limit, after)
    },
    page
  )
}, withSpan("listBlocked"))
