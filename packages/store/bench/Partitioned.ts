import { encodeId } from "@leadloom/core/internal/domain/Id"
import type pg from "pg"
import { span } from "./Fill.ts"

/** Experimental copies of `messages`, and the measured queries. The schema of the product has none of this. */

/** The three copies: unpartitioned as today, with a single partition, and with one partition per month. */
export const copies = ["whole", "one", "months"] as const
export type Copy = (typeof copies)[number]

/** Returns the lowest id of a millisecond. Ids are UUIDv7 in TypeID format, with the time in ten characters. */
export const minId = (millis: number): string => encodeId("msg", millis, new Uint8Array(10)).slice(0, 14)

/** The starts of all months of the time span, and of the month after it. */
export const months: ReadonlyArray<number> = Array.from({ length: 25 }, (_, index) => Date.UTC(2023, 9 + index, 1))

const partition = (of: Copy, name: string, from: string, to: string): string =>
  `CREATE TABLE ${of}_${name} PARTITION OF ${of} FOR VALUES FROM ('${from}') TO ('${to}')`

/** Today's indexes, and one that returns a contact's messages newest first by id. */
const indexes = (of: Copy): ReadonlyArray<string> => [
  `ALTER TABLE ${of} ADD PRIMARY KEY (tenant_id, message_id)`,
  `CREATE INDEX ON ${of} (tenant_id, contact_id, "timestamp", message_id)`,
  `CREATE INDEX ON ${of} (tenant_id, contact_id, message_id)`,
  `CREATE INDEX ON ${of} (tenant_id, contact_id, received_at, message_id) WHERE actor = 'contact'`,
  `CREATE INDEX ON ${of} (tenant_id, lead_id) WHERE lead_id IS NOT NULL`,
  `CREATE INDEX ON ${of} (tenant_id, thread_id) WHERE thread_id IS NOT NULL`
]

/** Creates and fills the copies. */
export const copy = async (client: pg.Client): Promise<void> => {
  await client.query("SET maintenance_work_mem = '512MB'; SET synchronous_commit = off")
  for (const name of copies) {
    await client.query(
      `CREATE TABLE ${name} (LIKE messages) ${name === "whole" ? "" : "PARTITION BY RANGE (message_id)"}`
    )
    if (name === "one") await client.query(partition(name, "all", minId(span.from), minId(span.to + 86_400_000)))
    if (name === "months") {
      for (const [index, from] of months.slice(0, -1).entries()) {
        await client.query(partition(name, `m${index}`, minId(from), minId(months[index + 1] ?? 0)))
      }
    }
    await client.query(`INSERT INTO ${name} SELECT * FROM messages`)
    for (const statement of indexes(name)) await client.query(statement)
  }
  await client.query("VACUUM (ANALYZE)")
  await client.query("CHECKPOINT")
}

/** The lower bound of a read without a given time range: the last months only. */
const bound = minId(months.at(-4) ?? 0)

const ofPerson = "tenant_id = $1 AND contact_id = $2"

/** The read queries by name. `$1` is the tenant; `$2` is a contact, a message or a lead. */
export const reads = {
  byKey: { requests: "message", text: (of: Copy) => `SELECT * FROM ${of} WHERE tenant_id = $1 AND message_id = $2` },
  byLead: {
    requests: "lead",
    text: (of: Copy) => `SELECT message_id FROM ${of} WHERE tenant_id = $1 AND lead_id = $2`
  },
  historyByTime: {
    requests: "contact",
    text: (of: Copy) => `SELECT * FROM ${of} WHERE ${ofPerson} ORDER BY "timestamp", message_id`
  },
  latest50ByTime: {
    requests: "contact",
    text: (of: Copy) => `SELECT * FROM ${of} WHERE ${ofPerson} ORDER BY "timestamp" DESC, message_id DESC LIMIT 50`
  },
  latest50ById: {
    requests: "contact",
    text: (of: Copy) => `SELECT * FROM ${of} WHERE ${ofPerson} ORDER BY message_id DESC LIMIT 50`
  },
  latest50ByIdOf3Months: {
    requests: "contact",
    text: (of: Copy) =>
      `SELECT * FROM ${of} WHERE ${ofPerson} AND message_id >= '${bound}' ORDER BY message_id DESC LIMIT 50`
  }
} as const

export type Read = keyof typeof reads

interface Plan {
  readonly "Relation Name"?: string
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Plan>
}

const touched = (plan: Plan): number =>
  (plan["Relation Name"] !== undefined && plan["Actual Loops"] > 0 ? 1 : 0) +
  (plan.Plans ?? []).reduce((sum, child) => sum + touched(child), 0)

/** Returns the number of tables that a read visits, and the number of tables and indexes that it locks. */
export const look = async (client: pg.Client, text: string, values: readonly [string, string]) => {
  const execute = `EXECUTE looked ('${values.join("', '")}')`
  await client.query(`PREPARE looked (text, text) AS ${text}`)
  const { rows } = await client.query<{ readonly "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${execute}`
  )
  await client.query(`BEGIN; ${execute}`)
  const locked = await client.query<{ readonly locks: string }>(
    "SELECT count(*) AS locks FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation <> 'pg_locks'::regclass"
  )
  await client.query("ROLLBACK; DEALLOCATE looked")
  const [explained] = rows
  return {
    tables: explained === undefined ? 0 : touched(explained["QUERY PLAN"][0].Plan),
    locks: Number(locked.rows[0]?.locks)
  }
}
