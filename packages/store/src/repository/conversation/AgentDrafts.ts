import { AgentDraft } from "@leadloom/core/internal/domain/draft/AgentDraft"
import { AgentDrafts } from "@leadloom/core/internal/port/repository/conversation/AgentDrafts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const drafts = table(AgentDraft, { name: "agent_drafts", key: ["tenantId", "draftId"] })

/** Stores drafts by people in SQL. */
export const layer: Layer.Layer<AgentDrafts, never, Database> = Layer.effect(
  AgentDrafts,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = drafts.reading({ query })
    const insert = command(drafts.insert)
    const replace = command(drafts.replace)
    return AgentDrafts.of({
      insert: (draft) => insert(...drafts.values(draft)),
      find: one(`SELECT ${drafts.columns} FROM agent_drafts WHERE tenant_id = ? AND draft_id = ?`),
      ofContact: all(
        `SELECT ${drafts.columns} FROM agent_drafts WHERE tenant_id = ? AND contact_id = ?
          ORDER BY created_at, draft_id LIMIT ?`
      ),
      replace: (draft) => replace(...drafts.changes(draft)),
      remove: command("DELETE FROM agent_drafts WHERE tenant_id = ? AND draft_id = ?")
    })
  })
)
