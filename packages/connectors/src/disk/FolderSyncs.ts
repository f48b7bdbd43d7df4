import { open } from "node:fs/promises"

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes the entries of folders durable. Calls that arrive while a folder is being synced share the next sync of this
 * folder. Writing many files therefore needs few syncs.
 */
export const folderSyncs = (): ((folder: string) => Promise<void>) => {
  const running = new Map<string, Promise<void>>()
  /** Syncs that have not started yet, by folder. One sync is enough for all calls that wait for it. */
  const waiting = new Map<string, Promise<void>>()
  const round = async (folder: string): Promise<void> => {
    await running.get(folder)?.catch(() => undefined)
    waiting.delete(folder)
    const sync = syncFolder(folder)
    running.set(folder, sync)
    try {
      await sync
    } finally {
      if (running.get(folder) === sync) running.delete(folder)
    }
  }
  return (folder) => {
    const joined = waiting.get(folder)
    if (joined !== undefined) return joined
    // The sync starts asynchronously, so that other calls can still share it.
    const next = Promise.resolve().then(() => round(folder))
    waiting.set(folder, next)
    return next
  }
}
