import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Where Linux keeps files in memory. */
const memory = "/dev/shm"
const prefix = "leadloom-tests-"

/** Several times what a run holds at once. */
const roomBytes = 2 * 1_024 ** 3

/** A folder there for this run; null where there is no such place, too little room, or programs must not run from it. */
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

/** Longer than any run takes. */
const staleMillis = 3_600_000

/** Removes what runs have left that were killed: none of the last hour, whose process may be one of another container. */
const clear = (): void => {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix))) {
    const folder = join(memory, name)
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    const pid = Number(name.slice(prefix.length).split("-")[0])
    if (mtimeMs < Date.now() - staleMillis && !isRunning(pid)) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * For the setup of a run: temporary folders, those of databases above all, are made in memory where the machine has room
 * there. Nobody waits for a disk that nothing is to be kept on. A `TMPDIR` that is set is left alone. Answers how the
 * folder goes.
 */
export const useMemory = (): (() => void) => {
  const folder = (process.env["TMPDIR"] ?? "") === "" ? makeFolder() : null
  if (folder === null) return () => undefined
  clear()
  // Postgres may be run by another user than the tests.
  chmodSync(folder, 0o755)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.env["TMPDIR"] = folder
  // A run that is cut off takes it along.
  process.once("exit", remove)
  return () => {
    process.off("exit", remove)
    remove()
  }
}
