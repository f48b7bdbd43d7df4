import type { MailVerification } from "../../domain/email/authentication/VerifiedMail.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { MailSource } from "../../domain/email/MailSource.ts"
import type { Envelope } from "../../domain/email/ParsedMail.ts"
import type { ReadMail } from "../../domain/email/ReadMail.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Inbound, MailEnvelope } from "./Inbound.ts"

/** The circumstances in which a mail arrived. */
export interface MailArrival {
  readonly tenant: Tenant
  /** The origin of the mail, for example `import`. */
  readonly source: string
  /** True for old mail. It is stored and joins its thread, but does not enter the pipeline. */
  readonly historical: boolean
  /**
   * The SMTP envelope, if the mail comes from an unauthenticated sender. Absent when an authenticated client submits
   * the mail.
   */
  readonly envelope?: Envelope
  /** The verification of a mail with an envelope. If it is absent, the header of the mail is read. */
  readonly verification?: MailVerification
  /** The location of the mail in a hosted account. Absent for mail that arrives in another way. */
  readonly hosted?: HostedMailLocation
}

/** The location of a mail in a hosted account. */
export interface HostedMailLocation {
  readonly grant: Grant
  readonly providerGrantId: string
  readonly providerMessageId: string
  readonly providerThreadId: string | null
  /** True for sent mail, false for mail in the inbox. Null if unknown. */
  readonly sent: boolean | null
}

/** A parsed mail, with the circumstances of its arrival. */
export interface ParsedArrival extends MailArrival {
  readonly parsed: ReadMail
  /** Returns a text that identifies the bytes of the mail. It replaces a missing Message-ID. */
  readonly fingerprint: () => string
  readonly stored: MailSource
}

/** An inbound message that is a mail and has an envelope. */
export type InboundMail = Inbound & { readonly mail: MailEnvelope }
