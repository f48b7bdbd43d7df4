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

const groups = ["channel", "user_id", "team_id", "source", "pipeline_id", "detail"]
const key = ["tenant_id", "metric", "day", "tag", ...groups, "bucket"].join(", ")

const tables = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => {
  const groupColumns = groups.map((column) => `${column} ${text} NOT NULL`).join(", ")
  return [
    "DROP TABLE report_counts",
    "DELETE FROM report_positions",
    // The id of a fact is the id of the counted row.
    `CREATE TABLE report_facts (
      tenant_id ${text} NOT NULL, fact_id ${text} NOT NULL, metric ${text} NOT NULL, day ${text} NOT NULL,
      ${groupColumns}, tags ${json} NOT NULL, seconds ${int} NOT NULL, bucket ${int} NOT NULL,
      PRIMARY KEY (tenant_id, fact_id, metric)) ${clustered}`,
    "CREATE INDEX report_facts_day ON report_facts (tenant_id, day)",
    // Each fact counts once with an empty tag, and once with each of its tags.
    `CREATE TABLE report_counts (
      tenant_id ${text} NOT NULL, metric ${text} NOT NULL, day ${text} NOT NULL, tag ${text} NOT NULL,
      ${groupColumns}, bucket ${int} NOT NULL, "count" ${int} NOT NULL, seconds ${int} NOT NULL,
      PRIMARY KEY (${key})) ${clustered}`,
    // The rows to count again: those of a contact, one lead, or all rows of a stream if the subject is empty.
    `CREATE TABLE report_recounts (
      tenant_id ${text} NOT NULL, subject_id ${text} NOT NULL, stream ${text} NOT NULL, position ${text} NOT NULL,
      PRIMARY KEY (tenant_id, subject_id, stream)) ${clustered}`,
    // The stages that leads have left. The column place numbers the moves of a lead from 0.
    `CREATE TABLE stage_moves (
      tenant_id ${text} NOT NULL, lead_id ${text} NOT NULL, place ${int} NOT NULL, pipeline_id ${text} NOT NULL,
      stage_id ${text}, state ${text} NOT NULL, moved_at ${int} NOT NULL,
      PRIMARY KEY (tenant_id, lead_id, place)) ${clustered}`
  ]
}

/** Adds a fact to the counts, or removes it with the sign `-`. */
const count = (row: string, sign: "" | "-", tags: string): string =>
  `INSERT INTO report_counts (${key}, "count", seconds)
    SELECT ${row}.tenant_id, ${row}.metric, ${row}.day, tags.value,
      ${groups.map((column) => `${row}.${column}`).join(", ")}, ${row}.bucket, ${sign}1, ${sign}${row}.seconds
    FROM (SELECT '' AS value UNION ALL SELECT item.value FROM ${tags}) AS tags WHERE true
    ON CONFLICT (${key}) DO UPDATE
      SET "count" = report_counts."count" + excluded."count", seconds = report_counts.seconds + excluded.seconds`

const removeEmpty = (tags: string): string =>
  `DELETE FROM report_counts WHERE ${["tenant_id", "metric", "day", ...groups, "bucket"]
    .map((column) => `${column} = old.${column}`)
    .join(" AND ")} AND tag IN (SELECT '' UNION ALL SELECT item.value FROM ${tags}) AND "count" = 0`

/** Records that the rows of a subject are to be counted again. */
const recountOf = (tenant: string, subject: string, streams: string): string =>
  `INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT ${tenant}, ${subject}, streams.name, '' FROM (${streams}) AS streams WHERE true
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''`

/** Records that the conversation of a contact, or all conversations, are to be counted again. */
const recount = (tenant: string, contact: string): string =>
  recountOf(tenant, contact, "SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs'")

const recountLeads = (tenant: string, lead: string): string => recountOf(tenant, lead, "SELECT 'leads' AS name")

const recountBoth = [recount("old.tenant_id", "old.contact_id"), recount("new.tenant_id", "new.contact_id")]

const forget = (id: string): string =>
  `DELETE FROM report_facts WHERE tenant_id = old.tenant_id AND fact_id = old.${id}`

const isLost = (row: string): string => `(coalesce(${row}.delivery, '') IN ('failed', 'bounced'))`

const differs = (column: string): string => `old.${column} IS DISTINCT FROM new.${column}`

const textDiffers = (column: string): string =>
  `CAST(old.${column} AS text) IS DISTINCT FROM CAST(new.${column} AS text)`

/** A trigger: its name, its event with a condition, and its statements. */
type Trigger = readonly [name: string, event: string, statements: ReadonlyArray<string>]

