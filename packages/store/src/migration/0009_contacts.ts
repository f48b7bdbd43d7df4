import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect, and the expansion of a JSON array into rows. */
const sqlite = {
  text: "TEXT",
  int: "INTEGER",
  json: "TEXT",
  clustered: "STRICT, WITHOUT ROWID",
  plain: "STRICT",
  tags: "json_each(p.tags) AS item"
}
const postgres = {
  text: 'text COLLATE "C"',
  int: "bigint",
  json: "json",
  clustered: "",
  plain: "",
  tags: "json_array_elements_text(p.tags) AS item(value)"
}

type Words = typeof sqlite

const records = ({ clustered, int, json, plain, text }: Words): ReadonlyArray<string> => [
  `ALTER TABLE contacts ADD COLUMN attributes ${json} NOT NULL DEFAULT '{}'`,
  `ALTER TABLE contacts ADD COLUMN merged_into ${text}`,
  `CREATE INDEX contacts_archived ON contacts (tenant_id, created_at DESC, contact_id DESC)
    WHERE archived_at IS NOT NULL AND merged_into IS NULL`,
  `ALTER TABLE merge_suggestions ADD COLUMN dismissed_at ${int}`,
  `CREATE INDEX merge_suggestions_newest
    ON merge_suggestions (tenant_id, created_at DESC, first_id DESC, second_id DESC) WHERE dismissed_at IS NULL`,
  `CREATE TABLE contact_merges (
    tenant_id ${text} NOT NULL, merge_id ${text} NOT NULL, primary_id ${text} NOT NULL, duplicate_id ${text} NOT NULL,
    ordinal ${int} NOT NULL, merged_at ${int} NOT NULL, undone_at ${int}, watermark ${int} NOT NULL,
    journal ${json} NOT NULL, PRIMARY KEY (tenant_id, merge_id)) ${plain}`,
  `CREATE UNIQUE INDEX contact_merges_primary ON contact_merges (tenant_id, primary_id, ordinal) WHERE undone_at IS NULL`,
  `CREATE UNIQUE INDEX contact_merges_duplicate ON contact_merges (tenant_id, duplicate_id) WHERE undone_at IS NULL`,
  // The rows that a merge moved. Undoing the merge moves back only these rows.
  `CREATE TABLE contact_merge_items (
    tenant_id ${text} NOT NULL, merge_id ${text} NOT NULL, kind ${text} NOT NULL, item_id ${text} NOT NULL,
    PRIMARY KEY (tenant_id, merge_id, kind, item_id)) ${clustered}`,
  `CREATE INDEX drafts_of_contact ON drafts (tenant_id, contact_id, created_at, draft_id)`,
  // Events of the timeline that no other table records. The primary key has the order of the timeline.
  `CREATE TABLE activities (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, happened_at ${int} NOT NULL, activity_id ${text} NOT NULL,
    lead_id ${text}, type ${text} NOT NULL, actor ${text} NOT NULL, data ${json} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, happened_at, activity_id)) ${clustered}`,
  `CREATE UNIQUE INDEX activities_id ON activities (tenant_id, activity_id)`
]

/**
 * The filter columns of the contact list. They are separate from `contacts`, because they change with every message.
 * Each filter has an index in the order of the list. `archived` is 0 for an active contact, 1 for an archived one and 2
 * for one that was merged into another.
 */
const digests = ({ clustered, int, text }: Words): ReadonlyArray<string> => [
  `CREATE TABLE contact_digests (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, last_activity_at ${int} NOT NULL, archived ${int} NOT NULL,
    channel ${text}, state ${text}, tier ${text}, has_email ${int} NOT NULL, has_phone ${int} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id)) ${clustered}`,
  ...["", "tier, ", "state, ", "channel, "].map(
    (filter) =>
      `CREATE INDEX contact_digests_${filter === "" ? "newest" : filter.slice(0, -2)}
        ON contact_digests (tenant_id, archived, ${filter}last_activity_at DESC, contact_id DESC)`
  ),
  `CREATE TABLE contact_tags (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, tag ${text} NOT NULL, archived ${int} NOT NULL,
    last_activity_at ${int} NOT NULL, PRIMARY KEY (tenant_id, contact_id, tag)) ${clustered}`,
  `CREATE INDEX contact_tags_newest ON contact_tags (tenant_id, tag, archived, last_activity_at DESC, contact_id DESC)`
]

/** Adds the existing contacts. */
const fill = ({ tags }: Words): ReadonlyArray<string> => [
  `INSERT INTO contact_digests
    (tenant_id, contact_id, last_activity_at, archived, channel, state, tier, has_email, has_phone)
    SELECT p.tenant_id, p.contact_id, coalesce(c.last_timestamp, p.created_at),
      CASE WHEN p.archived_at IS NULL THEN 0 ELSE 1 END, c.last_channel, l.state, l.tier,
      CASE WHEN p.email IS NULL THEN 0 ELSE 1 END, CASE WHEN p.phone IS NULL THEN 0 ELSE 1 END
    FROM contacts p LEFT JOIN conversations c ON c.tenant_id = p.tenant_id AND c.contact_id = p.contact_id
      LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id`,
  `INSERT INTO contact_tags (tenant_id, contact_id, tag, archived, last_activity_at)
    SELECT DISTINCT d.tenant_id, d.contact_id, item.value, d.archived, d.last_activity_at
    FROM contacts p JOIN contact_digests d ON d.tenant_id = p.tenant_id AND d.contact_id = p.contact_id
      CROSS JOIN ${tags} WHERE length(item.value) <= 64`
]

/** Adds contact merges that can be undone, timelines, and filters for the contact list. FROZEN. */
export const contacts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const statements = [...records(words), ...digests(words), ...fill(words)]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
