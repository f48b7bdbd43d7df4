/**
 * Writes `packages/api/examples.json`: the requests and responses of the reference, recorded in a run of the demo. Run it
 * after a change of the contract: `node --conditions=leadloom:source packages/cli/generate/examples.ts`. Its output contains
 * times and ids of the run, so `npm run generate` does not run it. Tests: `packages/api/test/Examples.test.ts`.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serve } from "@leadloom/server/main"
import { makeMovableClock } from "@leadloom/server/startup/MovableClock"
import { startReceiver } from "../src/day/Receiver.ts"
import { startTwilioStandIn } from "../src/day/TwilioStandIn.ts"
import { schemaExamples } from "./ExampleProviders.ts"
import { nextMonday, tidied } from "./ExampleNames.ts"
import { makeRecorder, type Recorder } from "./ExampleRecorder.ts"
import { scenario } from "./ExampleScenario.ts"

const adminKey = "the-operators-admin-key-of-the-demo"

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
  LEADLOOM_WEBHOOK_ALLOW_HOSTS: receiver.host
}
const stop = new AbortController()
const done = Promise.withResolvers<Recorder>()
done.promise.catch(() => undefined)

const onListening = async ({ url }: { readonly url: string }): Promise<void> => {
  const recorder = await makeRecorder(url)
  await scenario({ adminKey, recorder, receiver, url })
    .then(() => done.resolve(recorder))
    .catch(done.reject)
  stop.abort()
}

try {
  await serve(env, { clock: clock.clock, onListening, signal: stop.signal })
  const { examples, missing } = await done.promise
  const text = tidied(
    { examples: Object.fromEntries(examples), schemas: schemaExamples(examples) },
    began,
    `http://127.0.0.1:${port}`,
    receiver.host
  )
  await writeFile(new URL("../../api/examples.json", import.meta.url), text)
  process.stdout.write(`${examples.size} operations. Without an example: ${missing().join(", ") || "none"}\n`)
} finally {
  twilio.close()
  receiver.close()
  await rm(folder, { recursive: true, force: true })
}
