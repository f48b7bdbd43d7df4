// Consent: opt-outs, blocked numbers, and the decision whether a message or call may leave the server. The limit of
// emails per hour does not belong here (`domain/sending`). Tests: `packages/core/test/domain/consent`.

import { domainOf, isEmail, isNoReply } from "../address/Address.ts"
import { type Clearance, grantClearance, type OutboundChannel } from "./Clearance.ts"
import type { Auto, MessageFlag } from "../conversation/Message.ts"
import type { Cause } from "../reason/Reason.ts"
import { type OverridableReason, overridableReasons, type SendOverride } from "./Override.ts"

/**
 * The limit of automatic replies in one email thread or text conversation. The count restarts when a person of the
 * tenant writes.
 */
export const maxRepliesPerThread = 3
/** The limit of automatic replies to one correspondent in 24 hours. */
export const maxRepliesPerCorrespondent = 5

/** The limit of automatic emails to one address in 24 hours, from which on rules forward nothing to the address. */
export const maxForwardsPerAddress = 50

/** The facts that every decision about a send needs. */
interface SendContextBase {
  readonly tenantId: string
  readonly hipaa: boolean
  readonly now: number
}

/**
 * The facts that decide about an automatic email reply. They do not include the number of replies to one inbound
 * message, because the key of the reservation permits only one reply.
 */
export interface ReplySendContext extends SendContextBase {
  readonly channel: "email"
  readonly by: "nobody"
  /** The kind of automatic mail; null if a person wrote the inbound message. */
  readonly auto: Auto | null
  readonly flags: ReadonlyArray<MessageFlag>
  /** The normalised recipient; null if the mail contains no address. */
  readonly recipient: string | null
  /** The addresses of the connected account and its aliases. Null if no account is connected. */
  readonly ownAddresses: ReadonlyArray<string> | null
  readonly tenantDomain: string | null
  /** True if the recipient has opted out of messages from the tenant. */
  readonly optedOut: boolean
  /** The reason why mail to the recipient cannot be delivered; null if no problem is known. */
  readonly undeliverable: string | null
  /** The reason why a person must confirm that the reply goes to the `Reply-To` address. Null if there is none. */
  readonly diverted: Cause | null
  /** The number of automatic replies in the thread since a person of the tenant last wrote in it. */
  readonly repliesInThread: number
  /** The number of automatic replies to the recipient in the last 24 hours. */
  readonly repliesToCorrespondent: number
  /** The time when the hourly limit permits the next send, in epoch milliseconds. */
  readonly slotAt: number
}

/** The facts that decide about an email that a person sends. The person, not this server, chooses the recipients. */
export interface MailSendContext extends SendContextBase {
  readonly channel: "email"
  readonly by: "person"
  /** All recipients, normalised. */
  readonly recipients: ReadonlyArray<string>
  readonly connected: boolean
  /** True if a recipient has opted out of messages from the tenant. */
  readonly optedOut: boolean
  /** The undeliverable recipients and the reasons. */
  readonly undeliverable: ReadonlyArray<{ readonly address: string; readonly reason: string }>
  /** The person's override of a denial. Null if there is none. */
  readonly override: SendOverride | null
  /** The end of the contact's current quiet hours for a scheduled email. Null outside quiet hours, and for other emails. */
  readonly quietUntil: number | null
}

/** The facts that decide about an email that a rule forwards. The rule states the recipients. */
export interface ForwardSendContext extends SendContextBase {
  readonly channel: "email"
  readonly by: "rule"
  /** The kind of automatic mail of the forwarded email; null if a person wrote it. */
  readonly auto: Auto | null
  readonly flags: ReadonlyArray<MessageFlag>
  /** True if the forwarded email could not be parsed. */
  readonly unparsed: boolean
  /** All recipients, normalised. */
  readonly recipients: ReadonlyArray<string>
  /** True if an account of the tenant can send the email. */
  readonly connected: boolean
  /** True if a recipient is an address of the tenant. */
  readonly toSelf: boolean
  /** True if a recipient is an address of the contact who wrote the email. */
  readonly toContact: boolean
  /** True if a recipient has opted out of messages from the tenant. */
  readonly optedOut: boolean
  /** The undeliverable recipients and the reasons. */
  readonly undeliverable: MailSendContext["undeliverable"]
  /** The number of automatic emails in the last 24 hours to the recipient with the most. */
  readonly sentToRecipient: number
  /** The end of the quiet hours in the guardrails, in epoch milliseconds. Null outside of them. */
  readonly quietUntil: number | null
}

