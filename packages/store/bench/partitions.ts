/**
 * Benefit and cost of a monthly partition of `messages`, on copies of the table without partitions, with one and with
 * 24. Medians of interleaved rounds. See docs/scale.md.
 */
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median, short } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { fill } from "./Fill.ts"
import { copies, copy, type Copy, minId, look, months, type Read, reads } from "./Partitioned.ts"

/** Each round deletes one month. */
const maxRounds = 12
const [insertsARound, readsARound] = [500, 200]

/** The session settings of the product. */
const session =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c max_parallel_workers_per_gather=0 -c jit=off"

type Key = readonly [tenant: string, other: string]

const keysOf = async (client: pg.Client, column: string): Promise<ReadonlyArray<Key>> => {
  const { rows } = await client.query<{ readonly tenant: string; readonly other: string }>(
    `SELECT tenant_id AS tenant, ${column} AS other FROM messages WHERE message_id IN
      (SELECT message_id FROM messages ORDER BY md5(message_id) LIMIT ${readsARound})`
  )
  return rows.map(({ other, tenant }) => [tenant, other])
}

/** The contact with the most messages. A page of these does not reach far back. */
const busiestContact = async (client: pg.Client): Promise<Key | undefined> => {
  const { rows } = await client.query<{ readonly tenant: string; readonly other: string }>(
    `SELECT tenant_id AS tenant, contact_id AS other FROM messages GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1`
  )
  const [row] = rows
  return row === undefined ? undefined : [row.tenant, row.other]
}

const elapsed = async (times: number, run: (time: number) => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  for (let time = 0; time < times; time++) await run(time)
  return (performance.now() - begun) / times
}

/** Returns the milliseconds per insert, over sequential inserts in one transaction that is rolled back. */
const insert = async (client: pg.Client, of: Copy, rows: ReadonlyArray<string>): Promise<number> => {
  await client.query("BEGIN")
  const text = `INSERT INTO ${of} SELECT * FROM json_populate_record(NULL::messages, $1)`
  const millis = await elapsed(rows.length, (row) => client.query({ name: `insert_${of}`, text, values: [rows[row]] }))
  await client.query("ROLLBACK")
  return millis
}

/** Returns the milliseconds per read, over sequential reads of different keys. */
const read = (client: pg.Client, of: Copy, name: Read, keys: ReadonlyArray<Key>): Promise<number> =>
  elapsed(keys.length, (time) =>
    client.query({ name: `${name}_${of}`, text: reads[name].text(of), values: [...(keys[time] ?? [])] })
  )

const log = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ readonly at: string }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at")
  return Number(rows[0]?.at)
}

/** Deletes the oldest month. Returns the milliseconds and the bytes in the write-ahead log. */
const forget = async (client: pg.Client, of: Copy, month: number) => {
  const [from, to] = [minId(months[month] ?? 0), minId(months[month + 1] ?? 0)]
  const [before, begun] = [await log(client), performance.now()]
  if (of === "months") await client.query(`DROP TABLE ${of}_m${month}`)
  else await client.query(`DELETE FROM ${of} WHERE message_id >= '${from}' AND message_id < '${to}'`)
  const taken = performance.now() - begun
  if (of !== "months") await client.query(`VACUUM ${of}`)
  return { taken, withVacuum: performance.now() - begun, bytes: (await log(client)) - before }
}

const sizes = async (client: pg.Client): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await client.query<{ readonly name: string; readonly bytes: string }>(
    `SELECT name, sum(pg_total_relation_size(relid)) AS bytes FROM unnest($1::text[]) AS name
      CROSS JOIN pg_partition_tree(name::regclass) GROUP BY name`,
    [copies.filter((name) => name !== "whole")]
  )
  const { rows: whole } = await client.query<{ readonly bytes: string }>(
    "SELECT pg_total_relation_size('whole') AS bytes"
  )
  return Object.fromEntries([["whole", whole[0]?.bytes ?? ""], ...rows.map(({ bytes, name }) => [name, bytes])])
}

const readNames = Object.keys(reads).filter((name): name is Read => name in reads)
type Times = Map<string, Array<number>>

const note = (times: Times, name: string, value: number): void =>
  void times.set(name, [...(times.get(name) ?? []), value])

/** Creates the copies, with a connection without the measured session settings, because bulk inserts need other joins. */
const prepare = async (url: string, messages: number): Promise<void> => {
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url })))
  const filler = new pg.Client(url)
  await filler.connect()
  await fill(filler, { messages, tenants: 1_000 })
  await copy(filler)
  await filler.end()
}

