import type { Auto, MessageFlag } from "../conversation/Message.ts"
import { domainOf, isEmail, isNoReply } from "./Address.ts"

/** Automatic replies to one thread without a person of ours in between. */
export const repliesPerThread = 3
/** Automatic replies to one correspondent in 24 hours. */
export const repliesPerCorrespondent = 5

/** Everything that decides whether an email may be answered by itself. The reservation's key allows one per inbound. */
export interface ReplyCircumstances {
  readonly hipaa: boolean
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
  readonly now: number
  /** When the hourly limit has room. */
  readonly slotAt: number
}

/** The receipt of a decision about one automatic email. */
export type SendVerdict =
  | { readonly _tag: "Allow" }
  | { readonly _tag: "Defer"; readonly until: number }
  | { readonly _tag: "Deny"; readonly reasons: ReadonlyArray<string> }

const recipientSigns = (of: ReplyCircumstances): ReadonlyArray<readonly [boolean, string]> => {
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

/** Decides whether an email may be answered without a person, now or later, and says why not: every reason. */
export const maySend = (of: ReplyCircumstances): SendVerdict => {
  const signs: ReadonlyArray<readonly [boolean, string]> = [
    [of.hipaa, "email is closed to a HIPAA tenant"],
    [of.ownAddresses === null, "no email account is connected to send through"],
    [of.auto !== null, `automatic mail (${of.auto ?? ""}) is never answered`],
    [of.flags.includes("no_auto_reply"), "the sender is not to be answered automatically"],
    [
      of.flags.includes("sender_unverified"),
      "the sender is not verified: new to this thread, or under an address of ours"
    ],
    ...recipientSigns(of),
    [of.diverted !== null, of.diverted ?? ""],
    [
      of.repliesInThread >= repliesPerThread,
      `${repliesPerThread} automatic replies went into this thread and no person has written in between`
    ],
    [
      of.repliesToCorrespondent >= repliesPerCorrespondent,
      `${repliesPerCorrespondent} automatic replies went to this address within 24 hours`
    ]
  ]
  const reasons = signs.filter(([holds]) => holds).map(([, reason]) => reason)
  if (reasons.length > 0) return { _tag: "Deny", reasons }
  return of.slotAt > of.now ? { _tag: "Defer", until: of.slotAt } : { _tag: "Allow" }
}
