import { Clock, Effect } from "effect"
import { Errands } from "../../port/repository/webhook/Errands.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { expireGrant } from "./ExpireGrant.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { ownsMailbox } from "../intake/MailOwner.ts"
import type { HostedListing } from "../../domain/email/HostedMail.ts"
import { providerKey } from "../intake/ProviderNames.ts"
import {
  catchUpMillis,
  catchUpOverlapMillis,
  fetchId,
  type MailErrand,
  oldMailMillis
} from "../../domain/email/MailErrand.ts"

type CatchUp = Extract<MailErrand, { readonly kind: "catch_up" }>

/** When to look again, and from where on. */
export interface NextLook {
  readonly dueAt: number
  readonly errand: CatchUp
}

/** Notes what the provider says of the account; true when it may be read. */
const isOpen = Effect.fnUntraced(function* (grant: Grant, providerGrantId: string) {
  const gone = { valid: false }
  const hosted = yield* HostedMail
  const { valid } = yield* hosted
    .account(providerGrantId)
    .pipe(Effect.catchTag("HostedGone", () => Effect.succeed(gone)))
  if (!valid) {
    yield* expireGrant(grant, "the provider says that the permission is over")
    return false
  }
  if (grant.status === "active") return true
  yield* (yield* Transactions).atomically(
    grant.tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const there = yield* grants.current(grant.tenantId)
      if (there === null || there.grantId !== grant.grantId) return
      const updatedAt = yield* Clock.currentTimeMillis
      yield* grants
        .update({ ...there, status: "active", updatedAt })
        .pipe(Effect.catchTag("GrantNotFound", () => Effect.void))
    })
  )
  return true
})

/** Keeps an errand for each listed mail that is not here. */
const keepMissing = Effect.fnUntraced(function* (
  { grantId, tenantId }: Grant,
  providerGrantId: string,
  listed: ReadonlyArray<HostedListing>
) {
  const keyOf = ({ providerMessageId }: HostedListing) => providerKey(providerGrantId, providerMessageId)
  const errands = yield* Errands
  const held = yield* (yield* Messages).holders(tenantId, listed.map(keyOf))
  const here = new Set(held.map(({ key }) => key))
  const now = yield* Clock.currentTimeMillis
  const missing = listed.filter((mail) => !here.has(keyOf(mail)))
  yield* Effect.forEach(missing, ({ providerMessageId, receivedAt }) => {
    const historical = now - receivedAt > oldMailMillis
    const errand = { kind: "fetch", grantId, providerMessageId, historical } as const
    return errands.put({
      tenantId,
      errandId: fetchId(grantId, providerMessageId),
      dueAt: now,
      createdAt: now,
      errand
    })
  })
})

/**
 * Looks through one page of what came into an account since the last look, so that a webhook that never came loses
 * nothing. What is here already stays as it is, and mail of the time before the account was connected is not asked for.
 */
export const catchUp = Effect.fn("catchUp")(function* (grant: Grant, providerGrantId: string, errand: CatchUp) {
  const now = yield* Clock.currentTimeMillis
  const later = (changes: Partial<CatchUp>): NextLook => ({
    dueAt: now + catchUpMillis,
    errand: { ...errand, page: null, ...changes }
  })
  if (!(yield* isOpen(grant, providerGrantId))) return later({})
  // Its mail is the other tenant's until that one lets go of it.
  if (!(yield* ownsMailbox(grant))) return later({ since: now })
  const since = Math.max(errand.since - catchUpOverlapMillis, grant.createdAt)
  const { messages, next } = yield* (yield* HostedMail).listSince(providerGrantId, since, errand.page?.next ?? null)
  yield* (yield* Transactions).atomically(grant.tenantId, keepMissing(grant, providerGrantId, messages))
  const begunAt = errand.page?.begunAt ?? now
  if (next === null) return later({ since: begunAt })
  const goOn: NextLook = { dueAt: now, errand: { ...errand, page: { next, begunAt } } }
  return goOn
})