/** The keys of the measured reads. */
type Requested = Readonly<Record<"message" | "lead" | "contact", ReadonlyArray<Key>>>

/** Measures inserts and reads. The first round is a warm-up. */
const useCopies = async (client: pg.Client, requested: Requested, rounds: number, times: Times): Promise<void> => {
  const { rows: fresh } = await client.query<{ readonly row: string }>(
    `SELECT row_to_json(r)::text AS row FROM (SELECT * FROM messages ORDER BY message_id DESC LIMIT ${insertsARound}) AS r`
  )
  // The same rows again, with similar ids.
  const rows = fresh.map(({ row }) => row.replace(/"(msg_\w{26})"/u, '"$1z"'))
  for (let round = 0; round <= rounds; round++) {
    for (const of of copies) {
      const millis: Array<readonly [name: string, millis: number]> = [["insert", await insert(client, of, rows)]]
      for (const name of readNames) {
        millis.push([name, await read(client, of, name, requested[reads[name].requests])])
      }
      if (round > 0) for (const [name, value] of millis) note(times, `${of} ${name}`, value)
    }
  }
}

/** Deletes months. */
const forgetMonths = async (client: pg.Client, rounds: number, times: Times): Promise<void> => {
  for (let round = 0; round < rounds; round++) {
    for (const of of copies) {
      const { bytes, taken, withVacuum } = await forget(client, of, round)
      note(times, `${of} forget`, taken)
      note(times, `${of} forgetAndVacuum`, withVacuum)
      note(times, `${of} forgetLogBytes`, bytes)
    }
  }
}

const countsOf = async (client: pg.Client): Promise<ReadonlySet<string>> => {
  const counts = new Set<string>()
  for (const of of copies) {
    const { rows } = await client.query<{ readonly count: string }>(`SELECT count(*) FROM ${of}`)
    counts.add(rows[0]?.count ?? "")
  }
  return counts
}

type Looks = ReadonlyMap<string, { readonly tables: number; readonly locks: number }>

const lookAll = async (client: pg.Client, requested: Requested): Promise<Looks> => {
  const busiest = await busiestContact(client)
  const looks = new Map<string, { readonly tables: number; readonly locks: number }>()
  for (const of of copies) {
    for (const name of readNames) {
      const key = reads[name].requests === "contact" ? busiest : requested[reads[name].requests][0]
      if (key !== undefined) looks.set(`${of} ${name}`, await look(client, reads[name].text(of), key))
    }
  }
  return looks
}

const measure = async (client: pg.Client, rounds: number): Promise<BenchResult> => {
  const requested = {
    message: await keysOf(client, "message_id"),
    lead: await keysOf(client, "lead_id"),
    contact: await keysOf(client, "contact_id")
  }
  const bytes = await sizes(client)
  const looks = await lookAll(client, requested)
  const times: Times = new Map()
  await useCopies(client, requested, rounds, times)
  const before = await countsOf(client)
  await forgetMonths(client, rounds, times)
  const after = await countsOf(client)
  const rowOf = (what: string) => ({
    what,
    ...Object.fromEntries(copies.map((of) => [of, short(median(times.get(`${of} ${what}`) ?? []))])),
    ratio: short(
      median(
        (times.get(`months ${what}`) ?? []).map((value, index) => value / (times.get(`whole ${what}`)?.[index] ?? 1))
      )
    ),
    tables: copies.map((of) => looks.get(`${of} ${what}`)?.tables ?? "").join(" "),
    locks: copies.map((of) => looks.get(`${of} ${what}`)?.locks ?? "").join(" ")
  })
  const names = ["insert", ...readNames, "forget", "forgetAndVacuum", "forgetLogBytes"]
  return {
    figures: { rounds, bytes, times: names.map(rowOf) },
    checks: { "the copies have the same number of rows": before.size === 1 && after.size === 1 }
  }
}

const run = async (messages: number, rounds: number): Promise<BenchResult> => {
  const server = await startForBenchmarks()
  const client = new pg.Client({ connectionString: server.url, options: session })
  try {
    await prepare(server.url, messages)
    progress(`${messages} messages are stored in three copies`)
    await client.connect()
    return await measure(client, rounds)
  } finally {
    await client.end()
    await server.stop()
  }
}

export const bench: Bench = {
  name: "partitions",
  purpose: "Benefit and cost of monthly partitions of messages on Postgres, on three copies of the table.",
  usage: "[messages] [rounds]",
  sizes: { smallest: [500, 1], small: [10_000, 2], full: [240_000, 5] },
  run: (args) => run(numberAt(args, 0), Math.min(maxRounds, numberAt(args, 1)))
}
