/**
 * `leadloom demo day`: a simulated day at three businesses on a real server with a controlled clock, and the checks of its
 * result. Load tests do not belong here. Tests: `packages/cli/test/day`.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runAgents } from "./Agents.ts"
import { arrive } from "./Arrive.ts"
import { problemsOf } from "./Check.ts"
import { type Facts, gatherFacts } from "./Facts.ts"
import { type SimulatedAction, planDay } from "./Plan.ts"
import { places } from "./Place.ts"
import { makeRandom } from "./Random.ts"
import { type Receiver, startReceiver } from "./Receiver.ts"
import { setUp } from "./SetUp.ts"
import { hasDeferredWork, settle, settleInbound } from "./Settle.ts"
import { type DaySummary, summarise } from "./Summary.ts"
import { startTwilioStandIn, type TwilioStandIn } from "./TwilioStandIn.ts"
import { newNotes, type Store, type World } from "./World.ts"

/** The input of a simulated day. */
export interface DayOptions {
  readonly contacts: number
  readonly seed: number
  /** The advance of the clock per step, in minutes. */
  readonly stepMinutes: number
  readonly signal: AbortSignal
  /** Receives the simulated time before each step, for progress output. */
  readonly onStep: (time: number) => void
  /** An existing data folder, which is kept. Default: a temporary folder. Other tenants in its database do not count. */
  readonly dataDir?: string
}

/** The server, its clock, and read access to its database. The command passes them to the simulation. */
export interface DayServer {
  readonly clock: { readonly now: () => number; readonly moveTo: (time: number) => void }
  /** Runs the server until `stop` aborts. Returns the exit code. */
  readonly serve: (
    env: Readonly<Record<string, string>>,
    onListening: (url: string) => Promise<void>,
    stop: AbortSignal
  ) => Promise<number>
  readonly examine: (file: string) => Store & { readonly close: () => void }
}

/** The result of a simulated day. */
export interface Day {
  readonly summary: DaySummary
  readonly facts: Facts
}

const dayMillis = 86_400_000
/** The number of people who write concurrently within one step. */
const peopleAtOnce = 8

/**
 * Returns the parent folder of the temporary store. Prefers `/dev/shm`, a folder in memory, because the store is
 * deleted at the end.
 */
const temporary = (): string => (existsSync("/dev/shm") ? "/dev/shm" : tmpdir())

/** Returns the start of the next Tuesday in UTC. All three businesses are open on Tuesdays. */
export const nextTuesday = (now: number): number => {
  const midnight = Math.ceil(now / dayMillis) * dayMillis
  return midnight + ((2 - new Date(midnight).getUTCDay() + 7) % 7) * dayMillis
}

const environment = (folder: string, adminKey: string, twilio: TwilioStandIn, receiver: Receiver) => {
  const limits = ["ADMIN", "WEBHOOK", "WORKFLOW", "PUBLIC"].map(
    (name) => [`LEADLOOM_LIMIT_${name}`, "1000000"] as const
  )
  return {
    ...Object.fromEntries(limits),
    ...twilio.env,
    LEADLOOM_DATA_DIR: folder,
    LEADLOOM_ADMIN_KEY: adminKey,
    LEADLOOM_LOG_LEVEL: "error",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: receiver.host
  }
}

/** Delivers the actions of one person in sequence, and those of different people concurrently. */
const arriveAll = async (world: World, acts: ReadonlyArray<SimulatedAction>): Promise<void> => {
  const people = [...Map.groupBy(acts, (act) => act.person).values()]
  const work = async (): Promise<void> => {
    for (let mine = people.shift(); mine !== undefined; mine = people.shift())
      for (const act of mine) await arrive(world, act)
  }
  await Promise.all(Array.from({ length: peopleAtOnce }, work))
}

const step = async (world: World, acts: ReadonlyArray<SimulatedAction>): Promise<void> => {
  await settleInbound(world)
  await arriveAll(world, acts)
  await settleInbound(world)
  await Promise.all(world.businesses.map((business) => runAgents(world, business)))
  await settle(world)
}

/**
 * Simulates the day and the following morning, when texts that were deferred at night are sent. Returns the simulated
 * time of the end.
 */
const pass = async (world: World, { clock }: DayServer, options: DayOptions, begin: number): Promise<number> => {
  const acts = planDay(places, options.contacts, begin, world.random)
  const stepMillis = options.stepMinutes * 60_000
  const steps = Math.ceil(dayMillis / stepMillis)
  const moveTo = (time: number): void => {
    options.signal.throwIfAborted()
    options.onStep(time)
    clock.moveTo(time)
  }
  for (let index = 0; index < steps; index++) {
    const from = begin + index * stepMillis
    const until = from + stepMillis
    moveTo(until)
    const now = acts.filter(({ at }) => at >= from && at < until)
    await step(world, now)
  }
  // The simulation ends on the following night at the latest. Work that is still deferred then is never done.
  for (let index = steps; index < 2 * steps; index++) {
    if (!hasDeferredWork(world)) return begin + index * stepMillis
    moveTo(begin + (index + 1) * stepMillis)
    await settle(world)
  }
  return begin + 2 * dayMillis
}

const live = async (
  server: DayServer,
  options: DayOptions,
  url: string,
  given: Omit<World, "businesses">,
  key: string
) => {
  const begin = nextTuesday(server.clock.now())
  server.clock.moveTo(begin)
  const world: World = { ...given, url, businesses: await setUp(url, key, given.receiver) }
  const ended = await pass(world, server, options, begin)
  return { facts: await gatherFacts(world), begin, ended }
}

/** Starts a server, simulates a day on it and verifies the result. */
export const runDay = async (server: DayServer, options: DayOptions): Promise<Day> => {
  const began = performance.now()
  const { now } = server.clock
  const folder = options.dataDir ?? (await mkdtemp(join(temporary(), "leadloom-day-")))
  const [twilio, receiver] = [await startTwilioStandIn(now), await startReceiver(now)]
  const port = await receiver.freePort()
  const adminKey = randomBytes(24).toString("base64url")
  const env = {
    ...environment(folder, adminKey, twilio, receiver),
    LEADLOOM_PORT: String(port),
    LEADLOOM_PUBLIC_URL: `http://127.0.0.1:${port}`
  }
  const stop = new AbortController()
  const over = Promise.withResolvers<Awaited<ReturnType<typeof live>>>()
  const onListening = async (url: string): Promise<void> => {
    const store = server.examine(join(folder, "leadloom.db"))
    const given = { url, now, random: makeRandom(options.seed), twilio, receiver, store, notes: newNotes() }
    await live(server, options, url, given, adminKey).then(over.resolve, over.reject)
    store.close()
    stop.abort()
  }
  // The code below awaits this promise only after the server has ended. Until then, the empty handler prevents the
  // error of an unhandled rejection.
  over.promise.catch(() => undefined)
  try {
    const exitCode = await server.serve(env, onListening, stop.signal)
    if (exitCode !== 0) over.reject(new Error("The server of the simulated day did not start."))
    if (!stop.signal.aborted) over.reject(new Error("The server of the simulated day stopped early."))
    const { begin, ended, facts } = await over.promise
    const summary = {
      seed: options.seed,
      began: new Date(begin).toISOString(),
      ended: new Date(ended).toISOString(),
      wall_seconds: Math.round((performance.now() - began) / 100) / 10,
      tenants: summarise(facts),
      problems: problemsOf(facts)
    }
    return { summary, facts }
  } finally {
    twilio.close()
    receiver.close()
    if (options.dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
}
