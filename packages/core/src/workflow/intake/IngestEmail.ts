import { Clock, Effect } from "effect"
import { rawFingerprint } from "../../domain/email/Fingerprint.ts"
import { mimeSource } from "../../domain/email/MailSource.ts"
import type { ReturnedMail } from "../../domain/email/ReturnedMail.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { acceptClaimed, placeMessage } from "./AcceptMessage.ts"
import { discoverAliases } from "./DiscoverAliases.ts"
import type { MailArrival, ParsedArrival } from "./MailArrival.ts"
import { type ArrivedMail, readArrival } from "./ReadArrival.ts"
import { readsOf } from "./ReadsOf.ts"
import { claimMessage, messageIdKey, recognise, type Recognised } from "./Recognise.ts"
import { storeSource } from "./Sources.ts"
import { countReturned } from "../provider/CountSequenceOutcome.ts"
import { changeDelivery } from "../provider/ChangeDelivery.ts"
import { addReport } from "../provider/AddReport.ts"
import { withSpan } from "../WithSpan.ts"

/** A raw mail before it is parsed. */
export interface RawMail extends MailArrival {
  /** The mail as it arrived (RFC 5322). */
  readonly raw: Uint8Array
}

/** Ingests one mail: stores it as a message, or recognises it as a duplicate. */
export const ingestEmail = (mail: RawMail | ParsedArrival) => Effect.scoped(Effect.flatten(prepareEmail(mail)))

/**
 * Processes one mail from its bytes up to its acceptance: parse, read, recognise, store the source. Returns the effect
 * that accepts the mail. It must run in the same scope. Many mails can thus be prepared concurrently and accepted in
 * order.
 */
export const prepareEmail = Effect.fnUntraced(function* (mail: RawMail | ParsedArrival) {
  const arrival = "raw" in mail ? yield* parse(mail) : mail
  const { envelope, hosted, stored, tenant } = arrival
  const isImported = envelope === undefined && hosted === undefined
  const listed = isImported ? [] : yield* (yield* Grants).list(tenant.tenantId)
  // An account that is disconnected meanwhile still determines which of its mails are the tenant's own.
  const isListed = hosted === undefined || listed.some(({ grantId }) => grantId === hosted.grant.grantId)
  const accounts = isListed ? listed : [...listed, hosted.grant]
  const arrived = readArrival(arrival, accounts, yield* Clock.currentTimeMillis)
  const recognised = yield* recognise(arrived.inbound)
  const sourced = yield* storeSource(arrived.inbound, stored, recognised)
  const { atomically } = yield* Transactions
  const unit = acceptMail({ ...arrived, inbound: sourced.inbound }, recognised)
  const accepted = atomically(tenant.tenantId, unit, readsOf(sourced.inbound, recognised))
  return Effect.tap(accepted, ({ outcome }) => Effect.sync(() => void (sourced.referred = outcome !== "duplicate_of")))
}, withSpan("prepareEmail"))

/** Parses a raw mail. Accepts any bytes. */
const parse = Effect.fnUntraced(function* ({ raw, ...arrival }: RawMail) {
  const parsed = yield* (yield* MailParser).parse(raw, { flow: arrival.tenant.tenantId, mediaType: mimeSource })
  const arrived: ParsedArrival = {
    ...arrival,
    parsed,
    fingerprint: () => parsed.rawFingerprint ?? rawFingerprint(raw),
    stored: { bytes: raw, mediaType: mimeSource }
  }
  return arrived
})

/** Accepts a mail, and applies its effects on account and contacts. Runs inside a unit of work. */
const acceptMail = Effect.fnUntraced(function* (
  { inbound: mail, returned, used }: ArrivedMail,
  recognised: Recognised
) {
  const now = yield* Clock.currentTimeMillis
  const claimed = yield* claimMessage(mail, recognised)
  const inbound = used === null ? mail : yield* discoverAliases(mail, used)
  const accepted = yield* acceptClaimed(inbound, claimed, placeMessage(inbound, now), now)
  if (returned !== null) {
    const keys = [messageIdKey + returned.originalMessageId]
    yield* suppressAddresses(inbound.tenant.tenantId, keys, returned.recipients, now)
  }
  return accepted
})

/**
 * Marks the addresses in a bounce as undeliverable, if this server sent the returned mail to them. The condition is
 * necessary, because anyone can forge a bounce. `keys` are the dedup keys of the returned mail.
 */
export const suppressAddresses = Effect.fnUntraced(function* (
  tenantId: string,
  keys: ReadonlyArray<DedupKey>,
  recipients: ReturnedMail["recipients"],
  now: number
) {
  const messages = yield* Messages
  const contacts = yield* Contacts
  const [holder] = yield* messages.holders(tenantId, keys)
  const original = holder === undefined ? null : yield* messages.find(tenantId, holder.messageId)
  if (original === null || original.actor === "contact") return
  const written = new Set([...original.to, ...original.cc])
  const ours = recipients.some(({ email }) => written.has(email))
  if (ours && original.delivery !== null) {
    const reason = recipients[0]?.reason ?? null
    yield* changeDelivery(tenantId, original.messageId, "bounced", reason)
    yield* addReport(tenantId, original.messageId, "bounced", reason)
    const isComplaint = recipients.some(({ complained = false }) => complained)
    if (original.delivery !== "bounced" && (isComplaint || recipients.some(({ open = false }) => !open)))
      yield* countReturned(original, isComplaint ? "complained" : "bounced")
  }
  for (const { email, open = false, reason } of recipients) {
    if (written.has(email) && !open) yield* contacts.markUndeliverable(tenantId, email, now, reason)
  }
})
