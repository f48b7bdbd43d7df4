import { Clock, Effect } from "effect"
import { linkEvent } from "../../domain/link/LinkEvent.ts"
import { countsAsOpen, LinkNotFound, openedAt, readLinkToken, type TrackedLink } from "../../domain/link/TrackedLink.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { TrackedLinks } from "../../port/repository/sequence/TrackedLinks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { storeLinkOpened } from "../cause/StoreLinkOpened.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { mayTrack } from "./TrackLinks.ts"

const notFound = () => new LinkNotFound()

/** Finds the link of a token. Fails with `LinkNotFound` for a link of an archived tenant too. */
export const findLink = Effect.fnUntraced(function* (text: string) {
  const named = readLinkToken(text)
  if (named === null) return yield* notFound()
  const { tenantId, token } = named
  yield* (yield* Tenants).get(tenantId).pipe(Effect.catchTag("TenantNotFound", notFound))
  return (yield* (yield* TrackedLinks).find(tenantId, token)) ?? (yield* notFound())
}, withSpan("findLink"))

/**
 * Records that a link was opened, unless the tenant or the contact no longer permits it. The first opening that counts is
 * a cause of rules and records an event.
 */
export const recordOpen = Effect.fnUntraced(function* ({ tenantId, token }: TrackedLink) {
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    const links = yield* TrackedLinks
    const link = yield* links.find(tenantId, token)
    if (link === null || !countsAsOpen(link, now)) return
    const tenant = yield* (yield* Tenants)
      .get(tenantId)
      .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
    const contact = yield* resolveMergedContact(tenantId, link.contactId)
    const message = yield* (yield* Messages).find(tenantId, link.messageId)
    if (tenant === null || contact === null || message === null) return
    // The consent belongs to the address of the email, which may no longer be the main one of the contact.
    for (const address of message.to) if (!(yield* mayTrack(tenant, address))) return
    yield* links.replace(openedAt(link, now))
    if (link.opens > 0) return
    yield* storeLinkOpened(tenant, link, contact.contactId, now)
    yield* recordEvents([linkEvent(link, contact.contactId, now)], now)
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("recordOpen"))
