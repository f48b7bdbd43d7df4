import { type MailboxFolder, folderRoles } from "@leadloom/core/internal/domain/mailbox/Folder"
import type { MailboxSync } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import { Schema } from "effect"
import { isoTime, Timestamp } from "../schema/Field.ts"
import { orNull } from "../schema/Wire.ts"

const EmailFolder = Schema.Struct({
  path: Schema.String.annotate({ description: "The name of the folder at the mail server" }),
  role: Schema.Literals(folderRoles).annotate({ description: "The purpose of the folder" }),
  messages: Schema.Int.annotate({ description: "The number of emails that were read from the folder" }),
  synced_at: Schema.NullOr(Timestamp).annotate({
    description: "The time of the last complete look into the folder (ISO 8601 in UTC); null: none yet"
  }),
  complete: Schema.Boolean.annotate({ description: "false: older emails of the first sync remain to be read" })
}).annotate({ description: "The progress of one folder of a mailbox" })

/** The fields of `EmailGrant` that show the sync of a mailbox. Absent for accounts that the server does not read. */
export const mailboxState = {
  last_sync_at: Schema.optionalKey(Schema.NullOr(Timestamp)).annotate({
    description: "The time of the last look into all folders (ISO 8601 in UTC); null: none yet. Only for `imap`"
  }),
  lag_seconds: Schema.optionalKey(Schema.NullOr(Schema.Int)).annotate({
    description: "The seconds since the last look; null: none yet. Only for `imap`"
  }),
  error: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The last error of the sync, for people; null: none. Only for `imap`"
  }),
  folders: Schema.optionalKey(Schema.Array(EmailFolder)).annotate({
    description: "The folders that are read. Only for `imap`"
  })
}

/** Returns the fields `mailboxState` at a time. */
export const mailboxStateToJson = (sync: MailboxSync, folders: ReadonlyArray<MailboxFolder>, now: number) => ({
  last_sync_at: orNull(sync.lastSyncAt, isoTime),
  lag_seconds: orNull(sync.lastSyncAt, (at) => Math.max(0, Math.floor((now - at) / 1_000))),
  error: sync.error,
  folders: folders.map(({ backfillUid, messages, path, role, syncedAt }) => ({
    path,
    role,
    messages,
    synced_at: orNull(syncedAt, isoTime),
    complete: backfillUid === null
  }))
})
