import { existsSync, readFileSync, statSync } from "node:fs"
import { Effect } from "effect"
import { lockFile } from "../FileLock.ts"

/** The process that holds a SQLite file. */
export interface LockHolder {
  /** The process id; null if the operating system does not report it. */
  readonly pid: number | null
  /** The command line of the process; empty if it is unknown. */
  readonly command: string
}

/** Finds the process id in the lock list of Linux: `1: POSIX ADVISORY WRITE <pid> <major>:<minor>:<inode> …`. */
const pidIn = (locks: string, inode: number): number | null => {
  const line = new RegExp(`WRITE\\s+(?<pid>\\d+)\\s+[0-9a-f]+:[0-9a-f]+:${inode}\\s`, "u").exec(locks)
  const pid = Number(line?.groups?.["pid"] ?? 0)
  return pid > 0 ? pid : null
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** Finds the process that holds a SQLite file: a server or a copy. Returns null for a free file. */
export const lockHolder = (filename: string): Effect.Effect<LockHolder | null> =>
  Effect.suspend(() => {
    const lock = `${filename}.lock`
    if (!existsSync(lock)) return Effect.succeed(null)
    return Effect.match(Effect.scoped(lockFile(filename)), {
      onSuccess: () => null,
      onFailure: () => {
        const pid = pidIn(readText("/proc/locks"), statSync(lock).ino)
        const command = pid === null ? "" : readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()
        return { pid, command }
      }
    })
  })
