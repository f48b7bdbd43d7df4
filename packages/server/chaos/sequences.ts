/**
 * Simulates weeks of sequences and of rules with triggers, for the contacts of several tenants: on several servers with
 * one Postgres, and on one server with SQLite. Servers are killed, clocks jump, the database restarts, and providers are
 * away, while contacts answer, opt out and bounce. At the end, a model that follows the documentation and not the code
 * is compared with the stored records and with the messages that the providers have received.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { startOwnPostgres } from "@leadloom/testkit/postgres/TestPostgres"
import { temporaryFolder } from "../test/world/ServerProcess.ts"
import { makeActor } from "./sequence/Actions.ts"
import { compare } from "./sequence/Compare.ts"
import { makeFaults } from "./sequence/Faults.ts"
import { begin, makePlan, type Plan } from "./sequence/Plan.ts"
import { startProviders } from "./sequence/Providers.ts"
import { quietHours, simulate, type SimulatedDatabase } from "./sequence/Simulate.ts"
import { startSimulatedServers } from "./sequence/SimulatedServers.ts"
import { makeWorld } from "./sequence/World.ts"
import { openPostgres, openSqlite, type Stored } from "./Stored.ts"
import { chaosResult, sumOf } from "./Tally.ts"

interface Place extends SimulatedDatabase {
  readonly environment: Readonly<Record<string, string>>
  /** Called after the servers have created the tables. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

const absent = (): never => {
  throw new Error("the database is not open")
}

const placeOnPostgres = async (): Promise<Place> => {
  const postgres = await startOwnPostgres()
  let stored: Stored | null = null
  return {
    environment: { LEADLOOM_DATABASE_URL: postgres.url },
    stored: () => stored ?? absent(),
    restart: async () => {
      await postgres.halt()
      await postgres.resume()
      stored = await openPostgres(postgres.url)
    },
    open: async () => void (stored = await openPostgres(postgres.url)),
    close: async () => {
      await stored?.close()
      await postgres.stop()
    }
  }
}

const placeOnSqlite = (folder: string): Place => {
  let stored: Stored | null = null
  return {
    environment: {},
    stored: () => stored ?? absent(),
    restart: null,
    open: async () => void (stored = openSqlite(join(folder, "0", "leadloom.db"))),
    close: async () => void (await stored?.close())
  }
}

/** Counts log lines by their event. */
const countsOf = (lines: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const line of lines) {
    const event = /"event":"([^"]+)"/u.exec(line)?.[1] ?? line.slice(0, 100)
    counts[event] = (counts[event] ?? 0) + 1
  }
  return counts
}

const runOn = async (place: Place, folder: string, plan: Plan, serverCount: number, seed: number) => {
  const providers = await startProviders()
  mkdirSync(folder)
  const servers = await startSimulatedServers(serverCount, begin, (index) => ({
    LEADLOOM_DATA_DIR: join(folder, String(index)),
    LEADLOOM_SECRET_KEY: "one-secret-for-all-of-the-servers-here",
    LEADLOOM_LIMIT_ADMIN: "1000000",
    LEADLOOM_LIMIT_WEBHOOK: "1000000",
    ...providers.environment,
    ...place.environment
  }))
  try {
    await place.open()
    const leadOf = async (contactId: string): Promise<string | null> =>
      (await place.stored().values(`SELECT lead_id FROM leads WHERE contact_id = '${contactId}'`))[0] ?? null
    const world = await makeWorld(servers, plan)
    const { act, facts } = makeActor({ plan, servers, providers, world, leadOf })
    const faultOf = makeFaults(plan.days * 24, serverCount, seed, quietHours)
    const damage = await simulate({ plan, servers, serverCount, act, providers, database: place, faultOf }, seed)
    const end = servers.now()
    const comparison = await compare({ plan, world, facts, providers, stored: place.stored(), end, faultOf })
    return { damage, ...comparison, logged: countsOf(servers.failures()) }
  } finally {
    await servers.stop()
    await providers.close()
    await place.close()
  }
}

/** The databases, and the number of servers on each. */
type Databases = ReadonlyArray<{ readonly name: "postgres" | "sqlite"; readonly serverCount: number }>

const run = async (plan: Plan, databases: Databases, seed: number): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const results: Record<string, Awaited<ReturnType<typeof runOn>>> = {}
  try {
    for (const { name, serverCount } of databases) {
      progress(name)
      const path = join(folder.path, name)
      const place = name === "postgres" ? await placeOnPostgres() : placeOnSqlite(path)
      results[name] = await runOn(place, path, plan, serverCount, seed)
    }
    const all = Object.values(results)
    const { days, people, sequences } = plan
    return chaosResult(
      sumOf(all.map(({ tally }) => tally)),
      { contacts: people.length, days, sequences: sequences.length, seed, ...results },
      { "every other promise of the documentation holds": all.every(({ wrong }) => wrong === 0) }
    )
  } finally {
    folder.remove()
  }
}

export const bench: Bench = {
  name: "sequences",
  purpose: "Weeks of sequences and rules with triggers on a simulated clock, with every fault: each step exactly once.",
  usage: "[contacts] [days] [sequences] [tenants] [servers on Postgres] [servers on SQLite, 0 or 1] [seed]",
  sizes: { smallest: [6, 1, 2, 1, 2, 0, 1], small: [60, 8, 6, 2, 3, 1, 1], full: [5_000, 60, 20, 4, 3, 1, 1] },
  run: (args) => {
    const number = (position: number): number => numberAt(args, position)
    const sizes = { contacts: number(0), days: number(1), sequences: number(2), tenants: number(3) }
    const databases = [
      { name: "postgres", serverCount: number(4) },
      { name: "sqlite", serverCount: number(5) }
    ] as const
    const used = databases.filter(({ serverCount }) => serverCount > 0)
    return run(makePlan(sizes, number(6)), used, number(6))
  }
}
