import type { ColumnType } from "@leadloom/core/internal/domain/Column"
import type { PersonalDataTable } from "@leadloom/core/internal/domain/privacy/PersonalDataTable"
import { isJson, type Json } from "@leadloom/core/internal/domain/text/Json"
import { type Row, textOf } from "@leadloom/core/internal/domain/privacy/Record"
import { Effect } from "effect"
import type { Param } from "../sql/Param.ts"
import type { Queries } from "../sql/Queries.ts"

/** A stored row, by column name. */
export type StoredRow = Readonly<Record<string, Param>>

/** The maximum number of characters in long texts per page. */
const pageCharacters = 4_000_000

const quoted = (column: string): string => `"${column}"`
const list = (columns: ReadonlyArray<string>): string => columns.map(quoted).join(", ")

const readColumn = (type: ColumnType, value: Param | undefined): Json => {
  if (value === null || value === undefined) return null
  if (type === "flag") return value === 1
  if (!type.startsWith("json")) return value
  const json: unknown = JSON.parse(String(value))
  if (!isJson(json)) throw new Error("A JSON column holds a value that an archive cannot represent.")
  return json
}

const writeColumn = (type: ColumnType, value: Json | undefined): Param => {
  if (value === undefined || (value === null && type.endsWith("?"))) return null
  if (type === "flag") return value === true ? 1 : 0
  if (type.startsWith("json")) return JSON.stringify(value)
  return typeof value === "string" || typeof value === "number" ? value : null
}

/** Converts a stored row to a row of the data inventory. */
export const fromStored = (table: PersonalDataTable, stored: StoredRow): Row =>
  Object.fromEntries(Object.entries(table.columns).map(([column, type]) => [column, readColumn(type, stored[column])]))

/** Returns the parameters of an `INSERT`, without the tenant. */
export const toStored = (table: PersonalDataTable, row: Row): ReadonlyArray<Param> =>
  Object.entries(table.columns).map(([column, type]) => writeColumn(type, row[column]))

const messageField = {
  message_id: "m.message_id",
  thread_id: "m.thread_id",
  signal_id: "'sig_' || substr(m.message_id, 5)"
}

/** The index that finds the rows of one contact, for tables whose primary key does not. */
const ownIndexes: Readonly<Record<string, string>> = {
  identities: "identities_contact",
  messages: "messages_contact",
  dedup_keys: "dedup_keys_message",
  thread_ids: "thread_ids_thread",
  leads: "leads_contact",
  tasks: "tasks_contact",
  drafts: "drafts_contact",
  agent_drafts: "agent_drafts_contact",
  scheduled_sends: "scheduled_sends_contact",
  enrolments: "enrolments_contact",
  trigger_runs: "trigger_runs_contact",
  tracked_links: "tracked_links_contact",
  notes: "notes_contact",
  guard_evaluations: "guard_evaluations_contact",
  contact_merges: "contact_merges_first",
  contact_import_items: "contact_import_items_contact",
  conversations: "conversations_contact"
}

const otherSources = {
  lead: "SELECT l.lead_id FROM leads l WHERE l.tenant_id = ? AND l.contact_id = ?",
  task: "SELECT t.task_id FROM tasks t WHERE t.tenant_id = ? AND t.contact_id = ?",
  // The expression removes the prefix `email:` or `phone:`. Both have six characters.
  address: `SELECT substr(i.identity, 7) FROM identities i WHERE i.tenant_id = ? AND i.contact_id = ?
      AND (i.identity LIKE 'email:%' OR i.identity LIKE 'phone:%')`
}

/** Returns a query for the merges that involve a contact. */
const mergesOf = (by: Queries["by"]): string => {
  const half = (side: string, index: string) =>
    `SELECT merge_id FROM contact_merges ${by(index)} WHERE tenant_id = ? AND ${side} = ?`
  return `${half("primary_id", "contact_merges_first")} UNION ${half("duplicate_id", "contact_merges_second")}`
}

/** The `FROM` clause for the rows of one contact, and its parameters. */
interface Owned {
  readonly from: string
  readonly params: (tenantId: string, contactId: string) => ReadonlyArray<string>
}

const ownedBy = ({ belongs, key, name }: PersonalDataTable, by: Queries["by"]): Owned => {
  if (belongs.by === "tenant") {
    // No row belongs to a contact, and no id is empty.
    return { from: `${name} WHERE tenant_id = ? AND ${quoted(key[0] ?? "")} = ''`, params: (tenantId) => [tenantId] }
  }
  const index = ownIndexes[name]
  const from = `${index === undefined ? name : `${name} ${by(index)}`} WHERE tenant_id = ?`
  if (belongs.by !== "contact") {
    const source =
      belongs.by === "message"
        ? `SELECT ${messageField[belongs.field]} FROM messages m WHERE m.tenant_id = ? AND m.contact_id = ?`
        : belongs.by === "merge"
          ? mergesOf(by)
          : otherSources[belongs.by]
    return {
      from: `${from} AND ${quoted(belongs.column)} IN (${source})`,
      params: (tenantId, contactId) => [
        tenantId,
        tenantId,
        contactId,
        ...(belongs.by === "merge" ? [tenantId, contactId] : [])
      ]
    }
  }
  const [column = "", second] = belongs.columns
  const own = (one: string) => `AND ${quoted(one)} = ?`
  if (second === undefined) {
    return { from: `${from} ${own(column)}`, params: (tenantId, contactId) => [tenantId, contactId] }
  }
  // Each side of a merge uses an index of its own. A condition with OR would scan all rows of the tenant.
  const other = `SELECT * FROM ${name} ${by(`${name}_second`)} WHERE tenant_id = ? ${own(second)}`
  return {
    from: `(SELECT * FROM ${from} ${own(column)} UNION ALL ${other}) AS both_sides WHERE true`,
    params: (tenantId, contactId) => [tenantId, contactId, tenantId, contactId]
  }
}

