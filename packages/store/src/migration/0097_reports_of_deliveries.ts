import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Records that counted rows of a stream are to be counted again. The worker reads other rows with their current values. */
const recount = (
  stream: "messages" | "leads",
  subject: "contact_id" | "lead_id",
  id: "message_id" | "lead_id"
): string =>
  `INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
    SELECT p.tenant_id, new.${subject}, p.stream, '' FROM report_positions p
      WHERE p.tenant_id = new.tenant_id AND p.stream = '${stream}' AND p.position >= new.${id}
    ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''`

/** The triggers: their names, events with conditions, and statements. `isNew`: no former trigger has the name. */
const triggers = [
  {
    name: "report_message_delivered",
    table: "messages",
    isNew: false,
    event: "UPDATE OF delivery ON messages FOR EACH ROW WHEN (old.delivery IS DISTINCT FROM new.delivery)",
    statement: recount("messages", "contact_id", "message_id")
  },
  {
    name: "report_message_deleted",
    table: "messages",
    isNew: false,
    event: "DELETE ON messages FOR EACH ROW",
    // The fact of a delivery has an id of its own, so that servers of the previous version do not remove it.
    statement: `DELETE FROM report_facts
      WHERE tenant_id = old.tenant_id AND fact_id IN (old.message_id, old.message_id || ':delivery')`
  },
  {
    name: "report_lead_scored",
    table: "leads",
    isNew: true,
    event: "UPDATE OF tier ON leads FOR EACH ROW WHEN (old.tier IS DISTINCT FROM new.tier)",
    statement: recount("leads", "lead_id", "lead_id")
  }
]

/** Counts the messages and leads of all tenants again, because they have further facts. */
const recountAll = `INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
  SELECT tenant_id, '', streams.name, ''
    FROM tenants CROSS JOIN (SELECT 'messages' AS name UNION ALL SELECT 'leads') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = ''`

const onSqlite = triggers.flatMap(({ event, isNew, name, statement }) => [
  ...(isNew ? [] : [`DROP TRIGGER ${name}`]),
  `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statement}; END`
])

const onPostgres = triggers.flatMap(({ event, isNew, name, statement, table }) => [
  ...(isNew ? [] : [`DROP TRIGGER ${name} ON ${table}`]),
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN ${statement}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} EXECUTE FUNCTION ${name}()`
])

/** Reports count tiers of leads and delivery states. See docs/decisions/0149-reports-of-tiers-and-deliveries.md. FROZEN. */
export const reportsOfDeliveries: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  yield* Effect.forEach([...statements, recountAll], (statement) => sql.unsafe(statement), { discard: true })
})
