/**
 * Benefit and cost of a monthly partition of `messages`, on copies of the table without partitions, with one and with
 * 24. Medians of interleaved rounds. See docs/scale.md.
 * Run: npm run bench -- partitions [messages] [rounds]
 */
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { fill } from "./Fill.ts"
import { median } from "./Median.ts"
import { copies, copy, type Copy, minId, look, months, type Read, reads } from "./Partitioned.ts"

const messages = Number(process.argv[2] ?? 240_000)
/** At most 12, because each round deletes one month. */
const rounds = Math.min(12, Number(process.argv[3] ?? 5))
const [insertsARound, readsARound] = [500, 200]

/** The session settings of the product. */
const session =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c max_parallel_workers_per_gather=0 -c jit=off"

const server = await startForBenchmarks()
const client = new pg.Client({ connectionString: server.url, options: session })

type Key = readonly [tenant: string, other: string]

const keysOf = async (column: string): Promise<ReadonlyArray<Key>> => {
  const { rows } = await client.query<{ readonly tenant: string; readonly other: string }>(
    `SELECT tenant_id AS tenant, ${column} AS other FROM messages WHERE message_id IN
      (SELECT message_id FROM messages ORDER BY md5(message_id) LIMIT ${readsARound})`
  )
  return rows.map(({ other, tenant }) => [tenant, other])
}

/** The contact with the most messages. A page of these does not reach far back. */
const busiestContact = async (): Promise<Key | undefined> => {
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
const insert = async (of: Copy, rows: ReadonlyArray<string>): Promise<number> => {
  await client.query("BEGIN")
  const text = `INSERT INTO ${of} SELECT * FROM json_populate_record(NULL::messages, $1)`
  const millis = await elapsed(rows.length, (row) => client.query({ name: `insert_${of}`, text, values: [rows[row]] }))
  await client.query("ROLLBACK")
  return millis
}

/** Returns the milliseconds per read, over sequential reads of different keys. */
const read = (of: Copy, name: Read, keys: ReadonlyArray<Key>): Promise<number> =>
  elapsed(readsARound, (time) =>
    client.query({ name: `${name}_${of}`, text: reads[name].text(of), values: [...(keys[time] ?? [])] })
  )

const log = async (): Promise<number> => {
  const { rows } = await client.query<{ readonly at: string }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at")
  return Number(rows[0]?.at)
}

/** Deletes the oldest month. Returns the milliseconds and the bytes in the write-ahead log. */
const forget = async (of: Copy, month: number) => {
  const [from, to] = [minId(months[month] ?? 0), minId(months[month + 1] ?? 0)]
  const [before, begun] = [await log(), performance.now()]
  if (of === "months") await client.query(`DROP TABLE ${of}_m${month}`)
  else await client.query(`DELETE FROM ${of} WHERE message_id >= '${from}' AND message_id < '${to}'`)
  const taken = performance.now() - begun
  if (of !== "months") await client.query(`VACUUM ${of}`)
  return { taken, withVacuum: performance.now() - begun, bytes: (await log()) - before }
}

const sizes = async (): Promise<Readonly<Record<string, string>>> => {
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
const round3 = (value: number): number => Number(value.toPrecision(3))

try {
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url: server.url })))
  // Without the measured session settings, because bulk inserts need other joins.
  const filler = new pg.Client(server.url)
  await filler.connect()
  await fill(filler, { messages, tenants: 1_000 })
  await copy(filler)
  await filler.end()
  await client.connect()
  console.log("bytes", JSON.stringify(await sizes()))
  const requested = {
    message: await keysOf("message_id"),
    lead: await keysOf("lead_id"),
    contact: await keysOf("contact_id")
  }
  const { rows: fresh } = await client.query<{ readonly row: string }>(
    `SELECT row_to_json(r)::text AS row FROM (SELECT * FROM messages ORDER BY message_id DESC LIMIT ${insertsARound}) AS r`
  )
  // The same rows again, with similar ids.
  const rows = fresh.map(({ row }) => row.replace(/"(msg_\w{26})"/u, '"$1z"'))
  const busiest = await busiestContact()
  const looks = new Map<string, { readonly tables: number; readonly locks: number }>()
  for (const of of copies) {
    for (const name of readNames) {
      const key = reads[name].requests === "contact" ? busiest : requested[reads[name].requests][0]
      if (key !== undefined) looks.set(`${of} ${name}`, await look(client, reads[name].text(of), key))
    }
  }
  const times = new Map<string, Array<number>>()
  const note = (name: string, value: number): void => void times.set(name, [...(times.get(name) ?? []), value])
  for (let round = 0; round <= rounds; round++) {
    for (const of of copies) {
      const inserted = await insert(of, rows)
      const millis = new Array<readonly [name: Read, millis: number]>()
      for (const name of readNames) millis.push([name, await read(of, name, requested[reads[name].requests])])
      // The first round is a warm-up.
      if (round > 0) [["insert", inserted] as const, ...millis].forEach(([name, value]) => note(`${of} ${name}`, value))
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const of of copies) {
      const { bytes, taken, withVacuum } = await forget(of, round)
      note(`${of} forget`, taken)
      note(`${of} forgetAndVacuum`, withVacuum)
      note(`${of} forgetLogBytes`, bytes)
    }
  }
  const result = (name: string) => ({
    what: name,
    ...Object.fromEntries(copies.map((of) => [of, round3(median(times.get(`${of} ${name}`) ?? []))])),
    ratio: round3(
      median(
        (times.get(`months ${name}`) ?? []).map((value, index) => value / (times.get(`whole ${name}`)?.[index] ?? 1))
      )
    ),
    tables: copies.map((of) => looks.get(`${of} ${name}`)?.tables ?? "").join(" "),
    locks: copies.map((of) => looks.get(`${of} ${name}`)?.locks ?? "").join(" ")
  })
  console.table(["insert", ...readNames, "forget", "forgetAndVacuum", "forgetLogBytes"].map(result))
} finally {
  await client.end()
  await server.stop()
}
