import { Upload } from "@leadloom/core/internal/domain/upload/Upload"
import { Uploads } from "@leadloom/core/internal/port/repository/conversation/Uploads"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const uploads = table(Upload, { name: "uploads", key: ["tenantId", "uploadId"] })

/** A condition for uploads whose holder is a draft or a message that still waits. */
const isHeld = `u.holder IS NOT NULL AND (
  EXISTS (SELECT 1 FROM agent_drafts d WHERE d.tenant_id = u.tenant_id AND d.draft_id = u.holder)
  OR EXISTS (SELECT 1 FROM scheduled_sends s
    WHERE s.tenant_id = u.tenant_id AND s.message_id = u.holder AND s.state = 'scheduled'))`

/** Stores uploads in SQL. */
export const layer: Layer.Layer<Uploads, never, Database> = Layer.effect(
  Uploads,
  Effect.map(Database, ({ command, isOneOf, query, whole }) => {
    const { all } = uploads.reading({ query })
    const insert = command(uploads.insert)
    const findAll = all(`SELECT ${uploads.columns} FROM uploads WHERE tenant_id = ? AND ${isOneOf("upload_id")}`)
    const release = command("UPDATE uploads SET holder = NULL WHERE tenant_id = ? AND holder = ?")
    const hold = command(`UPDATE uploads SET holder = ? WHERE tenant_id = ? AND ${isOneOf("upload_id")}`)
    const remove = command(`DELETE FROM uploads WHERE tenant_id = ? AND ${isOneOf("upload_id")}`)
    const expired = all(
      `SELECT ${uploads.columnsOf("u")} FROM uploads u WHERE u.tenant_id = ? AND u.expires_at <= ? AND NOT (${isHeld})
        ORDER BY u.expires_at, u.upload_id LIMIT ?`
    )
    return Uploads.of({
      insert: (upload) => insert(...uploads.values(upload)),
      findAll: (tenantId, uploadIds) => findAll(tenantId, JSON.stringify(uploadIds)),
      hold: (tenantId, uploadIds, holder) =>
        whole(
          Effect.andThen(
            release(tenantId, holder),
            uploadIds.length === 0 ? Effect.void : hold(holder, tenantId, JSON.stringify(uploadIds))
          )
        ),
      remove: (tenantId, uploadIds) =>
        uploadIds.length === 0 ? Effect.void : remove(tenantId, JSON.stringify(uploadIds)),
      expired
    })
  })
)
