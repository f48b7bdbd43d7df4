import { ConsoleSession } from "@leadloom/core/internal/domain/access/ConsoleSession"
import { ConsoleSessions } from "@leadloom/core/internal/port/repository/tenant/ConsoleSessions"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const sessions = table(ConsoleSession, { name: "console_sessions", key: ["tenantId", "sessionId"] })

const isValid = `revoked_at IS NULL AND ends_at > ? AND (user_id IS NULL OR EXISTS (
  SELECT 1 FROM users WHERE users.tenant_id = console_sessions.tenant_id
    AND users.user_id = console_sessions.user_id AND users.role = console_sessions.role AND users.active = 1))`

/** Stores sessions of the web console in SQL. */
export const layer: Layer.Layer<ConsoleSessions, never, Database> = Layer.effect(
  ConsoleSessions,
  Effect.map(Database, ({ command, query, whole }) => {
    const { all, one } = sessions.reading({ query })
    const expire = command("DELETE FROM console_sessions WHERE tenant_id = ? AND ends_at <= ?")
    const insert = command(sessions.insert)
    const find = one(
      `SELECT ${sessions.columns} FROM console_sessions WHERE tenant_id = ? AND session_id = ? AND ${isValid}`
    )
    const list = all(
      `SELECT ${sessions.columns} FROM console_sessions WHERE tenant_id = ? AND ${isValid} ORDER BY started_at, session_id`
    )
    const revoke = query(
      `UPDATE console_sessions SET revoked_at = ? WHERE tenant_id = ? AND session_id = ? AND ${isValid}
        RETURNING session_id`
    )
    return ConsoleSessions.of({
      add: (session, now) => whole(Effect.andThen(expire(session.tenantId, now), insert(...sessions.values(session)))),
      find,
      list,
      revoke: (tenantId, sessionId, now) =>
        Effect.map(revoke(now, tenantId, sessionId, now), (revoked) => revoked.length > 0)
    })
  })
)
