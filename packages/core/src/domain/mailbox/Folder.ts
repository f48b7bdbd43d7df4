import { Schema } from "effect"
import { GrantId } from "../Id.ts"
import { Time } from "../Field.ts"

/**
 * The purpose of a folder, from its special-use attribute (RFC 6154) or its name. `inbox`, `sent`, `archive` and `other`
 * are read. `ignored`: spam, trash, drafts, and views of other folders.
 */
export const folderRoles = ["inbox", "sent", "archive", "other", "ignored"] as const
export type FolderRole = (typeof folderRoles)[number]

/** A folder in the list of a mailbox (LIST, RFC 3501 section 6.3.8). */
export interface ListedFolder {
  /** The name in the server's notation. It identifies the folder. */
  readonly path: string
  readonly role: FolderRole
}

/** The state of a folder at the server (STATUS, RFC 3501 section 6.3.10). */
export interface FolderStatus {
  /** A changed value makes all known UIDs of the folder invalid (RFC 3501 section 2.3.1.1). */
  readonly uidValidity: string
  /** New mails have this UID or a higher one. */
  readonly uidNext: number
  /** The highest modification sequence (RFC 7162). Null when the server has none. */
  readonly highestModseq: string | null
  readonly messages: number
}

/** The progress of one folder. */
export class MailboxFolder extends Schema.Opaque<MailboxFolder>()(
  Schema.Struct({
    tenantId: Schema.String,
    grantId: GrantId,
    path: Schema.String,
    role: Schema.Literals(folderRoles),
    uidValidity: Schema.String,
    /** All mails from the start of the first sync up to below this UID were read or are listed in `backfillUid`. */
    uidNext: Schema.Int,
    /**
     * The first sync reads from the newest mail to the oldest. Mails below this UID remain to be read. Null: the first
     * sync of the folder is complete.
     */
    backfillUid: Schema.NullOr(Schema.Int),
    highestModseq: Schema.NullOr(Schema.String),
    /** The number of mails that were read from the folder. */
    messages: Schema.Int,
    /** The time of the last completed look into the folder. */
    syncedAt: Schema.NullOr(Time)
  })
) {}
