/**
 * Reads mail from maildirs, mbox files and single files. Parsing of MIME does not belong here; the server does it. Tests:
 * `packages/cli/test/mail`.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import type { MailFile } from "./MailFiles.ts"
import { splitMbox } from "./Mbox.ts"

/** One mail to import. */
export interface Mail {
  /** The name of the mail in results. */
  readonly name: string
  /** Identifies the mail in a later run. */
  readonly key: string
  readonly raw: Buffer
  /** The number of bytes of the file that count as processed after this mail. */
  readonly bytes: number
}

/** A mail that an earlier run finished. Its content is not in memory. */
export interface SkippedMail {
  readonly key: string
  readonly bytes: number
  readonly raw: null
}

const shortHash = (raw: Buffer): string => createHash("sha256").update(raw).digest("base64url").slice(0, 12)

/**
 * The key of a mail in an mbox consists of path, offset and content hash. The offset alone is not enough, because mail
 * programs compact mbox files.
 */
async function* mboxMails(file: MailFile, isFinished: (key: string) => boolean): AsyncGenerator<Mail | SkippedMail> {
  const path = file.key.split("|")[0] ?? file.path
  for await (const { offset, end, raw } of splitMbox(createReadStream(file.path))) {
    const key = `${path}#${offset}#${shortHash(raw)}`
    const bytes = end - offset
    yield isFinished(key) ? { key, bytes, raw: null } : { name: `${file.name}#${offset}`, key, raw, bytes }
  }
}

/**
 * Yields the mails of files in order. Opens a file when its first mail is needed; never opens a finished file. An
 * unreadable file ends the import, because its number of mails is unknown.
 */
export async function* mailsOf(
  files: ReadonlyArray<MailFile>,
  isFinished: (key: string) => boolean
): AsyncGenerator<Mail | SkippedMail> {
  for (const file of files) {
    const { name, key, size } = file
    if (file.kind === "mbox") yield* mboxMails(file, isFinished)
    else if (isFinished(key)) yield { key, bytes: size, raw: null }
    else yield { name, key, raw: await readFile(file.path), bytes: size }
  }
}
