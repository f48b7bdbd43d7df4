import { domainOf, isEmail, isNoReply } from "../address/Address.ts"
import { type Clearance, grantClearance, type OutboundChannel } from "./Clearance.ts"
import type { Auto, MessageFlag } from "../conversation/Message.ts"
import { type OverridableReason, overridableReasons, type SendOverride } from "./Override.ts"

/** Automatic replies to one thread, or in one conversation of texts, without a person of ours in between. */
export const maxRepliesPerThread = 3
/** Automatic replies to one correspondent in 24 hours. */
export const maxRepliesPerCorrespondent = 5

/** What is asked of everything that goes out. */
interface SendContextBase {
  readonly tenantId: string
  readonly hipaa: boolean
  readonly now: number
}

/** Everything that decides whether an email may be answered by itself. The reservation's key allows one per inbound. */
export interface ReplySendContext extends SendContextBase {
  readonly channel: "email"
  readonly by: "nobody"
  /** Of the mail that would be answered. */
  readonly auto: Auto | null
  readonly flags: ReadonlyArray<MessageFlag>
  /** Who would be written to, normalised; null when the mail names nobody. */
  readonly recipient: string | null
  /** The connected account and its aliases; null without an active connection. */
  readonly ownAddresses: ReadonlyArray<string> | null
  readonly tenantDomain: string | null
  /** Why the recipient cannot be written to; null when nothing is known against it. */
  readonly undeliverable: string | null
  /** Why the recipient, whom the mail asks to be answered to, takes a person to trust; null when nothing does. */
  readonly diverted: string | null
  /** Automatic replies in the thread since a person of ours last wrote in it. */
  readonly repliesInThread: number
  /** Automatic replies to the recipient in the last 24 hours. */
  readonly repliesToCorrespondent: number
  /** When the hourly limit has room. */
  readonly slotAt: number
}

/** What decides whether a person's email may go: to whom is the person's business. */
export interface MailSendContext extends SendContextBase {
  readonly channel: "email"
  readonly by: "person"
  /** Everybody it goes to, normalised. */
  readonly recipients: ReadonlyArray<string>
  readonly connected: boolean
  /** Those of them that nothing can be delivered to, and why. */
  readonly undeliverable: ReadonlyArray<{ readonly address: string; readonly reason: string }>
  /** What the person sets aside; null: nothing. */
  readonly override: SendOverride | null
}

/** What decides whether a number may be written to or called. */
interface NumberSendContext extends SendContextBase {
  /** `nobody`: the pipeline or a rule decided it. */
  readonly by: "person" | "nobody"
  /** E.164; null when the contact has no number. */
  readonly recipient: string | null
  /** The tenant's own number it would come from, E.164; null: it has none. */
  readonly sender: string | null
  /** The contact asked this number of ours, or all of them, to stop. */
  readonly optedOut: boolean
  /** The tenant has blocked the number. */
  readonly blocked: boolean
  /** Why the number cannot be reached; null when nothing is known against it. */
  readonly undeliverable: string | null
  /** What the person sets aside; null: nothing. */
  readonly override: SendOverride | null
  /** When the quiet hours at the contact's place end, epoch milliseconds; null: it is not night there, or nobody is woken. */
  readonly quietUntil: number | null
}

/** What decides whether a text message may go. */
export interface TextSendContext extends NumberSendContext {
  readonly channel: "sms"
  /** Automatic texts in the conversation since a person of ours last wrote in it. */
  readonly repliesInThread: number
  /** Automatic texts to the number in the last 24 hours. */
  readonly repliesToCorrespondent: number
}

/** What decides whether a call may be placed. */
export interface CallSendContext extends NumberSendContext {
  readonly channel: "voice"
}

export type SendContext = ReplySendContext | MailSendContext | TextSendContext | CallSendContext

/**
 * The receipt of a decision. Only `Allow` carries what ports that reach people ask for. `overridden`: what a person has set
 * aside so that it may go, and who; null: nothing spoke against it. `overridable`: what a permitted person could set aside
 * so that it might go; empty: nobody can.
 */
export type SendVerdict =
  | { readonly _tag: "Allow"; readonly clearance: Clearance; readonly overridden: SendOverride | null }
  | {
      readonly _tag: "Defer"
      readonly until: number
      readonly reason: string
      readonly overridden: SendOverride | null
    }
  | {
      readonly _tag: "Deny"
      readonly reasons: ReadonlyArray<string>
      readonly overridable: ReadonlyArray<OverridableReason>
    }

