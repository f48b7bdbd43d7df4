import { open, readdir, stat } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import { usageFailure } from "../Failure.ts"

/** A file with mail in it. */
export interface MailFile {
  readonly path: string
  /** How the user knows it: the path as given, and below it. */
  readonly name: string
  /** Stays the same while the content does; see `resumeKey`. */
  readonly key: string
  readonly kind: "mail" | "mbox"
  readonly size: number
}

/** What a walk found. */
export interface MailFiles {
  readonly files: ReadonlyArray<MailFile>
  /** Files that hold no mail, as far as one can tell. */
  readonly ignored: number
}

const mailEnding = /\.(?:eml|mime)$/iu
const mboxEnding = /\.(?:mbox|mbx)$/iu

/** The first bytes decide: many programs give mbox files no ending, or a misleading one. */
const startsAsMbox = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0)
    return bytesRead === 5 && buffer.toString("latin1") === "From "
  } finally {
    await file.close()
  }
}

/**
 * By what a finished mail is known again. In a maildir that is its unique name: flags after `:2,` and the move from `new`
 * to `cur` change its path and not its content. Elsewhere a file that was changed is another one.
 */
const resumeKey = (path: string, isMaildir: boolean, size: number, modified: number): string =>
  isMaildir
    ? join(path, "..", "..", basename(path).replace(/[:;!]2,.*$/u, ""))
    : `${path}|${size}|${Math.trunc(modified)}`

interface Place {
  readonly path: string
  readonly name: string
  /** Every file here is a mail: `cur` and `new` of a maildir, and what is in them. */
  readonly isMaildir: boolean
  readonly isLink: boolean
  /** The user named this very path. */
  readonly isNamed: boolean
}

const mailFileAt = async (place: Place, size: number, modified: number): Promise<MailFile | null> => {
  const { path, name, isMaildir, isNamed } = place
  const key = resumeKey(resolve(path), isMaildir, size, modified)
  if (isMaildir) return { path, name, key, kind: "mail", size }
  if (size > 0 && (await startsAsMbox(path))) return { path, name, key, kind: "mbox", size }
  if (mailEnding.test(path) || (isNamed && !mboxEnding.test(path))) return { path, name, key, kind: "mail", size }
  return null
}

const childrenOf = async (place: Place): Promise<ReadonlyArray<Place>> => {
  const entries = await readdir(place.path, { withFileTypes: true })
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name))
  const isMaildir = folders.has("cur") && folders.has("new")
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
    .filter((entry) => !(isMaildir && entry.name === "tmp") && !(place.isMaildir && entry.name.startsWith(".")))
    .map((entry) => ({
      path: join(place.path, entry.name),
      name: join(place.name, entry.name),
      isMaildir: place.isMaildir || (isMaildir && (entry.name === "cur" || entry.name === "new")),
      isLink: entry.isSymbolicLink(),
      isNamed: false
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

const none: MailFiles = { files: [], ignored: 0 }
const together = (parts: ReadonlyArray<MailFiles>): MailFiles => ({
  files: parts.flatMap((part) => part.files),
  ignored: parts.reduce((sum, part) => sum + part.ignored, 0)
})

/** How many files are looked at at once. */
const breadth = 32

const visit = async (place: Place): Promise<MailFiles> => {
  const about = await stat(place.path).catch(() => null)
  if (about === null && place.isNamed) throw usageFailure(`There is no file or folder ${place.path}.`)
  if (about?.isDirectory() === true) {
    if (place.isLink) return none
    const children = await childrenOf(place)
    const parts: Array<MailFiles> = []
    for (let start = 0; start < children.length; start += breadth) {
      parts.push(...(await Promise.all(children.slice(start, start + breadth).map(visit))))
    }
    return together(parts)
  }
  const file = about?.isFile() === true ? await mailFileAt(place, about.size, about.mtimeMs) : null
  return file === null ? { files: [], ignored: 1 } : { files: [file], ignored: 0 }
}

/**
 * Finds the mail below some paths: maildirs (and maildir++ folders), mbox files, `.eml` files, and folders of them in any
 * depth. Links to files are followed, links to folders are not, since they may lead in circles.
 * @throws CommandFailed when a path does not exist
 */
export const findMailFiles = async (paths: ReadonlyArray<string>): Promise<MailFiles> => {
  const named = { isMaildir: false, isLink: false, isNamed: true }
  const parts: Array<MailFiles> = []
  for (const path of paths) parts.push(await visit({ ...named, path, name: relative("", path) || path }))
  return together(parts)
}
