import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and expressions of each SQL dialect. */
const sqlite = {
  text: "TEXT",
  int: "INTEGER",
  json: "TEXT",
  clustered: "STRICT, WITHOUT ROWID",
  tagsOf: (row: string) => `json_each(${row}.tags) AS item`
}
const postgres: typeof sqlite = {
  text: 'text COLLATE "C"',
  int: "bigint",
  json: "json",
  clustered: "",
  tagsOf: (row: string) => `json_array_elements_text(${row}.tags) AS item(value)`
}

const tables = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE leads ADD COLUMN pipeline_id ${text} NOT NULL DEFAULT 'pip_default'`,
  `ALTER TABLE leads ADD COLUMN stage_id ${text}`,
  `ALTER TABLE leads ADD COLUMN value ${int}`,
  `ALTER TABLE leads ADD COLUMN currency ${text}`,
  `ALTER TABLE leads ADD COLUMN expected_close_on ${text}`,
  `ALTER TABLE leads ADD COLUMN tags ${json} NOT NULL DEFAULT '[]'`,
  `ALTER TABLE leads ADD COLUMN loss_reason ${text}`,
  `ALTER TABLE leads ADD COLUMN custom_fields ${json} NOT NULL DEFAULT '{}'`,
  `CREATE TABLE sales_pipelines (
    tenant_id ${text} NOT NULL, pipeline_id ${text} NOT NULL, name ${text} NOT NULL, stages ${json} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, pipeline_id)) ${clustered}`,
  // The tags of leads that are not merged. `created_at` orders the leads of a tag.
  `CREATE TABLE lead_tags (
    tenant_id ${text} NOT NULL, tag ${text} NOT NULL, created_at ${int} NOT NULL, lead_id ${text} NOT NULL,
    PRIMARY KEY (tenant_id, tag, created_at, lead_id)) ${clustered}`,
  // The numbers and values of leads that are not merged. Empty texts stand for no stage and no currency.
  `CREATE TABLE lead_totals (
    tenant_id ${text} NOT NULL, pipeline_id ${text} NOT NULL, stage_id ${text} NOT NULL, state ${text} NOT NULL,
    currency ${text} NOT NULL, leads ${int} NOT NULL, value ${int} NOT NULL,
    PRIMARY KEY (tenant_id, pipeline_id, stage_id, state, currency)) ${clustered}`,
  `CREATE INDEX leads_stage ON leads (tenant_id, pipeline_id, coalesce(stage_id, ''), state, created_at, lead_id)
    WHERE merged_into IS NULL`,
  `CREATE INDEX leads_value ON leads (tenant_id, value, lead_id) WHERE merged_into IS NULL AND value IS NOT NULL`,
  `CREATE INDEX leads_expected_close_on ON leads (tenant_id, expected_close_on, lead_id)
    WHERE merged_into IS NULL AND expected_close_on IS NOT NULL`
]

const totalOf = (row: string): string =>
  `${row}.tenant_id, ${row}.pipeline_id, coalesce(${row}.stage_id, ''), ${row}.state, coalesce(${row}.currency, '')`

/** Adds a lead to the totals, or removes it with the sign `-`. */
const count = (row: string, sign: "" | "-"): string =>
  `INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
    SELECT ${totalOf(row)}, ${sign}1, ${sign}coalesce(${row}.value, 0) WHERE ${row}.merged_into IS NULL
    ON CONFLICT (tenant_id, pipeline_id, stage_id, state, currency)
    DO UPDATE SET leads = lead_totals.leads + excluded.leads, value = lead_totals.value + excluded.value`

const untag = `DELETE FROM lead_tags WHERE tenant_id = old.tenant_id AND created_at = old.created_at AND lead_id = old.lead_id
    AND tag IN (SELECT item.value FROM TAGS)`

const tagWith = (source: string): string =>
  `INSERT INTO lead_tags (tenant_id, tag, created_at, lead_id)
    SELECT DISTINCT new.tenant_id, item.value, new.created_at, new.lead_id FROM ${source} WHERE new.merged_into IS NULL`

const isMoved = ["pipeline_id", "stage_id", "state", "currency", "value", "merged_into"]
  .map((column) => `old.${column} IS DISTINCT FROM new.${column}`)
  .join(" OR ")

/** The triggers: the event that fires each one, and its statements. */
const triggers = ({
  tagsOf
}: typeof sqlite): ReadonlyArray<readonly [name: string, event: string, statements: ReadonlyArray<string>]> => {
  const remove = untag.replace("TAGS", tagsOf("old"))
  const tag = tagWith(tagsOf("new"))
  const moves = "UPDATE OF pipeline_id, stage_id, state, currency, value, merged_into ON leads"
  return [
    ["lead_counted", "INSERT ON leads FOR EACH ROW", [count("new", "")]],
    ["lead_moved", `${moves} FOR EACH ROW WHEN (${isMoved})`, [count("old", "-"), count("new", "")]],
    ["lead_uncounted", "DELETE ON leads FOR EACH ROW", [count("old", "-")]],
    ["lead_tagged", "INSERT ON leads FOR EACH ROW", [tag]],
    ["lead_retagged", "UPDATE OF tags, merged_into ON leads FOR EACH ROW", [remove, tag]],
    ["lead_untagged", "DELETE ON leads FOR EACH ROW", [remove]]
  ]
}

const sqliteTriggers = triggers(sqlite).map(
  ([name, event, statements]) => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statements.join("; ")}; END`
)

const postgresTriggers = triggers(postgres).flatMap(([name, event, statements]) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements.join("; ")}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} EXECUTE FUNCTION ${name}()`
])

/** Counts the existing leads. They have no value, tag or stage. */
const countExisting = `INSERT INTO lead_totals (tenant_id, pipeline_id, stage_id, state, currency, leads, value)
  SELECT tenant_id, 'pip_default', '', state, '', count(*), 0 FROM leads WHERE merged_into IS NULL
  GROUP BY tenant_id, state`

/**
 * Adds the fields of leads as deals, pipelines, tags and the totals of stages. Triggers maintain tags and totals, so
 * that every writer of leads keeps them exact, also imports and copies. FROZEN.
 */
export const deals: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [...tables(postgres), ...postgresTriggers, countExisting],
    orElse: () => [...tables(sqlite), ...sqliteTriggers, countExisting]
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
