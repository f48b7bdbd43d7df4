import { Schema } from "effect"
import { GrantId } from "../Id.ts"
import { Time } from "../Field.ts"

/** The lease of a mailbox. Another server takes the mailbox over within this time, in milliseconds. */
export const mailboxLeaseMillis = 20_000
/** The time without a sync after which the operator and the tenant are notified, in milliseconds. */
export const connectionFailedMillis = 3_600_000
/** The highest number of folders of one mailbox that are read. */
export const maxFolders = 200
/** The highest size of a mail that is read, in bytes. A larger one is recorded without its content. */
export const maxMailboxMailBytes = 50 * 1024 * 1024

/**
 * The lowest rate at which a mail is downloaded, in bytes per second. It is half of 512 kbit/s, the upload rate of a slow
 * office connection. Timeouts of idle sockets (nodemailer: 10 minutes, imapflow: 5 minutes) do not limit a server that
 * sends a byte now and then.
 */
export const minDownloadRate = 32_768
/** The time in which a mail server must begin to send a mail, in milliseconds. */
export const downloadStartMillis = 60_000

/** Returns the time in milliseconds within which mails of this total size must arrive. */
export const downloadMillis = (bytes: number): number => downloadStartMillis + (bytes / minDownloadRate) * 1_000

/** The interval in which a server extends its leases, in milliseconds. Three extensions may fail before a lease ends. */
export const mailboxRenewMillis = 5_000
/** The interval in which all folders are looked at, in milliseconds. IDLE reports new mail in the inbox earlier. */
export const folderPollMillis = 60_000
/** The interval in which recent mail of a folder is compared with the stored mail, in milliseconds. */
export const reconcileMillis = 3_600_000
/** The age up to which mail is compared with the stored mail, in milliseconds. */
export const reconcileWindowMillis = 7 * 86_400_000
/**
 * The interval between logins with a password that the mail server has refused, in milliseconds. Providers lock accounts
 * after a few wrong logins, so it is long. A new password is tried at once.
 */
export const refusedLoginMillis = 6 * 3_600_000
/** The interval in which a mailbox that must not be read is checked again, in milliseconds: an archived tenant. */
export const suspendedMillis = 5 * 60_000
/** The highest number of mails of one folder that one look reads, so that the other folders get their turn. */
export const maxMailsPerLook = 200
/** The default number of mailboxes that one server keeps connected. */
export const defaultMaxMailboxes = 1_000

/** The state of the sync of one mailbox. */
export class MailboxSync extends Schema.Opaque<MailboxSync>()(
  Schema.Struct({
    tenantId: Schema.String,
    grantId: GrantId,
    /** The time from which a server may claim the mailbox: the end of the lease, or of the wait after a failure. */
    dueAt: Time,
    /** Identifies the current claim. Updates of an earlier claim have no effect. */
    claim: Schema.Int,
    /** The time of the last complete look into all folders. */
    lastSyncAt: Schema.NullOr(Time),
    /** The start of the current failure; null while the sync works. */
    failingSince: Schema.NullOr(Time),
    /** The number of failures since the last sync. It determines the next wait. */
    failures: Schema.Int,
    /** The last failure in one line for people; null while the sync works. */
    error: Schema.NullOr(Schema.String),
    /** Whether `email.connection_failed` was sent for the current failure. */
    isReported: Schema.Boolean
  })
) {}