/**
 * The index for reading a table in the order of its key in the data inventory, if this key differs from the primary
 * key.
 */
const keyIndexes: Readonly<Record<string, string>> = { conversations: "conversations_contact" }

/** Returns the value of a column by which a table is read in order: a text or a time. */
const placeIn = (row: Row, column: string): Param => {
  const { [column]: value } = row
  return typeof value === "number" ? value : textOf(row, column)
}

const orderOf = ({ key, walk }: PersonalDataTable): ReadonlyArray<string> => walk ?? key

/**
 * Returns the columns that a page selects. For a table with long texts, these are only keys and sizes, so that a page
 * of long mails has few rows.
 */
const shownOf = (table: PersonalDataTable): string => {
  const { columns, key, long } = table
  if (long.length === 0) return list(Object.keys(columns))
  const weight = long.map((column) => `coalesce(length(${quoted(column)}), 0)`).join(" + ")
  return `${list([...new Set([...key, ...orderOf(table)])])}, ${weight} AS weight`
}

/** The statements that read a table in order: its first page, and the page after a row. */
export const pageStatements = (by: Queries["by"], table: PersonalDataTable) => {
  const shown = shownOf(table)
  const { from } = ownedBy(table, by)
  const both = (order: ReadonlyArray<string>, text: (more: string) => string) => ({
    first: text(""),
    next: text(`AND (${list(order)}) > (${order.map(() => "?").join(", ")})`)
  })
  const key = list(table.key)
  return {
    all: both(
      table.key,
      (more) => `SELECT ${shown} FROM ${table.name} WHERE tenant_id = ? ${more} ORDER BY ${key} LIMIT ?`
    ),
    /** The rows of one contact, for a table with an index that has them in order. */
    own: both(
      orderOf(table),
      (more) => `SELECT ${shown} FROM ${from} ${more} ORDER BY ${list(orderOf(table))} LIMIT ?`
    ),
    // `MATERIALIZED` makes the database select the rows of the contact before it sorts them. Otherwise a planner may
    // read all rows of the tenant in key order.
    keys: both(
      table.key,
      (more) => `SELECT * FROM (WITH own AS MATERIALIZED
        (SELECT ${key} FROM ${from} ${more}) SELECT * FROM own) AS mine
        ORDER BY ${key} LIMIT ?`
    )
  }
}

/** The statements for one table of personal data. */
export const tableStatements = ({ by, command, isOneOf, query }: Queries, table: PersonalDataTable) => {
  const columns = Object.keys(table.columns)
  const owned = ownedBy(table, by)
  const shown = shownOf(table)
  const texts = pageStatements(by, table)
  const both = ({ first: one, next }: (typeof texts)["all"]) => [query<StoredRow>(one), query<StoredRow>(next)] as const
  const [[all, allAfter], [own, ownAfter], [keysOfOwn, keysAfter]] = [
    both(texts.all),
    both(texts.own),
    both(texts.keys)
  ]
  const any = query<StoredRow>(`SELECT ${shown} FROM ${owned.from} LIMIT ?`)
  const among = table.key.map((column) => isOneOf(quoted(column))).join(" AND ")
  const index = keyIndexes[table.name]
  const place = index === undefined ? table.name : `${table.name} ${by(index)}`
  const find = query<StoredRow>(`SELECT ${list(columns)} FROM ${place} WHERE tenant_id = ? AND ${among}`)
  const insert = command(
    `INSERT INTO ${table.name} (tenant_id, ${list(columns)}) VALUES (?, ${columns.map(() => "?").join(", ")})`
  )
  const remove = command(
    `DELETE FROM ${table.name} WHERE tenant_id = ? AND ${table.key.map((column) => `${quoted(column)} = ?`).join(" AND ")}`
  )
  const keyOf = (row: Row): ReadonlyArray<string> => table.key.map((column) => textOf(row, column))

  const first = (tenantId: string, contactId: string | null, last: Row | null, limit: number) => {
    if (contactId === null) return last === null ? all(tenantId, limit) : allAfter(tenantId, ...keyOf(last), limit)
    const mine = owned.params(tenantId, contactId)
    return last === null
      ? own(...mine, limit)
      : ownAfter(...mine, ...orderOf(table).map((column) => placeIn(last, column)), limit)
  }
  const keys = (tenantId: string, contactId: string, last: Row | null, limit: number) => {
    const mine = owned.params(tenantId, contactId)
    return Effect.map(last === null ? keysOfOwn(...mine, limit) : keysAfter(...mine, ...keyOf(last), limit), (rows) =>
      rows.map((row): Row => Object.fromEntries(table.key.map((column) => [column, row[column] ?? null])))
    )
  }
  const some = (tenantId: string, contactId: string, limit: number) => any(...owned.params(tenantId, contactId), limit)
  /**
   * Finds rows by keys. If the key has several columns, the statement finds every combination of their values, so it
   * may return more rows than requested.
   */
  const byKeys = (tenantId: string, rows: ReadonlyArray<Row>) =>
    Effect.map(
      find(
        tenantId,
        ...table.key.map((column) => JSON.stringify([...new Set(rows.map((row) => textOf(row, column)))]))
      ),
      (found) => found.map((stored) => fromStored(table, stored))
    )

  return { first, keys, some, byKeys, keyOf, insert, remove }
}

/** Returns the first rows that fit the limit on long texts, but at least one row. */
export const withinPageBytes = (rows: ReadonlyArray<StoredRow>): ReadonlyArray<StoredRow> => {
  let characters = 0
  return rows.filter((row, index) => (characters += Number(row["weight"] ?? 0)) <= pageCharacters || index === 0)
}
