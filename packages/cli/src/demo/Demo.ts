/**
 * `leadloom serve --demo`: fills a demo tenant with sample messages through the API, and prints the outcome of each
 * message. Code that a real deployment needs does not belong here. Tests: `packages/cli/test/demo`.
 */
import { resolve } from "node:path"
import { createClient, type Leadloom } from "@leadloom/client"
import { explain } from "../Failure.ts"
import { signInLink } from "../SignInLink.ts"
import type { Terminal } from "../Terminal.ts"
import { readArrivals } from "./Arrivals.ts"
import { type DemoKeys, openKeys, writeKeys } from "./DemoKeys.ts"
import { directions } from "./Directions.ts"
import { feed } from "./Feed.ts"
import { type PhoneLine, startPhoneLine } from "./PhoneLine.ts"
import { startDemoRelay } from "./Relay.ts"
import { demoTenant, setUpDemo } from "./Setup.ts"
import { newNames, renderOutcome } from "./Story.ts"

/** The environment of the server and the keys of a demo, before the server starts. */
export interface PreparedDemo {
  readonly env: Terminal["env"]
  readonly dataDir: string
  readonly keys: DemoKeys
  /** Null if the server has a provider of texts and calls. */
  readonly phone: PhoneLine | null
}

/**
 * Reads or creates the keys of the demo. Sets a high log level, because the log and the outcomes of the messages appear
 * on the same screen.
 */
export const prepareDemo = async (env: Terminal["env"]): Promise<PreparedDemo> => {
  const dataDir = resolve(env["LEADLOOM_DATA_DIR"]?.trim() || "./leadloom-data")
  const keys = await openKeys(dataDir, env)
  const phone = await startPhoneLine(env)
  const relay = env["LEADLOOM_SMTP_URL"]?.trim() || (await startDemoRelay())
  return {
    dataDir,
    keys,
    phone,
    env: {
      LEADLOOM_LOG_LEVEL: "warn",
      // The account of the demo must not prevent the connection of a real one.
      LEADLOOM_EMAIL_ACCOUNTS_PER_TENANT: "5",
      ...phone?.env,
      ...env,
      LEADLOOM_DATA_DIR: dataDir,
      LEADLOOM_SMTP_URL: relay,
      LEADLOOM_ADMIN_KEY: keys.adminKey,
      LEADLOOM_SESSION_SECRET: keys.sessionSecret
    }
  }
}

const showStory = async (terminal: Terminal, client: Leadloom, keys: DemoKeys): Promise<void> => {
  const { style } = terminal
  const arrivals = await readArrivals(Date.now())
  terminal.out(`${style("bold", "A morning at Larkspur Roofing")}: ${arrivals.length} messages arrive.\n\n`)
  const names = newNames()
  let number = 0
  for await (const outcome of feed(client, keys, arrivals)) {
    number++
    terminal.out(renderOutcome(style, number, outcome, names))
    if (terminal.signal.aborted) return
  }
}

/** The person as whom the link of the demo signs in. The first link creates the person as an admin. */
const demoUser = { name: "Robin Reyes", email: "robin@example.com" }

const consoleLink = async (client: Leadloom, url: string): Promise<string> => {
  const { ticket } = await client.sessions.createTicket({ tenant_id: demoTenant, user: demoUser, role: "admin" })
  return signInLink(url, ticket)
}

const missCall = async (terminal: Terminal, phone: PhoneLine | null, url: string): Promise<void> => {
  if (phone === null) return
  await phone.missCall(url)
  terminal.out(
    `Priya calls, and nobody answers. The missed call is on the page ${terminal.style("bold", "Calls")}.\n\n`
  )
}

const play = async (terminal: Terminal, { dataDir, keys, phone }: PreparedDemo, url: string): Promise<void> => {
  const client = createClient({ baseUrl: url, credential: keys.adminKey })
  const keep = (changed: DemoKeys): Promise<void> => writeKeys(dataDir, changed)
  terminal.out(`Leadloom serves ${terminal.style("bold", url)}\nData directory ${dataDir}\n\n`)
  if (keys.fed) {
    terminal.out(`The tenant demo and its sample messages exist from an earlier start.\n\n`)
    terminal.out(directions(terminal.style, url, keys, dataDir, await consoleLink(client, url)))
    return
  }
  const ready = await setUpDemo(client, keys, keep)
  await phone?.connect(client)
  await showStory(terminal, client, ready)
  if (terminal.signal.aborted) return
  await missCall(terminal, phone, url)
  const fed = { ...ready, fed: true }
  await keep(fed)
  terminal.out(directions(terminal.style, url, fed, dataDir, await consoleLink(client, url)))
}

/**
 * Fills the demo tenant through the API and prints the outcome of each message. If a step fails, the server keeps
 * running.
 */
export const showDemo = async (terminal: Terminal, prepared: PreparedDemo, url: string): Promise<void> => {
  try {
    await play(terminal, prepared, url)
  } catch (error) {
    const { message } = explain(error, url)
    terminal.err(`The demo data is incomplete: ${message} The server keeps running. Restart it to try again.\n`)
  }
}
