import { TrackedLink } from "@leadloom/core/internal/domain/link/TrackedLink"
import { TrackedLinks } from "@leadloom/core/internal/port/repository/sequence/TrackedLinks"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const links = table(TrackedLink, { name: "tracked_links", key: ["tenantId", "token"] })

/** Stores tracked links in SQL. */
export const layer: Layer.Layer<TrackedLinks, never, Database> = Layer.effect(
  TrackedLinks,
  Effect.map(Database, ({ by, command, isOneOf, query, rows }) => {
    const { all, one } = links.reading({ query })
    const insert = rows(links.inserting)
    const replace = command(links.replace)
    const markSent = command(
      `UPDATE tracked_links ${by("tracked_links_message")} SET sent_at = ? WHERE tenant_id = ? AND message_id = ?`
    )
    const opened = query<{ readonly messageId: string }>(
      `SELECT DISTINCT message_id AS "messageId" FROM tracked_links ${by("tracked_links_opened")}
        WHERE tenant_id = ? AND ${isOneOf("enrolment_id")} AND opens > 0`
    )
    const expire = query(
      `DELETE FROM tracked_links WHERE tenant_id = ? AND token IN (SELECT token FROM tracked_links
        ${by("tracked_links_created")} WHERE tenant_id = ? AND created_at < ? ORDER BY created_at, token LIMIT ?)
        RETURNING token`
    )
    return TrackedLinks.of({
      insert: (all) => insert(all.map(links.values)),
      find: one(`SELECT ${links.columns} FROM tracked_links WHERE tenant_id = ? AND token = ?`),
      ofMessage: all(
        `SELECT ${links.columns} FROM tracked_links ${by("tracked_links_message")}
          WHERE tenant_id = ? AND message_id = ? ORDER BY position`
      ),
      markSent: (tenantId, messageId, at) => markSent(at, tenantId, messageId),
      replace: (link) => replace(...links.changes(link)),
      openedMessages: (tenantId, enrolmentIds) =>
        Effect.map(
          opened(tenantId, JSON.stringify(enrolmentIds)),
          (found) => new Set(found.map(({ messageId }) => messageId))
        ),
      expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (gone) => gone.length)
    })
  })
)
