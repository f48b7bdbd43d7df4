import { Schema } from "effect"
import { GrantId } from "../Id.ts"
import { Time } from "../Field.ts"

/**
 * The purpose of a folder, from its special-use attribute (RFC 6154) or its name. `inbox`, `sent`, `archive` and `other`
 * are read. `ignored`: spam, trash, drafts, and views of other folders.
 */
export const folderRoles = ["inbox", "sent", "archive", "other", "ignored"] as const
export type FolderRole = (typeof folderRoles)[number]

/** The maximum length of the name of a folder that is read, in characters. An index of Postgres holds 2,704 bytes. */
export const maxFolderNameLength = 500

/** Returns whether the name of a folder can be stored: it is not too long, and has no control characters. */
export const isStorableName = (path: string): boolean =>
  path.length <= maxFolderNameLength && !/[\p{Cc}\p{Cs}]/u.test(path)

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

/**
 * FROZEN. Returns the id of a mail in its mailbox: UIDVALIDITY, UID and folder identify it (RFC 3501 section 2.3.1.1). It
 * is part of a dedup key.
 */
export const mailLocation = ({ path, uidValidity }: Pick<MailboxFolder, "path" | "uidValidity">, uid: number): string =>
  `${uidValidity}:${uid}:${path}`

/** The progress of a folder whose mail the server has not read yet, or whose UIDs have become invalid. */
export const startFolder = (
  owner: Pick<MailboxFolder, "grantId" | "tenantId">,
  { path, role }: ListedFolder,
  { uidNext, uidValidity }: FolderStatus,
  messages: number
): MailboxFolder => ({
  tenantId: owner.tenantId,
  grantId: owner.grantId,
  path,
  role,
  uidValidity,
  uidNext,
  backfillUid: uidNext > 1 ? uidNext : null,
  highestModseq: null,
  messages,
  syncedAt: null
})

/**
 * The order in which folders are read. Sent mail comes first: a copy of it in the inbox is then recognised as the
 * tenant's own mail.
 */
const ranks: Readonly<Record<FolderRole, number>> = { sent: 0, inbox: 1, archive: 2, other: 3, ignored: 4 }

/** Returns the folders that are read, in the order of reading. */
export const readFolders = (listed: ReadonlyArray<ListedFolder>): ReadonlyArray<ListedFolder> =>
  listed.filter(({ role }) => role !== "ignored").toSorted((one, other) => ranks[one.role] - ranks[other.role])

/** Returns whether mail of a folder was sent by the tenant. Null: the folder contains both kinds. */
export const isSentMail = (role: FolderRole): boolean | null =>
  role === "sent" ? true : role === "inbox" ? false : null