/** Whether something speaks against the message, what, and the name under which a person may set it aside. */
type DenialReason = readonly [boolean, string, OverridableReason?]

const recipientDenialReasons = (of: ReplySendContext): ReadonlyArray<DenialReason> => {
  const { ownAddresses, recipient, tenantDomain } = of
  if (recipient === null || !isEmail(recipient)) return [[true, "there is no address that can be written to"]]
  return [
    [isNoReply(recipient), "nobody reads what is sent to the address"],
    [
      (ownAddresses ?? []).includes(recipient) || (tenantDomain !== null && domainOf(recipient) === tenantDomain),
      "the address is one of the tenant's own addresses"
    ],
    [of.undeliverable !== null, `mail to the address comes back: ${of.undeliverable ?? ""}`]
  ]
}

const budgetDenialReasons = (
  { repliesInThread, repliesToCorrespondent }: Pick<TextSendContext, "repliesInThread" | "repliesToCorrespondent">,
  place: string,
  whom: string
): ReadonlyArray<DenialReason> => [
  [
    repliesInThread >= maxRepliesPerThread,
    `${maxRepliesPerThread} automatic replies went into this ${place} and no person has written in between`
  ],
  [
    repliesToCorrespondent >= maxRepliesPerCorrespondent,
    `${maxRepliesPerCorrespondent} automatic replies went to this ${whom} within 24 hours`
  ]
]

const mailDenialReasons = (of: ReplySendContext): ReadonlyArray<DenialReason> => [
  [of.hipaa, "email is closed to a HIPAA tenant"],
  [of.ownAddresses === null, "no email account is connected to send through"],
  [of.auto !== null, `automatic mail (${of.auto ?? ""}) is never answered`],
  [of.flags.includes("no_auto_reply"), "the sender is not to be answered automatically"],
  [
    of.flags.includes("sender_unverified"),
    "the sender is not verified: new to this thread, or under an address of ours"
  ],
  ...recipientDenialReasons(of),
  [of.diverted !== null, of.diverted ?? ""],
  ...budgetDenialReasons(of, "thread", "address")
]

const numberDenialReasons = (of: TextSendContext | CallSendContext): ReadonlyArray<DenialReason> => [
  [of.recipient === null, "the contact has no number"],
  [of.sender === null, "the tenant has no number to send from"],
  [of.recipient !== null && of.recipient === of.sender, "the number is the tenant's own"],
  [of.optedOut, "the contact has opted out"],
  [of.blocked, "the number is on the blocklist"],
  [of.undeliverable !== null, `the number cannot be reached: ${of.undeliverable ?? ""}`, "undeliverable"]
]

const denialReasonsOf = (of: SendContext): ReadonlyArray<DenialReason> => {
  switch (of.channel) {
    case "email":
      if (of.by === "nobody") return mailDenialReasons(of)
      return [
        [of.hipaa, "email is closed to a HIPAA tenant"],
        [!of.connected, "no email account is connected to send through"],
        [of.recipients.length === 0, "there is no address that can be written to"],
        ...of.undeliverable.map(({ address, reason }): DenialReason => [
          true,
          `mail to ${address} comes back: ${reason}`,
          "undeliverable"
        ])
      ]
    case "sms":
      return of.by === "person"
        ? numberDenialReasons(of)
        : [...numberDenialReasons(of), ...budgetDenialReasons(of, "conversation", "number")]
    case "voice":
      return numberDenialReasons(of)
  }
}

/** When it may go, and why not earlier; null: now. */
const waitOf = (of: SendContext): { readonly until: number; readonly reason: string } | null => {
  if (of.channel !== "email")
    return of.quietUntil === null || of.quietUntil <= of.now ? null : { until: of.quietUntil, reason: "quiet hours" }
  if (of.by === "person" || of.slotAt <= of.now) return null
  return { until: of.slotAt, reason: "the hour is full" }
}

const recipientsOf = (of: SendContext): ReadonlyArray<string> => {
  if ("recipients" in of) return of.recipients
  return of.recipient === null ? [] : [of.recipient]
}

/**
 * Decides whether a message or a call may go out, now or later, and says why not: every reason. What a person sets aside
 * counts for this message alone, and never for an automatic one. The one place where clearances come from, and so the one
 * way to a provider.
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
