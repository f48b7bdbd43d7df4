/**
 * Receives and sends text messages, applies their status reports, and manages the blocklist. Reserving and settling a
 * send do not belong here (`workflow/sending`). Tests: `packages/testkit/src/suite/sending`.
 */
import { Clock, Effect } from "effect"
import type { Identity } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { acceptMessage } from "../intake/AcceptMessage.ts"
import { type Accepted, type Inbound, plainInbound } from "../intake/Inbound.ts"
import { spellingsOf } from "../sending/NumberSendContext.ts"
import { isOptedOut } from "../../domain/consent/OptOut.ts"
import { Blocklist, OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { recordConsentChange } from "../sending/RecordConsentChange.ts"
import { fetchMediaId, maxMediaItems } from "../../domain/conversation/TextJob.ts"
import { textKey } from "../../domain/conversation/OutgoingText.ts"
import type { TextArrived } from "../../domain/conversation/TextEvent.ts"
import { type ConsentRequest, detectConsentRequest } from "../../domain/consent/ConsentRequest.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** A received text, with the facts about its sender that determine its treatment. */
interface Received {
  readonly providerEvent: TextArrived
  readonly tenant: Tenant
  /** The sender in E.164. Null for a short code or a name, because no person has one. */
  readonly from: string | null
  readonly to: string
  readonly optedOut: boolean
  readonly blocked: boolean
  readonly consentRequest: ConsentRequest | null
}

/**
 * Returns the consent request in a text. If the provider has detected one, it has precedence, because the provider has
 * already acted on it.
 */
const consentRequestOf = ({ requested, body }: TextArrived): ConsentRequest | null =>
  requested === null ? detectConsentRequest(body) : { request: requested, source: "keyword" }

const identityOf = ({ from, providerEvent }: Received): Identity =>
  from === null ? { kind: "external", source: "sms", value: providerEvent.from.trim() } : { kind: "phone", value: from }

/**
 * Returns whether the text passes through the pipeline. Its sender must be a person who is neither blocked nor opted
 * out, and it must contain no consent request other than `yes`.
 */
const isToAnswer = ({ blocked, from, optedOut, consentRequest }: Received): boolean =>
  from !== null && !blocked && !optedOut && (consentRequest === null || consentRequest.request === "yes")

/**
 * Returns whether the text may reopen a lost or archived lead. A text from a blocked number, and a consent request
 * other than `yes`, must not reopen it.
 */
const isToReopen = ({ blocked, consentRequest }: Received): boolean =>
  !blocked && (consentRequest === null || consentRequest.request === "yes")

/** Returns the metadata that explains the treatment of the text to readers. */
const labelsOf = ({
  blocked,
  providerEvent,
  optedOut,
  consentRequest
}: Received): Readonly<Record<string, unknown>> => ({
  ...providerEvent.details,
  ...(consentRequest !== null &&
    consentRequest.request !== "yes" && { requests: consentRequest.request, asks_by: consentRequest.source }),
  ...(optedOut && { opted_out: true }),
  ...(blocked && { blocked: true })
})

const asInbound = (received: Received, now: number): Inbound => {
  const { from, providerEvent, tenant, to } = received
  const answer = isToAnswer(received)
  return {
    ...plainInbound,
    tenant,
    channel: "sms",
    source: "sms",
    actor: "contact",
    auto: from === null ? "list" : null,
    identities: [identityOf(received)],
    profile: { name: null, email: null, phone: from, company: null },
    body: providerEvent.body,
    numbers: {
      from: from ?? providerEvent.from.trim(),
      to,
      providerMessageId: providerEvent.providerMessageId,
      attachments: providerEvent.media.slice(0, maxMediaItems).map(({ contentType }) => ({
        filename: null,
        contentType,
        size: 0,
        contentId: null,
        inline: false
      }))
    },
    flags: answer ? [] : ["no_auto_reply"],
    ...(!isToReopen(received) && { reopens: false }),
    metadata: labelsOf(received),
    timestamp: now,
    dedupKeys: [textKey(providerEvent.providerMessageId)],
    pipeline: answer ? "queue" : "none"
  }
}

/** Applies the effects of a stored text on its sender. Runs inside the unit of work that stores the text. */
const follow = Effect.fnUntraced(function* (received: Received, { contactId, messageId }: Accepted, now: number) {
  const { from, providerEvent, optedOut, tenant, to, consentRequest } = received
  const { tenantId } = tenant
  if (contactId === null || messageId === null) return
  if (from !== null) {
    // A number that sends texts can also receive them, so it no longer counts as undeliverable.
    yield* (yield* Contacts).markDeliverable(tenantId, from)
    const wants = { tenantId, contactId, phone: from, ownPhone: to }
    if (consentRequest?.request === "stop")
      yield* recordConsentChange({
        ...wants,
        consentChange: { optedOut: true, source: consentRequest.source, at: now }
      })
    if (consentRequest?.request === "start" || (consentRequest?.request === "yes" && optedOut))
      yield* recordConsentChange({
        ...wants,
        consentChange: { optedOut: false, source: consentRequest.source, at: now }
      })
  }
  if (providerEvent.media.length === 0 || tenant.hipaa) return
  const job = { kind: "fetch_media", messageId, media: providerEvent.media.slice(0, maxMediaItems) } as const
  yield* (yield* Jobs).put({ tenantId, jobId: fetchMediaId(messageId), dueAt: now, createdAt: now, job })
})

const receiveFrom = Effect.fnUntraced(function* (providerEvent: TextArrived, tenant: Tenant, to: string) {
  const { tenantId } = tenant
  const from = parsePhoneMemoized(providerEvent.from, null)
  const spellings = from === null ? [] : yield* spellingsOf(from)
  const received: Received = {
    providerEvent,
    tenant,
    from,
    to,
    optedOut: isOptedOut(yield* (yield* OptOuts).of(tenantId, spellings), to),
    blocked: yield* (yield* Blocklist).holds(tenantId, spellings),
    consentRequest: from === null ? null : consentRequestOf(providerEvent)
  }
  return received
})

/** Returns the tenant to which a number is assigned; null if there is none. */
const tenantOf = Effect.fnUntraced(function* (phone: string) {
  const number = yield* (yield* PhoneNumbers).find(phone)
  if (number === null) return null
  const tenants = yield* Tenants
  return yield* tenants.get(number.tenantId).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
})

/**
 * Ingests a verified text to one of the tenants' numbers. Returns null for a number that is assigned to no tenant.
 * Requests to stop, start or get help are recorded, and the provider answers them. Texts from an opted-out or blocked
 * number are stored but not answered. A repeated text has no effect.
 */
export const ingestText = Effect.fnUntraced(function* (providerEvent: TextArrived) {
  const to = parsePhoneMemoized(providerEvent.to, null) ?? providerEvent.to
  const tenant = yield* tenantOf(to)
  if (tenant === null) {
    yield* log("text.dropped", { to, provider_message: providerEvent.providerMessageId })
    return null
  }
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenant.tenantId,
    Effect.gen(function* () {
      const received = yield* receiveFrom(providerEvent, tenant, to)
      const accepted = yield* acceptMessage(asInbound(received, now), now)
      if (accepted.outcome !== "duplicate_of") yield* follow(received, accepted, now)
      return accepted
    })
  )
}, withSpan("ingestText"))