/** The triggers of leads and their stages. */
const leadTriggers: ReadonlyArray<Trigger> = [
  [
    "report_lead_moved",
    `UPDATE OF pipeline_id, stage_id, state ON leads FOR EACH ROW
      WHEN (${differs("pipeline_id")} OR ${differs("stage_id")} OR ${differs("state")})`,
    [
      `INSERT INTO stage_moves (tenant_id, lead_id, place, pipeline_id, stage_id, state, moved_at)
        SELECT old.tenant_id, old.lead_id, count(*), old.pipeline_id, old.stage_id, old.state, new.updated_at
        FROM stage_moves m WHERE m.tenant_id = old.tenant_id AND m.lead_id = old.lead_id`,
      recountLeads("new.tenant_id", "new.lead_id")
    ]
  ],
  [
    "report_lead_changed",
    `UPDATE OF assignee_id, team_id, tags, value, currency, merged_into ON leads FOR EACH ROW
      WHEN (${["assignee_id", "team_id", "value", "currency", "merged_into"].map(differs).join(" OR ")}
        OR ${textDiffers("tags")})`,
    [recountLeads("new.tenant_id", "new.lead_id")]
  ],
  [
    "report_lead_deleted",
    "DELETE ON leads FOR EACH ROW",
    [
      "DELETE FROM stage_moves WHERE tenant_id = old.tenant_id AND lead_id = old.lead_id",
      "DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.lead_id",
      // The id of a fact of a lead is the id of the lead, a colon and a number. A semicolon follows the colon in ASCII.
      `DELETE FROM report_facts
        WHERE tenant_id = old.tenant_id AND fact_id > old.lead_id || ':' AND fact_id < old.lead_id || ';'`
    ]
  ],
  [
    "report_stages_changed",
    `UPDATE OF stages ON sales_pipelines FOR EACH ROW WHEN (${textDiffers("stages")})`,
    [recountLeads("new.tenant_id", "''")]
  ],
  ["report_stages_added", "INSERT ON sales_pipelines FOR EACH ROW", [recountLeads("new.tenant_id", "''")]]
]

/** The triggers of facts and of conversations, and those of leads. */
const triggers = ({ tagsOf }: typeof sqlite): ReadonlyArray<Trigger> => [
  ...leadTriggers,
  ["report_fact_counted", "INSERT ON report_facts FOR EACH ROW", [count("new", "", tagsOf("new"))]],
  [
    "report_fact_uncounted",
    "DELETE ON report_facts FOR EACH ROW",
    [count("old", "-", tagsOf("old")), removeEmpty(tagsOf("old"))]
  ],
  [
    "report_message_changed",
    `UPDATE OF contact_id, delivery, auto ON messages FOR EACH ROW
      WHEN (${differs("contact_id")} OR ${differs("auto")} OR ${isLost("old")} <> ${isLost("new")})`,
    recountBoth
  ],
  ["report_message_deleted", "DELETE ON messages FOR EACH ROW", [forget("message_id")]],
  [
    "report_activity_moved",
    `UPDATE OF contact_id ON activities FOR EACH ROW
      WHEN (new.type IN ('conversation_closed', 'conversation_reopened') AND ${differs("contact_id")})`,
    recountBoth
  ],
  ["report_activity_deleted", "DELETE ON activities FOR EACH ROW", [forget("activity_id")]],
  [
    "report_contact_deleted",
    "DELETE ON contacts FOR EACH ROW",
    ["DELETE FROM report_recounts WHERE tenant_id = old.tenant_id AND subject_id = old.contact_id"]
  ],
  ["report_run_deleted", "DELETE ON runs FOR EACH ROW", [forget("run_id")]],
  [
    "report_conversation_changed",
    `UPDATE OF team_id, tags ON conversations FOR EACH ROW WHEN (${differs("team_id")} OR ${textDiffers("tags")})`,
    [recount("new.tenant_id", "new.contact_id")]
  ],
  [
    "report_user_changed",
    `UPDATE OF working_hours, time_zone ON users FOR EACH ROW
      WHEN (${textDiffers("working_hours")} OR (new.working_hours IS NOT NULL AND ${differs("time_zone")}))`,
    [recount("new.tenant_id", "''")]
  ]
]

const sqliteTriggers = triggers(sqlite).map(
  ([name, event, statements]) => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statements.join("; ")}; END`
)

const postgresTriggers = triggers(postgres).flatMap(([name, event, statements]) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements.join("; ")}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} EXECUTE FUNCTION ${name}()`
])

/**
 * Replaces the counters of reports by facts and their sums. The worker counts all stored rows again. Triggers maintain
 * the sums and record rows to count again, so that every writer keeps reports exact, also imports, merges and erasures.
 * FROZEN.
 */
export const reportFacts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [...tables(postgres), ...postgresTriggers],
    orElse: () => [...tables(sqlite), ...sqliteTriggers]
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
