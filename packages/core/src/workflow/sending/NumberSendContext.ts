import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { parsePhoneMemoized, phoneVariants } from "../../domain/address/Phone.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { Blocklist, OptOuts } from "../../port/repository/contact/OptOuts.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { CallSendContext, TextSendContext } from "../../domain/consent/MaySend.ts"
import { isOptedOut } from "../../domain/consent/OptOut.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { senderAmong } from "../../domain/address/PhoneNumber.ts"
import { guardEnd } from "../../domain/sequence/PlanStep.ts"
import { awakeMillis, quietUntil, zonesOf } from "../../domain/time/QuietHours.ts"
import { withSpan } from "../WithSpan.ts"

/** A request to send a text to a contact or to call it. */
export interface NumberSendInput {
  readonly tenant: Tenant
  readonly contact: Contact
  /** `nobody` if the pipeline or a rule initiated the text or call. */
  readonly by: "person" | "nobody"
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * The contact's number in E.164. If absent, a text goes to the number of the contact's last text, otherwise to the
   * number in the contact's record. A call goes to the number in the record.
   */
  readonly recipient?: string
  /**
   * The tenant's number in E.164 from which the text or call comes. If absent, it is the number to which the contact
   * last wrote, otherwise the default number.
   */
  readonly ownPhone?: string
  /** The denial reasons that the person overrides. Absent or null if there are none. */
  readonly override?: SendOverride | null
  /**
   * True for messages of sequences: quiet hours apply although the contact has just written, and so do those of the
   * guardrails. Default: false.
   */
  readonly alwaysQuiet?: boolean
  /** 1 if the text itself is already among the counted automatic texts. The default is 0. */
  readonly counted?: 0 | 1
}

const dayMillis = 24 * 3_600_000

/** Returns all forms of a number, and their tombstones. Queries of the blocklist and of opt-outs need them. */
export const spellingsOf = Effect.fnUntraced(function* (phone: string) {
  const { pepper } = yield* Secrets
  const spellings = [phone, ...phoneVariants(phone)]
  return [...spellings, ...spellings.map((one) => tombstone(one, pepper))]
})

/**
 * Returns the contact's number in E.164, from its record; without a valid number there, from its first phone identity.
 * Returns null when it has none.
 */
export const phoneOf = Effect.fnUntraced(function* (contact: Contact, defaultCountry: string) {
  const known = contact.phone === null ? null : parsePhoneMemoized(contact.phone, defaultCountry)
  if (known !== null) return known
  const identities = yield* (yield* Contacts).identitiesOf(contact.tenantId, contact.contactId)
  return identities.find(({ kind }) => kind === "phone")?.value ?? null
})

/**
 * Returns the number of a contact's text, in its form in the text. Returns null if a person has removed the number from
 * the contact since, because another person may have it.
 */
const numberOfText = Effect.fnUntraced(function* ({ contactId, tenantId }: Contact, { from }: Message) {
  if (from === null) return null
  const identities = yield* (yield* Contacts).identitiesOf(tenantId, contactId)
  const forms = [from, ...phoneVariants(from)]
  return identities.some(({ kind, value }) => kind === "phone" && forms.includes(value)) ? from : null
})

const senderOf = Effect.fnUntraced(function* (requested: NumberSendInput, last: Message | null) {
  const numbers = yield* (yield* PhoneNumbers).ofTenant(requested.tenant.tenantId)
  const own = numbers.map(({ phone }) => phone)
  if (requested.ownPhone !== undefined) return own.includes(requested.ownPhone) ? requested.ownPhone : null
  return last?.to.find((phone) => own.includes(phone)) ?? senderAmong(numbers)
})

/**
 * Returns whether a person answers a message of the last hour. The contact then counts as awake, and quiet hours do not
 * apply.
 */
const isAwake = ({ alwaysQuiet = false, by, now }: NumberSendInput, last: Message | null): boolean =>
  by === "person" && !alwaysQuiet && last !== null && now - last.receivedAt <= awakeMillis

const readNumberSendContext = Effect.fnUntraced(function* (requested: NumberSendInput, channel: "sms" | "voice") {
  const { by, contact, now, tenant } = requested
  const { tenantId } = tenant
  const { guardrails, timeZone } = tenant.config
  const last = yield* (yield* Messages).newestText(tenantId, contact.contactId)
  const written = channel === "sms" && last !== null ? yield* numberOfText(contact, last) : null
  const recipient = requested.recipient ?? written ?? (yield* phoneOf(contact, tenant.config.defaultCountry))
  const sender = yield* senderOf(requested, last)
  const spellings = recipient === null ? [] : yield* spellingsOf(recipient)
  const undeliverable =
    recipient === null || channel === "voice" ? null : yield* (yield* Contacts).undeliverable(tenantId, recipient)
  const quiet =
    recipient === null || isAwake(requested, last)
      ? null
      : (quietUntil(zonesOf(contact.attributes, recipient, timeZone), now) ??
        (requested.alwaysQuiet === true ? guardEnd({ guardrails, tenantZone: timeZone }, now) : null))
  return {
    by,
    tenantId,
    hipaa: tenant.hipaa,
    now,
    recipient,
    sender,
    optedOut: isOptedOut(yield* (yield* OptOuts).of(tenantId, spellings), sender),
    blocked: yield* (yield* Blocklist).holds(tenantId, spellings),
    undeliverable,
    override: requested.override ?? null,
    quietUntil: quiet
  }
})

/**
 * Reads the facts that `maySend` needs for a call. A number that is undeliverable for texts, such as a landline, can
 * still receive calls, so undeliverability is ignored.
 */
export const readCallSendContext = Effect.fnUntraced(function* (requested: NumberSendInput) {
  return { channel: "voice", ...(yield* readNumberSendContext(requested, "voice")) } satisfies CallSendContext
}, withSpan("readCallSendContext"))

/** Reads the facts that `maySend` needs for a text. */
export const readTextSendContext = Effect.fnUntraced(function* (requested: NumberSendInput) {
  const { contact, counted = 0, now, tenant } = requested
  const of = yield* readNumberSendContext(requested, "sms")
  const { inConversation, toCorrespondent } = yield* (yield* Sends).textCounts(
    tenant.tenantId,
    contact.contactId,
    of.recipient ?? "",
    now - dayMillis
  )
  return {
    channel: "sms",
    ...of,
    repliesInThread: Math.max(0, inConversation - counted),
    repliesToCorrespondent: Math.max(0, toCorrespondent - counted)
  } satisfies TextSendContext
}, withSpan("readTextSendContext"))