/** The facts that decide about a text or call to a number. */
interface NumberSendContext extends SendContextBase {
  /** `nobody` if the pipeline or a rule initiated the text or call. */
  readonly by: "person" | "nobody"
  /** In E.164; null if the contact has no number. */
  readonly recipient: string | null
  /** The tenant's sender number in E.164; null if the tenant has none. */
  readonly sender: string | null
  /** True if the contact has opted out of messages from this sender number, or from all numbers of the tenant. */
  readonly optedOut: boolean
  /** True if the tenant has blocked the number. */
  readonly blocked: boolean
  /** The reason why the number is unreachable; null if no problem is known. */
  readonly undeliverable: string | null
  /** The person's override of a denial. Null if there is none. */
  readonly override: SendOverride | null
  /**
   * The end of the current quiet hours in the contact's time zone, in epoch milliseconds. Null outside quiet hours, or
   * if quiet hours do not apply.
   */
  readonly quietUntil: number | null
}

/** The facts that decide about a text message. */
export interface TextSendContext extends NumberSendContext {
  readonly channel: "sms"
  /** The number of automatic texts in the conversation since a person of the tenant last wrote. */
  readonly repliesInThread: number
  /** The number of automatic texts to this number in the last 24 hours. */
  readonly repliesToCorrespondent: number
}

/** The facts that decide about a call. */
export interface CallSendContext extends NumberSendContext {
  readonly channel: "voice"
}

export type SendContext = ReplySendContext | MailSendContext | ForwardSendContext | TextSendContext | CallSendContext

/**
 * The result of a decision. Only `Allow` contains the clearance that ports require.
 *
 * - `overridden`: the override that turned a denial into this result. Null if no override was needed.
 * - `overridable`: the reasons that a permitted person may override. Empty if no override is possible.
 */
export type SendVerdict =
  | { readonly _tag: "Allow"; readonly clearance: Clearance; readonly overridden: SendOverride | null }
  | {
      readonly _tag: "Defer"
      readonly until: number
      readonly reason: Cause
      readonly overridden: SendOverride | null
    }
  | {
      readonly _tag: "Deny"
      readonly reasons: ReadonlyArray<Cause>
      readonly overridable: ReadonlyArray<OverridableReason>
    }

/** A possible reason for a denial: whether it applies, the reason as data, and its name if a person may override it. */
type DenialReason = readonly [boolean, Cause, OverridableReason?]

const recipientDenialReasons = (of: ReplySendContext): ReadonlyArray<DenialReason> => {
  const { ownAddresses, recipient, tenantDomain } = of
  if (recipient === null || !isEmail(recipient)) return [[true, { code: "no_recipient" }]]
  return [
    [isNoReply(recipient), { code: "unattended_mailbox" }],
    [
      (ownAddresses ?? []).includes(recipient) || (tenantDomain !== null && domainOf(recipient) === tenantDomain),
      { code: "own_address" }
    ],
    [of.optedOut, { code: "opted_out" }],
    [of.undeliverable !== null, { code: "mail_comes_back", address: null, detail: of.undeliverable ?? "" }]
  ]
}

const budgetDenialReasons = (
  { repliesInThread, repliesToCorrespondent }: Pick<TextSendContext, "repliesInThread" | "repliesToCorrespondent">,
  place: string,
  whom: string
): ReadonlyArray<DenialReason> => [
  [repliesInThread >= maxRepliesPerThread, { code: "replies_in_conversation", max: maxRepliesPerThread, place }],
  [
    repliesToCorrespondent >= maxRepliesPerCorrespondent,
    { code: "replies_to_correspondent", max: maxRepliesPerCorrespondent, whom }
  ]
]

const mailDenialReasons = (of: ReplySendContext): ReadonlyArray<DenialReason> => [
  [of.hipaa, { code: "hipaa" }],
  [of.ownAddresses === null, { code: "no_email_account" }],
  [of.auto !== null, { code: "automatic_mail", auto: of.auto ?? "" }],
  [of.flags.includes("no_auto_reply"), { code: "sender_refuses" }],
  [of.flags.includes("sender_unverified"), { code: "sender_unverified" }],
  ...recipientDenialReasons(of),
  ...(of.diverted === null ? [] : [[true, of.diverted] as const]),
  ...budgetDenialReasons(of, "thread", "address")
]

