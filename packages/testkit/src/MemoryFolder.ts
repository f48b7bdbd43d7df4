import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The in-memory file system of Linux. */
const memory = "/dev/shm"
const prefix = "leadloom-tests-"

/** The minimum free space. A run needs only a fraction of it. */
const roomBytes = 2 * 1_024 ** 3

/**
 * Creates a folder in memory for this run. Returns null without such a file system, with too little space, or if
 * programs cannot be executed there.
 */
const makeFolder = (): string | null => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (Math.min(bavail * bsize, process.availableMemory() / 2) < roomBytes) return null
    const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
    const probe = join(folder, "probe")
    writeFileSync(probe, "#!/bin/sh\n", { mode: 0o755 })
    if (spawnSync(probe).status === 0) return folder
    rmSync(folder, { recursive: true })
    return null
  } catch {
    return null
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Folders older than this belong to no running test. */
const staleMillis = 3_600_000

/** Removes folders of interrupted runs. Folders of the last hour are kept, because another container may use them. */
const clear = (): void => {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix))) {
    const folder = join(memory, name)
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    const pid = Number(name.slice(prefix.length).split("-")[0])
    if (mtimeMs < Date.now() - staleMillis && !isRunning(pid)) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Places temporary folders, above all those of databases, in memory if the machine has enough space. Tests then do not
 * wait for a disk. If `TMPDIR` is set, changes nothing. Returns a function that removes the folder. Called in the setup
 * of a run.
 */
export const useMemory = (): (() => void) => {
  const folder = (process.env["TMPDIR"] ?? "") === "" ? makeFolder() : null
  if (folder === null) return () => undefined
  clear()
  // Postgres may run as another user than the tests.
  chmodSync(folder, 0o755)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.env["TMPDIR"] = folder
  // The folder is also removed when the process ends early.
  process.once("exit", remove)
  return () => {
    process.off("exit", remove)
    remove()
  }
}
