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
 * Makes the entries of folders durable. Callers that come while one folder is being synced share the next round, so that
 * many files cost few syncs.
 */
export const folderSyncs = (): ((folder: string) => Promise<void>) => {
  const running = new Map<string, Promise<void>>()
  /** Rounds that have not begun: whoever joins one is covered by it. */
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
    // It begins in a later step, never inside of this call.
    const next = Promise.resolve().then(() => round(folder))
    waiting.set(folder, next)
    return next
  }
}
