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
