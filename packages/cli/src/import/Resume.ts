import { createHash } from "node:crypto"
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { usageFailure } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"

/**
 * The values that identify an import: server, tenant and paths. An import with equal values continues the earlier one.
 */
export interface ImportPlace {
  readonly url: string
  readonly tenant: string
  readonly paths: ReadonlyArray<string>
}

/** The mails that earlier runs of the same import have finished. */
export interface Resume {
  readonly file: string
  readonly isFinished: (key: string) => boolean
  /** Records finished mails. The record is on disk when the promise resolves. */
  readonly finish: (keys: ReadonlyArray<string>) => Promise<void>
}

/** Returns `$XDG_STATE_HOME/leadloom`, or `~/.leadloom` when the variable is unset. */
export const stateFolder = ({ env, home }: Pick<Terminal, "env" | "home">): string =>
  env["XDG_STATE_HOME"] ? join(env["XDG_STATE_HOME"], "leadloom") : join(home, ".leadloom")

const fileOf = (folder: string, { url, tenant, paths }: ImportPlace): string => {
  const place = [url, tenant, ...paths.map((path) => resolve(path)).toSorted()]
  const hash = createHash("sha256").update(JSON.stringify(place)).digest("hex").slice(0, 16)
  return join(folder, `import-${tenant.replaceAll(/[^a-z0-9_-]/gu, "_")}-${hash}.jsonl`)
}

/** Parses the keys of a state file. Ignores a line that a crash truncated. */
const keysIn = (text: string): Set<string> => {
  const lines = text.split("\n").slice(1)
  const keys = lines.flatMap((line) => {
    try {
      const key: unknown = JSON.parse(line)
      return typeof key === "string" ? [key] : []
    } catch {
      return []
    }
  })
  return new Set(keys)
}

/** Creates the state file. Its folder may not be writable, for example in a container with a read-only file system. */
const create = async (file: string, place: ImportPlace): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, `${JSON.stringify({ version: 1, ...place })}\n`, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw usageFailure(`Cannot write ${file} (${code}). Set XDG_STATE_HOME to a folder that you own.`)
  }
}

/**
 * Opens the state of an import: one file per server, tenant and set of paths, with one line per finished mail.
 * `restart` discards the state. Losing the file only makes the import slower, because the server recognises duplicates.
 */
export const openResume = async (terminal: Terminal, place: ImportPlace, restart: boolean): Promise<Resume> => {
  const file = fileOf(stateFolder(terminal), place)
  if (restart) await rm(file, { force: true })
  const text = await readFile(file, "utf8").catch(() => null)
  const finished = keysIn(text ?? "")
  if (text === null) await create(file, place)
  // A crash may have truncated the last line. The line feed ends this line, so that the next one is complete.
  if (text !== null && !text.endsWith("\n")) await appendFile(file, "\n")
  return {
    file,
    isFinished: (key) => finished.has(key),
    finish: async (keys) => {
      if (keys.length === 0) return
      for (const key of keys) finished.add(key)
      await appendFile(file, keys.map((key) => `${JSON.stringify(key)}\n`).join(""))
    }
  }
}
