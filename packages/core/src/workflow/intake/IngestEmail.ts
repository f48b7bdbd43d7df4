import { Clock, Effect } from "effect"
import { discovered } from "../../domain/email/Alias.ts"
import { rawFingerprint } from "../../domain/email/Fingerprint.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { type MailSource, mimeSource } from "../../domain/email/MailSource.ts"
import type { ReadMail } from "../../domain/email/ReadMail.ts"
import type { ReturnedMail } from "../../domain/email/ReturnedMail.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { acceptClaimed } from "./AcceptMessage.ts"
import { type ArrivedMail, type InboundMail, type MailArrival, readArrival } from "./MailInbound.ts"
import { claimMessage, messageIdKey, recognise, type Recognised } from "./Recognise.ts"
import { storeSource } from "./Sources.ts"

/** A raw mail before it is parsed. */
export interface RawMail extends MailArrival {
  /** The mail as it arrived, RFC 5322. */
  readonly raw: Uint8Array
}

/** Returns the account of the tenant that receives the mail. Imported mail belongs to none. */
const accountOf = Effect.fnUntraced(function* ({ envelope, hosted, tenant }: MailArrival) {
  if (hosted !== undefined) return hosted.grant
  return envelope === undefined ? null : yield* (yield* Grants).current(tenant.tenantId)
})

/**
 * Sets the aliases, except those that another tenant has connected. No effect when the account has been disconnected.
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
 * Adds the recipients on the tenant's domain to the aliases of its connected account (specification, alias
 * auto-discovery). Returns those that exceed the limit of aliases. Runs inside a unit of work.
 */
const discoverAliases = Effect.fnUntraced(function* (
  { domain, tenantId }: Pick<Tenant, "domain" | "tenantId">,
  recipients: ReadonlyArray<string>
) {
  if (recipients.length === 0) return []
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null || domain === null) return []
  const { aliases, skipped } = discovered(grant, recipients, domain)
  if (aliases.length > grant.aliases.length) yield* setFree(grant, aliases)
  return skipped
})

/**
 * Marks the addresses in a bounce as undeliverable, if this server sent the returned mail to them. Anybody can forge a
 * bounce. The dedup keys identify the returned mail.
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
  if (ours && original.delivery !== null) yield* messages.setDelivery(tenantId, original.messageId, "bounced")
  for (const { email, open = false, reason } of recipients) {
    if (written.has(email) && !open) yield* contacts.markUndeliverable(tenantId, email, now, reason)
  }
})

const withRemark = (inbound: InboundMail, skipped: ReadonlyArray<string>): InboundMail => {
  if (skipped.length === 0) return inbound
  const remark = `too many aliases to add: ${skipped.join(", ")}`
  return { ...inbound, detail: [remark, ...(inbound.detail === null ? [] : [inbound.detail])].join("; ").slice(0, 500) }
}

/** Accepts a mail whose source is stored, with its effects on account and contacts. Runs inside a unit of work. */
const acceptMail = Effect.fnUntraced(function* (
  { inbound, newAliases, returned }: ArrivedMail,
  recognised: Recognised
) {
  const { tenant } = inbound
  const now = yield* Clock.currentTimeMillis
  const claimed = yield* claimMessage(inbound, recognised)
  const skipped = yield* discoverAliases(tenant, newAliases)
  const accepted = yield* acceptClaimed(withRemark(inbound, skipped), claimed, now)
  if (returned !== null) {
    const keys = [messageIdKey + returned.originalMessageId]
    yield* suppressAddresses(tenant.tenantId, keys, returned.recipients, now)
  }
  return accepted
})

/** Takes a parsed mail up to its acceptance, which the returned effect performs within the scope. */
const prepareParsed = Effect.fnUntraced(function* (
  arrival: MailArrival,
  parsed: ReadMail,
  fingerprint: () => string,
  source: MailSource
) {
  const account = yield* accountOf(arrival)
  const mail = readArrival(arrival, parsed, account, fingerprint, yield* Clock.currentTimeMillis)
  const recognised = yield* recognise(mail.inbound)
  const sourced = yield* storeSource(mail.inbound, source, recognised)
  const { atomically } = yield* Transactions
  const accept = atomically(arrival.tenant.tenantId, acceptMail({ ...mail, inbound: sourced.inbound }, recognised))
  return Effect.tap(accept, ({ outcome }) => Effect.sync(() => void (sourced.referred = outcome !== "duplicate_of")))
})

/** Ingests a mail that a provider has parsed, and stores its source. */
export const ingestParsed = Effect.fn("ingestParsed")(
  (arrival: MailArrival, parsed: ReadMail, fingerprint: () => string, source: MailSource) =>
    Effect.scoped(Effect.flatten(prepareParsed(arrival, parsed, fingerprint, source)))
)

/**
 * Parses one raw mail, recognises duplicates and stores its source. Returns the effect that accepts the mail within the
 * scope. Use it to parse many mails concurrently and accept them in order.
 */
export const prepareEmail = Effect.fn("prepareEmail")(function* ({ raw, ...arrival }: RawMail) {
  const parsed = yield* (yield* MailParser).parse(raw, { flow: arrival.tenant.tenantId, mediaType: mimeSource })
  const fingerprint = () => parsed.rawFingerprint ?? rawFingerprint(raw)
  return yield* prepareParsed(arrival, parsed, fingerprint, { bytes: raw, mediaType: mimeSource })
})

/** Ingests one raw mail. Any bytes are accepted: they become a stored message or a duplicate. */
export const ingestEmail = (input: RawMail) => Effect.scoped(Effect.flatten(prepareEmail(input)))
