import type { ContactId } from "@leadloom/core/internal/domain/Id"
import type { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { type Context, Effect } from "effect"
import type { Queries } from "../../sql/Queries.ts"

/** The number of conversations of an address that are examined. */
const maxExamined = 200

/** The statement that finds the contacts of an address to whom a person of the tenant has written. */
export const knownUsers = ({ by, query }: Queries): Pick<Context.Service.Shape<typeof Conversations>, "knownUsers"> => {
  const find = query<{ readonly contactId: ContactId }>(
    `SELECT a.contact_id AS "contactId" FROM (SELECT tenant_id, contact_id FROM conversation_aliases
          WHERE tenant_id = ? AND alias = ? ORDER BY last_timestamp DESC, contact_id DESC LIMIT ${maxExamined}) AS a
      WHERE EXISTS (SELECT 1 FROM messages m ${by("messages_ours")}
        WHERE m.tenant_id = a.tenant_id AND m.contact_id = a.contact_id
          AND m.actor = 'agent' AND m.actor IN ('assistant', 'agent')) LIMIT ?`
  )
  return {
    knownUsers: (tenantId, alias, limit) =>
      Effect.map(find(tenantId, alias, limit), (rows) => rows.map(({ contactId }) => contactId))
  }
}
