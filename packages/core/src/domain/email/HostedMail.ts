import { Data } from "effect"
import type { MailProvider } from "./Grant.ts"
import type { Address } from "../address/Address.ts"
import type { ReadMail } from "./ReadMail.ts"

/** Provider families whose accounts somebody else hosts: their owners let this server in. */
export const hostedProviders = ["google", "microsoft"] as const satisfies ReadonlyArray<MailProvider>

/** Who hosts an account. */
export type HostedProvider = (typeof hostedProviders)[number]

/** Whether an account of this family is one that somebody else hosts. */
export const isHosted = (provider: MailProvider): provider is HostedProvider => provider !== "smtp"

/** An account as its provider knows it. */
export interface HostedAccount {
  /** The provider's id of the permission that its owner gave; stays the same when the owner signs in again. */
  readonly providerGrantId: string
  readonly provider: HostedProvider
  /** Normalised. */
  readonly email: string
  /** False: the owner has to sign in again before anything can be read or sent. */
  readonly valid: boolean
}

/** What is attached to a hosted mail; the content is fetched by its own request. */
export interface HostedAttachment {
  readonly attachmentId: string
  /** Its place in `mail.attachments`. */
  readonly index: number
}

/** One mail of a hosted account. */
export interface HostedMessage {
  readonly providerMessageId: string
  /** The provider's thread; null when it names none. */
  readonly providerThreadId: string | null
  readonly mail: ReadMail
  /** What the provider said, as it came. */
  readonly source: Uint8Array
  /** Media type of `source`. */
  readonly sourceType: string
  readonly attachments: ReadonlyArray<HostedAttachment>
  /** When it came into the account; epoch milliseconds. */
  readonly receivedAt: number
  /** A draft, or in the folders of spam and deleted mail: not for us. */
  readonly aside: boolean
}

/** A mail of a list: enough to fetch it. */
export interface HostedListing {
  readonly providerMessageId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** One page of a list; `next` leads on. */
export interface HostedPage {
  readonly messages: ReadonlyArray<HostedListing>
  readonly next: string | null
}

/** What a provider tells by itself, once it is known to be the provider. May come twice, late, and in any order. */
export type HostedMailEvent =
  | {
      readonly _tag: "MessageArrived"
      readonly providerGrantId: string
      readonly providerMessageId: string
      /** Epoch milliseconds; null when it does not say. */
      readonly receivedAt: number | null
    }
  /** Something about the account has changed: its status is asked for. */
  | { readonly _tag: "AccountChanged"; readonly providerGrantId: string }
  /** The owner has to sign in again, or has taken the permission back. */
  | { readonly _tag: "AccountExpired"; readonly providerGrantId: string }
  | {
      readonly _tag: "MailReturned"
      readonly providerGrantId: string
      /** Raw Message-ID of the mail that came back; null when it is not said. */
      readonly originalMessageId: string | null
      /** The provider's id of it. */
      readonly originalProviderId: string | null
      /** Normalised. */
      readonly recipients: ReadonlyArray<Address>
      readonly reason: string
      /** It is final: the mail has not arrived and will not. */
      readonly hard: boolean
      /** What is wrong is the address: it is not to be written to any more. Otherwise only this mail is lost. */
      readonly closed: boolean
    }
  /** Nothing here follows from it. */
  | { readonly _tag: "Ignored"; readonly type: string }

/** The provider does not answer, or asks for patience: the same request may do later. */
export class HostedUnavailable extends Data.TaggedError("HostedUnavailable")<{ readonly reason: string }> {}

/** The provider will not do this, now or later; `reason` in its words. */
export class HostedRefused extends Data.TaggedError("HostedRefused")<{ readonly reason: string }> {}

/** The provider knows no such account, mail or attachment (any more). */
export class HostedGone extends Data.TaggedError("HostedGone")<{ readonly what: string }> {}

/** The owner of the account has to sign in again. */
export class SignInExpired extends Data.TaggedError("SignInExpired")<{ readonly reason: string }> {}

export type HostedFailure = HostedUnavailable | HostedRefused | HostedGone | SignInExpired
