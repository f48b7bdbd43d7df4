/** Runs a plan hour by hour, with its faults. */
import { setTimeout as sleep } from "node:timers/promises"
import { progress } from "@leadloom/testkit/bench/Bench"
import type { Stored } from "../Stored.ts"
import type { Actor } from "./Actions.ts"
import type { Fault } from "./Faults.ts"
import { type Action, begin, hourMillis, makeRandom, type Plan } from "./Plan.ts"
import type { Providers } from "./Providers.ts"
import type { SimulatedServers } from "./SimulatedServers.ts"

/** The database of a simulation. */
export interface SimulatedDatabase {
  readonly stored: () => Stored
  /** Stops the database and starts it again; null if it belongs to the process of the server. */
  readonly restart: (() => Promise<void>) | null
}

/** The faults that took place. */
export type Damage = {
  kills: number
  databaseRestarts: number
  clockJumps: number
  providerOutages: number
  hoursWithoutServers: number
  /** The hours in which due work remained, although servers ran. */
  unfinishedHours: number
}

/** The hours at the end without faults. */
export const quietHours = 6

const pollMillis = 10
/** The leases of the product, in milliseconds. Claimed work is due again after this time. */
const leaseMillis = 31_000
/** The time without progress after which claimed work counts as left by a killed server. */
const maxIdleMillis = 3_000

const workSql = (now: number): string => {
  const open = [
    ["signals", "state = 'queued'"],
    ["enrolments", "state = 'active'"],
    ["trigger_runs", "state = 'waiting'"],
    ["sends", "state = 'reserved'"]
  ] as const
  const count = (condition: string): string =>
    open.map(([table, state]) => `(SELECT count(*) FROM ${table} WHERE ${state} AND ${condition})`).join(" + ")
  const claimed = `due_at > ${now} AND due_at <= ${now + leaseMillis}`
  return `SELECT ${count(`due_at <= ${now}`)} AS due,
    ${count(claimed)} + (SELECT count(*) FROM sends WHERE state = 'handed_over') AS claimed`
}

const workAt = async (stored: Stored, now: number): Promise<{ readonly due: number; readonly claimed: number }> => {
  const [row] = await stored.rows(workSql(Math.floor(now)))
  return { due: Number(row?.["due"]), claimed: Number(row?.["claimed"]) }
}

/** Waits until nothing is due and nothing runs. Returns false if due work remains without progress. */
const untilIdle = async (stored: () => Stored, now: () => number): Promise<boolean> => {
  let [last, since] = ["", performance.now()]
  for (;;) {
    const { claimed, due } = await workAt(stored(), now())
    if (due + claimed === 0) return true
    if (last !== `${due} ${claimed}`) [last, since] = [`${due} ${claimed}`, performance.now()]
    const idle = performance.now() - since
    if (idle > maxIdleMillis) return due === 0
    await sleep(pollMillis)
  }
}

/** The parts of a simulation. */
export interface Simulation {
  readonly plan: Plan
  readonly servers: SimulatedServers
  readonly serverCount: number
  readonly act: Actor["act"]
  readonly providers: Providers
  readonly database: SimulatedDatabase
  readonly faultOf: (hour: number) => Fault
}

/** Runs all hours of a plan. Returns the faults that took place. */
export const simulate = async (simulation: Simulation, seed: number): Promise<Damage> => {
  const { act, database, faultOf, plan, providers, serverCount, servers } = simulation
  const hours = plan.days * 24
  const random = makeRandom(seed)
  const indices = Array.from({ length: serverCount }, (_, index) => index)
  const damage: Damage = {
    kills: 0,
    databaseRestarts: 0,
    clockJumps: 0,
    providerOutages: 0,
    hoursWithoutServers: 0,
    unfinishedHours: 0
  }
  let before = faultOf(-1)
  let last = 0
  let delayed: ReadonlyArray<Action> = []
  for (let hour = 1; hour <= hours; hour++) {
    const fault = faultOf(hour)
    const actions = [...delayed, ...(plan.actions.get(hour) ?? [])]
    const isSame = JSON.stringify(fault) === JSON.stringify(before) && fault.killed === null && !fault.restartsDatabase
    // Nothing happens in this hour.
    if (isSame && actions.length === 0 && (await workAt(database.stored(), begin + hour * hourMillis)).due === 0)
      continue
    // A message that arrived after the last hour was complete belongs to that hour.
    providers.collect(last)
    last = hour
    const isOutage = (before.isMailUp && !fault.isMailUp) || (before.areTextsUp && !fault.areTextsUp)
    if (isOutage) damage.providerOutages += 1
    await providers.setMail(fault.isMailUp)
    providers.setTexts(fault.areTextsUp)
    if (fault.isDown && !before.isDown) await Promise.all(indices.map(servers.kill))
    if (!fault.isDown && before.isDown) await Promise.all(indices.map(servers.start))
    if (fault.skewed?.millis !== before.skewed?.millis) {
      damage.clockJumps += 1
      for (const index of indices) servers.skew(index, fault.skewed?.server === index ? fault.skewed.millis : 0)
    }
    before = fault
    await servers.moveTo(begin + hour * hourMillis)
    delayed = fault.isDown ? actions : []
    if (fault.isDown) {
      damage.hoursWithoutServers += 1
      continue
    }
    const acting = act(actions, hour)
    if (fault.killed !== null) {
      await sleep(random() * 80)
      await servers.kill(fault.killed)
      damage.kills += 1
    }
    if (fault.restartsDatabase && database.restart !== null) {
      await sleep(random() * 30)
      await database.restart()
      damage.databaseRestarts += 1
    }
    if (fault.killed !== null) await servers.start(fault.killed)
    await acting
    if (!(await untilIdle(database.stored, servers.now))) damage.unfinishedHours += 1
    if (hour % 24 === 0) progress(`day ${hour / 24}: ${providers.receipts.length} messages`)
  }
  providers.collect(last)
  return damage
}
