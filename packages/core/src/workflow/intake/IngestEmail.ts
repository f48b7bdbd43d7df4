import { Clock, Effect } from "effect"
import { discovered } from "../../domain/email/Alias.ts"
import { rawFingerprint } from "../../domain/email/Fingerprint.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { mimeSource } from "../../domain/email/MailSource.ts"
import type { ReturnedMail } from "../../domain/email/ReturnedMail.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { acceptClaimed, placeMessage } from "./AcceptMessage.ts"
import { type ArrivedMail, type InboundMail, type MailArrival, type ParsedArrival, readArrival } from "./MailInbound.ts"
import { readsOf } from "./ReadsOf.ts"
import { claimMessage, messageIdKey, recognise, type Recognised } from "./Recognise.ts"
import { storeSource } from "./Sources.ts"
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
  const account = envelope === undefined ? null : yield* (yield* Grants).current(tenant.tenantId)
  const arrived = readArrival(arrival, hosted?.grant ?? account, yield* Clock.currentTimeMillis)
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
  { inbound: mail, newAliases, returned }: ArrivedMail,
  recognised: Recognised
) {
  const now = yield* Clock.currentTimeMillis
  const claimed = yield* claimMessage(mail, recognised)
  const inbound = newAliases.length === 0 ? mail : yield* discoverAliases(mail, newAliases)
  const accepted = yield* acceptClaimed(inbound, claimed, placeMessage(inbound, now), now)
  if (returned !== null) {
    const keys = [messageIdKey + returned.originalMessageId]
    yield* suppressAddresses(inbound.tenant.tenantId, keys, returned.recipients, now)
  }
  return accepted
})

/**
 * Adds the recipients on the tenant's domain to the aliases of its connected account (specification, alias
 * auto-discovery). Returns the mail with a remark about the recipients that exceed the limit of aliases. Runs inside a
 * unit of work.
 */
const discoverAliases = Effect.fnUntraced(function* (inbound: InboundMail, recipients: ReadonlyArray<string>) {
  const { domain, tenantId } = inbound.tenant
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null || domain === null) return inbound
  const { aliases, skipped } = discovered(grant, recipients, domain)
  if (aliases.length > grant.aliases.length) yield* setFree(grant, aliases)
  if (skipped.length === 0) return inbound
  const remarks = [
    `not added as aliases, because the limit is reached: ${skipped.join(", ")}`,
    ...(inbound.detail === null ? [] : [inbound.detail])
  ]
  return { ...inbound, detail: remarks.join("; ").slice(0, 500) }
})

/**
 * Stores the aliases, except those that another tenant has connected. Has no effect when the account has been
 * disconnected.
 */
const setFree = Effect.fnUntraced(function* (grant: Grant, aliases: ReadonlyArray<string>) {
  const grants = yield* Grants
  const updatedAt = yield* Clock.currentTimeMillis
  const set = (list: ReadonlyArray<string>) => grants.setAliases({ ...grant, aliases: list, updatedAt })
  yield* set(aliases).pipe(
    Effect.catchTag("AddressTaken", ({ addresses }) => set(aliases.filter((email) => !addresses.includes(email)))),
    Effect.catchTag(["GrantNotFound", "AddressTaken"], () => Effect.void)
  )
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
    yield* messages.setDelivery(tenantId, original.messageId, "bounced")
    yield* addReport(tenantId, original.messageId, "bounced", recipients[0]?.reason ?? null)
  }
  for (const { email, open = false, reason } of recipients) {
    if (written.has(email) && !open) yield* contacts.markUndeliverable(tenantId, email, now, reason)
  }
})
