import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** The webhook receivers of `Receivers.ts` in a separate process. */
export interface ReceiverProcess {
  readonly base: string
  readonly port: number
  /** Returns the number of requests so far. */
  readonly count: () => Promise<number>
  /** Returns the event numbers by path, in the order of arrival. */
  readonly seen: () => Promise<Readonly<Record<string, ReadonlyArray<number>>>>
  /** Returns the number of distinct events by path. */
  readonly progress: () => Promise<Readonly<Record<string, number>>>
  readonly stop: () => void
}

/** Starts the receivers. The slow ones take `slowMillis`. */
export const startReceivers = async (slowMillis = 300): Promise<ReceiverProcess> => {
  const program = fileURLToPath(new URL("Receivers.ts", import.meta.url))
  const child = spawn(process.execPath, [program, String(slowMillis)], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout, "data")
  const port = Number(line)
  const base = `http://127.0.0.1:${port}`
  return {
    base,
    port,
    count: async () => Number(await (await fetch(`${base}/count`)).text()),
    seen: async () => Object(await (await fetch(`${base}/seen`)).json()).seen,
    progress: async () => Object(await (await fetch(`${base}/progress`)).json()),
    stop: () => void child.kill()
  }
}
