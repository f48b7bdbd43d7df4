import { AssistantAccess } from "@leadloom/core/internal/domain/assistant/AssistantAccess"
import { Assistants } from "@leadloom/core/internal/port/repository/tenant/Assistants"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const assistants = table(AssistantAccess, { name: "assistants", key: ["tenantId"] })

/** Stores the voice assistants of tenants in SQL. */
export const layer: Layer.Layer<Assistants, never, Database> = Layer.effect(
  Assistants,
  Effect.map(Database, ({ command, query }) => {
    const { one } = assistants.reading({ query })
    const find = one(`SELECT ${assistants.columns} FROM assistants WHERE tenant_id = ?`)
    const save = command(
      `${assistants.insert} ON CONFLICT (tenant_id) DO UPDATE SET prefix = excluded.prefix, hash = excluded.hash,
        retell_key = excluded.retell_key, updated_at = excluded.updated_at`
    )
    const remove = query("DELETE FROM assistants WHERE tenant_id = ? RETURNING tenant_id")
    const answer = query<{ readonly answer: string }>(
      "SELECT answer FROM assistant_answers WHERE tenant_id = ? AND answer_id = ?"
    )
    const keep = command(
      `INSERT INTO assistant_answers (tenant_id, answer_id, created_at, answer) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, answer_id) DO NOTHING`
    )
    const forget = command(
      `DELETE FROM assistant_answers WHERE tenant_id = ? AND answer_id IN (SELECT answer_id FROM assistant_answers
        WHERE tenant_id = ? AND created_at < ? ORDER BY created_at LIMIT ?)`
    )
    return Assistants.of({
      find,
      save: (access) => save(...assistants.values(access)),
      remove: (tenantId) => Effect.map(remove(tenantId), (rows) => rows.length > 0),
      answer: (tenantId, answerId) =>
        Effect.map(answer(tenantId, answerId), (rows) => {
          const row = first(rows)
          return row === null ? null : readObject(row.answer)
        }),
      keepAnswer: (tenantId, answerId, given, now) => keep(tenantId, answerId, now, JSON.stringify(given)),
      forget: (tenantId, before, limit) => forget(tenantId, tenantId, before, limit)
    })
  })
)
