import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serve } from "@leadloom/server/internal/main"
import { makeMovableClock } from "@leadloom/server/internal/startup/MovableClock"
import { type Receiver, startReceiver } from "../src/day/Receiver.ts"
import { startTwilioStandIn } from "../src/day/TwilioStandIn.ts"
import { nextMonday } from "./ExampleNames.ts"

/** A running server with a webhook receiver and a telephone provider. */
export interface ExampleServer {
  readonly url: string
  readonly adminKey: string
  readonly receiver: Receiver
  /** The time of the start in Unix epoch milliseconds. */
  readonly began: number
}

const adminKey = "the-operators-admin-key-of-the-demo"

/**
 * Starts a server with its data in a temporary folder, and stops it after the work. `settings` are further variables of
 * its environment.
 */
export const withExampleServer = async <Result>(
  work: (server: ExampleServer) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {}
): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "leadloom-examples-"))
  // The samples are from a Monday, and calls are allowed at noon.
  const clock = makeMovableClock()
  clock.moveTo(nextMonday(Date.now()))
  const began = clock.now()
  const [twilio, receiver] = [await startTwilioStandIn(clock.now), await startReceiver(clock.now)]
  const port = await receiver.freePort()
  const env = {
    ...twilio.env,
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_DATA_DIR: folder,
    LEADLOOM_LOG_LEVEL: "error",
    LEADLOOM_PORT: String(port),
    LEADLOOM_PUBLIC_URL: `http://127.0.0.1:${port}`,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-the-demo",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: receiver.host,
    ...settings
  }
  const stop = new AbortController()
  const done = Promise.withResolvers<Result>()
  done.promise.catch(() => undefined)
  const onListening = async ({ url }: { readonly url: string }): Promise<void> => {
    await work({ url, adminKey, receiver, began }).then(done.resolve, done.reject)
    stop.abort()
  }
  try {
    const exitCode = await serve(env, { clock: clock.clock, onListening, signal: stop.signal })
    if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}.`)
    return await done.promise
  } finally {
    twilio.close()
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}
