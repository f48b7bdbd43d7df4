import type { GrantId, MessageId } from "../Id.ts"
import { ownerProviderOf } from "./OwnerProvider.ts"

/** Work in a connected mailbox that no request and no send waits for. */
export type MailboxJob =
  /** Adds a flag to mails, found by their Message-IDs. */
  | {
      readonly kind: "mailbox_flag"
      readonly grantId: GrantId
      readonly flag: "\\Seen" | "\\Answered"
      readonly internetMessageIds: ReadonlyArray<string>
    }
  /** Stores a sent mail in the folder for sent mail, unless it is already there. */
  | { readonly kind: "mailbox_append"; readonly grantId: GrantId; readonly messageId: MessageId }

/**
 * The delay of the search for a sent mail in the mailbox, in milliseconds. Many servers store sent mail themselves, but
 * some do it seconds after they accepted the mail.
 */
export const appendDelayMillis = 60_000

/** The maximum number of mails that one job marks as read. */
export const maxFlaggedMails = 50

/** The maximum number of folders in which a job searches a mail. */
export const maxSearchedFolders = 20

/** Returns the id of the only job that stores this mail in the folder for sent mail. */
export const appendId = (grantId: GrantId, messageId: MessageId): string => `mailbox_append:${grantId}:${messageId}`

/** Returns the id of the only job that adds this flag because of this message. */
export const flagId = (grantId: GrantId, flag: string, messageId: MessageId): string =>
  `mailbox_flag:${grantId}:${flag.slice(1)}:${messageId}`

/**
 * Returns whether the SMTP server of a mailbox stores sent mail in the mailbox, as those of Google and Microsoft do. If
 * not, this server appends it.
 */
export const storesSentMail = (smtpHost: string): boolean => ownerProviderOf(smtpHost) !== null
