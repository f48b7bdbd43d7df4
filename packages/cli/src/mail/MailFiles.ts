import { open, readdir, stat } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import { usageFailure } from "../Failure.ts"

/** A file that contains mail. */
export interface MailFile {
  readonly path: string
  /** The path that the user gave. For a file below a given folder, the path of the folder and the path inside it. */
  readonly name: string
  /** The key of the file, which changes only if the content changes; see `resumeKey`. */
  readonly key: string
  readonly kind: "mail" | "mbox"
  readonly size: number
}

/** The result of a search for mail files. */
export interface MailFiles {
  readonly files: ReadonlyArray<MailFile>
  /** The number of files without recognisable mail. */
  readonly ignored: number
}

const mailEnding = /\.(?:eml|mime)$/iu
const mboxEnding = /\.(?:mbox|mbx)$/iu

/** Checks the first bytes, because many programs give mbox files no extension or a misleading one. */
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
 * Returns the key by which a later run recognises a finished mail file. In a maildir, the key is the unique part of the
 * file name: flags (`:2,`) and the move from `new` to `cur` change the path, but not the content. Outside maildirs, a
 * modified file has a new key.
 */
const resumeKey = (path: string, isMaildir: boolean, size: number, modified: number): string =>
  isMaildir
    ? join(path, "..", "..", basename(path).replace(/[:;!]2,.*$/u, ""))
    : `${path}|${size}|${Math.trunc(modified)}`

interface Place {
  readonly path: string
  readonly name: string
  /** Whether every file here is a mail, as in `cur` and `new` of a maildir. */
  readonly isMaildir: boolean
  readonly isLink: boolean
  /** Whether the path was given on the command line. */
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

/** The number of files that are examined concurrently per folder. */
const breadth = 32

const visit = async (place: Place): Promise<MailFiles> => {
  const about = await stat(place.path).catch(() => null)
  if (about === null && place.isNamed) throw usageFailure(`${place.path} does not exist.`)
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
 * Finds mail below the given paths: maildirs (including maildir++ folders), mbox files, `.eml` files, and folders that
 * contain any of these at any depth. Follows links to files. Ignores links to folders, because they may form cycles.
 * @throws CommandFailed when a path does not exist
 */
export const findMailFiles = async (paths: ReadonlyArray<string>): Promise<MailFiles> => {
  const named = { isMaildir: false, isLink: false, isNamed: true }
  const parts: Array<MailFiles> = []
  for (const path of paths) parts.push(await visit({ ...named, path, name: relative("", path) || path }))
  return together(parts)
}
