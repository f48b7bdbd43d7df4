import { TaggedError } from "../TaggedError.ts"

/** The content of the first file of an archive. It identifies format and version. */
export const archiveFormat = { format: "leadloom-export", version: 1 } as const

/** The media type of an archive. */
export const archiveType = "application/x-tar"

/** The files of an archive that do not contain rows. */
export const archiveFiles = { header: "export.json", manifest: "manifest.json" } as const

/** Returns the path of a page of rows. Numbers start at 1. */
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
 * The maximum number of row keys that an export of one contact reads into memory at once. It then reads the rows of
 * these keys page by page.
 */
export const maxKeysPerPass = 20_000

/** The maximum size of a file in an archive. It exceeds the limit of 50 MiB for a mail and for a page of rows. */
export const maxArchiveFileBytes = 64 * 1_048_576

/** The limits of an imported archive. Ten million entries suffice for ten years of mail with attachments. */
export const archiveLimits = { maxFileBytes: maxArchiveFileBytes, maxEntries: 10_000_000 } as const

/**
 * The upload is incomplete, or is not an archive of this program. Rows that were imported before the error stay. The
 * upload can be repeated.
 */
export class ArchiveInvalid extends TaggedError("ArchiveInvalid")<{
  /** The file in the archive, with the line if it is known. */
  readonly entry: string
  readonly reason: string
}> {}

/** A different record with the same id as a record of the archive already exists on this deployment. */
export class ArchiveConflict extends TaggedError("ArchiveConflict")<{
  readonly entry: string
  readonly reason: string
}> {}
