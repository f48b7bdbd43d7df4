import { Data } from "effect"

/** What the first file of an archive says, so that a reader knows what it has before it. */
export const archiveFormat = { format: "leadloom-export", version: 1 } as const

/** Media type of an archive. */
export const archiveType = "application/x-tar"

/** Files of an archive that are no pages. */
export const archiveFiles = { header: "export.json", manifest: "manifest.json" } as const

/** The page of this number, from 1. */
export const pagePath = (folder: string, number: number): string => `${folder}/${String(number).padStart(6, "0")}.jsonl`

/** Where the source of a message lies in an archive. */
export const sourcePath = (messageId: string, mediaType: string): string =>
  `eml/${messageId}.${mediaType === "application/json" ? "json" : "eml"}`

/** Where the content of an attachment lies that is not inside its source. */
export const attachmentPath = (messageId: string, index: number): string => `attachments/${messageId}/${index}`

/** The folder of the pages that say what the files of messages are. */
export const objectsFolder = "objects"

/** Rows of one page. */
export const archivePageSize = 200

/** Keys that one walk through what is a contact's finds, and that are kept while their rows leave, page by page. */
export const maxKeysPerPass = 20_000

/** No file of an archive is larger: a mail has 50 MiB at most, and so has what a page of rows weighs. */
export const maxArchiveFileBytes = 64 * 1_048_576

/** Limits of an archive that is imported. Ten million entries are the mails of a decade, each with its attachments. */
export const archiveLimits = { maxFileBytes: maxArchiveFileBytes, maxEntries: 10_000_000 } as const

/** What somebody sent is no archive of ours, or not a whole one. What came before that stays; it may be sent again. */
export class ArchiveInvalid extends Data.TaggedError("ArchiveInvalid")<{
  /** The file, and the line where there is one. */
  readonly entry: string
  readonly reason: string
}> {}

/** Something else is here under a name that the archive uses. */
export class ArchiveConflict extends Data.TaggedError("ArchiveConflict")<{
  readonly entry: string
  readonly reason: string
}> {}
