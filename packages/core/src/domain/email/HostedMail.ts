import type { MailProvider } from "./Grant.ts"
import type { Address } from "../address/Address.ts"
import type { ReadMail } from "./ReadMail.ts"

/** The providers that host accounts. The owner of an account authorises this server to use it. */
export const hostedProviders = ["google", "microsoft"] as const satisfies ReadonlyArray<MailProvider>

export type HostedProvider = (typeof hostedProviders)[number]

/** Returns whether accounts of this kind are hosted by a provider. */
export const isHosted = (provider: MailProvider): provider is HostedProvider =>
  provider === "google" || provider === "microsoft"

/** An email account in the provider's records. */
export interface HostedAccount {
  /** The provider's id of the owner's permission. It stays the same after another sign-in. */
  readonly providerGrantId: string
  readonly provider: HostedProvider
  /** Normalised. */
  readonly email: string
  /** False if the owner must sign in again before mail can be read or sent. */
  readonly valid: boolean
}

/** An attachment of a hosted mail. A separate request downloads its content. */
export interface HostedAttachment {
  readonly attachmentId: string
  /** The position in `mail.attachments`. */
  readonly index: number
}

/** One mail of a hosted account, as the provider returns it. */
export interface HostedMessage {
  readonly providerMessageId: string
  /** The provider's id of the thread; null if there is none. */
  readonly providerThreadId: string | null
  readonly mail: ReadMail
  /** The provider's response, unchanged. */
  readonly source: Uint8Array
  /** The media type of `source`. */
  readonly sourceType: string
  readonly attachments: ReadonlyArray<HostedAttachment>
  /** The time of arrival in the account, in epoch milliseconds. */
  readonly receivedAt: number
  /** True for drafts and for mail in the spam and trash folders. The server ignores such mail. */
  readonly aside: boolean
  /** True for mail in the folder of sent mail, false for mail in the inbox only. Null if the folder is unknown. */
  readonly sent: boolean | null
}

/** The entry of a mail in a list. It is sufficient to request the mail. */
export interface HostedListing {
  readonly providerMessageId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** One page of a list. `next` is the cursor of the next page. */
export interface HostedPage {
  readonly messages: ReadonlyArray<HostedListing>
  readonly next: string | null
}

/** A verified event of a mail provider. The same event can arrive again, late, or before an earlier event. */
export type HostedMailEvent =
  | {
      readonly _tag: "MessageArrived"
      readonly providerGrantId: string
      readonly providerMessageId: string
      /** Epoch milliseconds; null if unknown. */
      readonly receivedAt: number | null
    }
  /** The account has changed. Its status is read from the provider. */
  | { readonly _tag: "AccountChanged"; readonly providerGrantId: string }
  /** The owner must sign in again, or has revoked the permission. */
  | { readonly _tag: "AccountExpired"; readonly providerGrantId: string }
  | {
      readonly _tag: "MailReturned"
      readonly providerGrantId: string
      /** The raw Message-ID of the returned mail; null if unknown. */
      readonly originalMessageId: string | null
      /** The provider's id of the returned mail. */
      readonly originalProviderId: string | null
      /** Normalised. */
      readonly recipients: ReadonlyArray<Address>
      readonly reason: string
      /** True if the failure is permanent. */
      readonly hard: boolean
      /**
       * True if the address itself is invalid. No further mail may then be sent to it. False if the failure concerns
       * only this mail.
       */
      readonly closed: boolean
    }
  /** An event without an effect. */
  | { readonly _tag: "Ignored"; readonly type: string }
