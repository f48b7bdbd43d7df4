import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import type { MailFile } from "./MailFiles.ts"
import { splitMbox } from "./Mbox.ts"

/** One mail to be imported. */
export interface Mail {
  /** How results name it. */
  readonly name: string
  /** By what it is known again in a later run. */
  readonly key: string
  readonly raw: Buffer
  /** Bytes of its file that are dealt with when it is. */
  readonly bytes: number
}

/** A mail that an earlier run finished: nothing of it was read, or at least nothing kept. */
export interface SkippedMail {
  readonly key: string
  readonly bytes: number
  readonly raw: null
}

const shortHash = (raw: Buffer): string => createHash("sha256").update(raw).digest("base64url").slice(0, 12)

/** A mail of an mbox is known by the file's path, its place and its content: the file may have been compacted since. */
async function* mboxMails(file: MailFile, isFinished: (key: string) => boolean): AsyncGenerator<Mail | SkippedMail> {
  const path = file.key.split("|")[0] ?? file.path
  for await (const { offset, end, raw } of splitMbox(createReadStream(file.path))) {
    const key = `${path}#${offset}#${shortHash(raw)}`
    const bytes = end - offset
    yield isFinished(key) ? { key, bytes, raw: null } : { name: `${file.name}#${offset}`, key, raw, bytes }
  }
}

/**
 * The mails of some files in their order. Reads a file when its turn comes, and none that is finished; a file that cannot
 * be read ends the import, since one cannot tell what is missing then.
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
