import { Data } from "effect"

/** The content of the first file of an archive. It identifies format and version. */
export const archiveFormat = { format: "leadloom-export", version: 1 } as const

/** The media type of an archive. */
export const archiveType = "application/x-tar"

/** The files of an archive other than pages. */
export const archiveFiles = { header: "export.json", manifest: "manifest.json" } as const

/** Returns the path of a page. Numbers start at 1. */
export const pagePath = (folder: string, number: number): string => `${folder}/${String(number).padStart(6, "0")}.jsonl`

/** Returns the path of a message's source in an archive. */
export const sourcePath = (messageId: string, mediaType: string): string =>
  `eml/${messageId}.${mediaType === "application/json" ? "json" : "eml"}`

/** Returns the path of an attachment that is not part of the message's source. */
export const attachmentPath = (messageId: string, index: number): string => `attachments/${messageId}/${index}`

/** The folder of the pages that describe the files of messages. */
export const objectsFolder = "objects"

/** The number of rows in one page. */
export const archivePageSize = 200

/**
 * The maximum number of a contact's row keys that an export reads in one pass and keeps in memory. It then reads the
 * rows of the pass page by page.
 */
export const maxKeysPerPass = 20_000

/** The maximum size of a file in an archive. A mail has at most 50 MiB, and so does a page of rows. */
export const maxArchiveFileBytes = 64 * 1_048_576

/** The limits of an imported archive. Ten million entries suffice for ten years of mail with attachments. */
export const archiveLimits = { maxFileBytes: maxArchiveFileBytes, maxEntries: 10_000_000 } as const

/**
 * The upload is not an archive of this program or is incomplete. Rows imported before the error remain; the upload can
 * be repeated.
 */
export class ArchiveInvalid extends Data.TaggedError("ArchiveInvalid")<{
  /** The file, with the line if known. */
  readonly entry: string
  readonly reason: string
}> {}

/** A different record already exists here under an id of the archive. */
export class ArchiveConflict extends Data.TaggedError("ArchiveConflict")<{
  readonly entry: string
  readonly reason: string
}> {}