const undeliverableReasons = ({ undeliverable }: Pick<MailSendContext, "undeliverable">): ReadonlyArray<DenialReason> =>
  undeliverable.map(({ address, reason: detail }) => [
    true,
    { code: "mail_comes_back", address, detail },
    "undeliverable"
  ])

/**
 * Forwarding does not answer the sender, so a sender who asks for no automatic replies does not prevent it. Automatic
 * mail is never forwarded, because two programs could forward it to each other.
 */
const forwardDenialReasons = (of: ForwardSendContext): ReadonlyArray<DenialReason> => [
  [of.hipaa, { code: "hipaa" }],
  [!of.connected, { code: "no_email_account" }],
  [of.unparsed, { code: "unparsed" }],
  [of.auto !== null, { code: "automatic_not_forwarded", auto: of.auto ?? "" }],
  [of.flags.includes("sender_unverified"), { code: "sender_unverified" }],
  [of.recipients.length === 0, { code: "no_recipient" }],
  [of.toSelf, { code: "own_address" }],
  [of.toContact, { code: "forward_to_contact" }],
  [of.optedOut, { code: "opted_out" }],
  ...undeliverableReasons(of),
  [of.sentToRecipient >= maxForwardsPerAddress, { code: "forwards_to_address", max: maxForwardsPerAddress }]
]

const numberDenialReasons = (of: TextSendContext | CallSendContext): ReadonlyArray<DenialReason> => [
  [of.recipient === null, { code: "no_number" }],
  [of.sender === null, { code: "no_own_number" }],
  [of.recipient !== null && of.recipient === of.sender, { code: "own_number" }],
  [of.optedOut, { code: "opted_out" }],
  [of.blocked, { code: "blocked_number" }],
  [of.undeliverable !== null, { code: "number_unreachable", detail: of.undeliverable ?? "" }, "undeliverable"]
]

const denialReasonsOf = (of: SendContext): ReadonlyArray<DenialReason> => {
  switch (of.channel) {
    case "email":
      if (of.by === "nobody") return mailDenialReasons(of)
      if (of.by === "rule") return forwardDenialReasons(of)
      return [
        [of.hipaa, { code: "hipaa" }],
        [!of.connected, { code: "no_email_account" }],
        [of.recipients.length === 0, { code: "no_recipient" }],
        [of.optedOut, { code: "opted_out" }],
        ...undeliverableReasons(of)
      ]
    case "sms":
      return of.by === "person"
        ? numberDenialReasons(of)
        : [...numberDenialReasons(of), ...budgetDenialReasons(of, "conversation", "number")]
    case "voice":
      return numberDenialReasons(of)
  }
}

/** Returns the earliest time for the send and the reason for the delay. Returns null if the message may leave now. */
const waitOf = (of: SendContext): { readonly until: number; readonly reason: Cause } | null => {
  if (of.channel !== "email" || of.by !== "nobody")
    return of.quietUntil === null || of.quietUntil <= of.now
      ? null
      : { until: of.quietUntil, reason: { code: "quiet_hours" } }
  if (of.slotAt <= of.now) return null
  return { until: of.slotAt, reason: { code: "hourly_limit" } }
}

const recipientsOf = (of: SendContext): ReadonlyArray<string> => {
  if ("recipients" in of) return of.recipients
  return of.recipient === null ? [] : [of.recipient]
}

/**
 * Decides whether a message or call may leave now, later or not at all. A denial contains every reason. An override
 * applies to one message only, and never to an automatic message. Only this function grants clearances, and ports
 * require one, so no message or call reaches a provider without this decision.
 */
export const maySend = (of: SendContext): SendVerdict => {
  const against = denialReasonsOf(of).filter(([holds]) => holds)
  const override = of.by === "person" ? of.override : null
  const setAside = (name: OverridableReason | undefined) =>
    name !== undefined && override?.reasons.includes(name) === true
  const remaining = against.filter(([, , name]) => !setAside(name))
  if (remaining.length > 0) {
    const names = remaining.map(([, , name]) => name)
    const overridable = names.includes(undefined) ? [] : overridableReasons.filter((name) => names.includes(name))
    return { _tag: "Deny", reasons: remaining.map(([, reason]) => reason), overridable }
  }
  const overridden = against.length > 0 ? override : null
  const wait = waitOf(of)
  if (wait !== null) return { _tag: "Defer", ...wait, overridden }
  const channel: OutboundChannel = of.channel
  const clearance = grantClearance({ tenantId: of.tenantId, channel, recipients: recipientsOf(of) })
  return { _tag: "Allow", clearance, overridden }
}
