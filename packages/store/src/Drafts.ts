import type { Draft } from "@leadloom/core/conversation/Draft"
import { Drafts } from "@leadloom/core/port/Drafts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { first, queries } from "./Queries.ts"
import { table } from "./Table.ts"

const drafts = table<Draft>(
  "drafts",
  {
    tenantId: "tenant_id",
    draftId: "draft_id",
    contactId: "contact_id",
    leadId: "lead_id",
    signalId: "signal_id",
    channel: "channel",
    state: "state",
    headMessageId: "head_message_id",
    createdAt: "created_at",
    text: "body"
  },
  ["tenantId", "draftId"]
)

/** Replies waiting for a person, in SQL. */
export const layer: Layer.Layer<Drafts, never, SqlClient> = Layer.effect(
  Drafts,
  Effect.map(SqlClient, (sql) => {
    const { command, query, whole } = queries(sql)
    const insert = command(drafts.insert)
    const pending = "tenant_id = ? AND contact_id = ? AND state = 'pending'"
    const find = query<Draft>(`SELECT ${drafts.columns} FROM drafts WHERE ${pending}`)
    const supersede = command(`UPDATE drafts SET state = 'superseded' WHERE ${pending}`)
    return Drafts.of({
      propose: (draft) =>
        whole(
          Effect.andThen(supersede(draft.tenantId, draft.contactId), Effect.asVoid(insert(...drafts.values(draft))))
        ),
      supersede: (tenantId, contactId) => Effect.asVoid(supersede(tenantId, contactId)),
      pending: (tenantId, contactId) => Effect.map(find(tenantId, contactId), first)
    })
  })
)
