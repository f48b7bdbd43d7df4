import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A table whose rows repeat columns of a row of another table, so that an index has both. */
interface Follower {
  readonly table: string
  readonly followed: string
  readonly columns: ReadonlyArray<string>
  /** A condition on the followed row, in SQLite. Without rows to update, a comparison is cheaper than a search. */
  readonly when?: string
}

const followers: ReadonlyArray<Follower> = [
  { table: "conversation_aliases", followed: "conversations", columns: ["last_timestamp"] },
  {
    table: "conversation_tags",
    followed: "conversations",
    columns: ["last_timestamp"],
    when: "new.tags <> '[]'"
  },
  { table: "contact_tags", followed: "contact_list", columns: ["last_activity_at", "archived"] }
]

const assigned = ({ columns }: Follower, row: string): string =>
  columns.map((column) => `${column} = ${row}.${column}`).join(", ")

const differs = ({ columns }: Follower, one: string, other: string): string =>
  columns.map((column) => `${one}.${column} <> ${other}.${column}`).join(" OR ")

const onSqlite = (follower: Follower): string => {
  const { columns, followed, table, when = "true" } = follower
  return `CREATE TRIGGER ${table}_follow AFTER UPDATE OF ${columns.join(", ")} ON ${followed}
    WHEN (${differs(follower, "old", "new")}) AND ${when}
    BEGIN UPDATE ${table} SET ${assigned(follower, "new")}
      WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id; END`
}

/** One statement updates the followers of all rows of a batch. */
const onPostgres = (follower: Follower): ReadonlyArray<string> => {
  const { followed, table } = follower
  return [
    `CREATE FUNCTION ${table}_follow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE ${table} SET ${assigned(follower, "changed")} FROM changed
        WHERE ${table}.tenant_id = changed.tenant_id AND ${table}.contact_id = changed.contact_id
          AND (${differs(follower, table, "changed")});
      RETURN NULL; END $$`,
    `CREATE TRIGGER ${table}_follow AFTER UPDATE ON ${followed} REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_follow()`
  ]
}

/** The name, event and condition of each trigger of `lead_tags`. Its statements stay those of 0054. */
const tagTriggers = (tagsOf: (row: string) => string) => {
  const changed = `${tagsOf("old")} <> ${tagsOf("new")} OR old.merged_into IS DISTINCT FROM new.merged_into`
  return [
    ["lead_tagged", "INSERT", `${tagsOf("new")} <> '[]'`],
    ["lead_retagged", "UPDATE OF tags, merged_into", changed],
    ["lead_untagged", "DELETE", `${tagsOf("old")} <> '[]'`]
  ] as const
}

const untag = `DELETE FROM lead_tags
    WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
      AND tag IN (SELECT item.value FROM json_each(old.tags) AS item)`

const tag = `INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM json_each(new.tags) AS item
      WHERE new.merged_into IS NULL`

const tagStatements = { lead_tagged: tag, lead_retagged: `${untag}; ${tag}`, lead_untagged: untag } as const

const sqliteTags = tagTriggers((row) => `${row}.tags`).flatMap(([name, event, when]) => [
  `DROP TRIGGER ${name}`,
  `CREATE TRIGGER ${name} AFTER ${event} ON leads FOR EACH ROW WHEN ${when} BEGIN ${tagStatements[name]}; END`
])

/** The functions of 0054 stay. JSON has no operator of equality, so its text is compared. */
const postgresTags = tagTriggers((row) => `${row}.tags::text`).flatMap(([name, event, when]) => [
  `DROP TRIGGER ${name} ON leads`,
  `CREATE TRIGGER ${name} AFTER ${event} ON leads FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`
])

/**
 * Triggers move the aliases and tags of a conversation, and the tags of a contact, to the time of the newest message.
 * Before, each accepted message ran a statement for each of these tables. The triggers of the tags of leads run only
 * when a lead has tags or changes them. See docs/decisions/0109-the-cost-of-the-inbox.md. FROZEN.
 */
export const follow: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [...followers.flatMap(onPostgres), ...postgresTags],
    orElse: () => [...followers.map(onSqlite), ...sqliteTags]
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
