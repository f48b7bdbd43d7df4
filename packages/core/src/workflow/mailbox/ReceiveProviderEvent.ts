import { Clock, Effect } from "effect"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { suppressAddresses } from "../intake/IngestEmail.ts"
import { expireGrant } from "./ExpireGrant.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { HostedMailEvent } from "../../domain/email/HostedMail.ts"
import { normalizeMessageId } from "../../domain/email/MessageId.ts"
import { messageIdKey, providerKey } from "../intake/Recognise.ts"
import { catchUpId, fetchId, oldMailMillis } from "../../domain/email/MailJob.ts"
import { withSpan } from "../WithSpan.ts"

type ProviderEvent<Tag extends HostedMailEvent["_tag"]> = Extract<HostedMailEvent, { readonly _tag: Tag }>

const keepFetch = Effect.fnUntraced(function* (
  { grantId, tenantId }: Grant,
  { providerMessageId, receivedAt }: ProviderEvent<"MessageArrived">
) {
  const now = yield* Clock.currentTimeMillis
  const historical = receivedAt !== null && now - receivedAt > oldMailMillis
  const job = { kind: "fetch", grantId, providerMessageId, historical } as const
  const jobId = fetchId(grantId, providerMessageId)
  yield* (yield* Jobs).put({ tenantId, jobId, dueAt: now, createdAt: now, job })
})

const checkAccount = Effect.fnUntraced(function* ({ grantId, tenantId }: Grant) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Jobs).hurry(tenantId, catchUpId(grantId), now)
})

const closeReturned = Effect.fnUntraced(function* (
  { tenantId }: Grant,
  {
    closed,
    hard,
    originalMessageId,
    originalProviderId,
    providerGrantId,
    reason,
    recipients
  }: ProviderEvent<"MailReturned">
) {
  if (!hard) return
  const messageId = originalMessageId === null ? null : normalizeMessageId(originalMessageId)
  const keys = [
    ...(originalProviderId === null ? [] : [providerKey(providerGrantId, originalProviderId)]),
    ...(messageId === null ? [] : [messageIdKey + messageId])
  ]
  const now = yield* Clock.currentTimeMillis
  const returned = recipients.map(({ email }) => ({ email, reason: `bounced ${reason}`.trim(), open: !closed }))
  yield* suppressAddresses(tenantId, keys, returned, now)
})

/** Applies a provider event to one account. Runs inside a unit of work. */
const follow = Effect.fnUntraced(function* (
  grant: Grant,
  providerEvent: Exclude<HostedMailEvent, ProviderEvent<"Ignored">>
) {
  switch (providerEvent._tag) {
    case "MessageArrived":
      return yield* keepFetch(grant, providerEvent)
    case "AccountChanged":
      return yield* checkAccount(grant)
    case "AccountExpired":
      return yield* expireGrant(grant, "the provider reports that the permission has expired")
    case "MailReturned":
      return yield* closeReturned(grant, providerEvent)
  }
})

/**
 * Receives a verified provider event. The resulting work is queued when this effect completes, because downloading a
 * mail takes longer than the provider waits for a response. An event of an unknown account is ignored.
 */
export const receiveProviderEvent = Effect.fnUntraced(function* (providerEvent: HostedMailEvent) {
  if (providerEvent._tag === "Ignored") return
  const transactions = yield* Transactions
  const grants = yield* (yield* Grants).ofProvider(providerEvent.providerGrantId)
  yield* Effect.forEach(grants, (grant) => transactions.atomically(grant.tenantId, follow(grant, providerEvent)), {
    discard: true
  })
}, withSpan("receiveProviderEvent"))
