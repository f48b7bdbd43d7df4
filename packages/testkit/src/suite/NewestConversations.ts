import { allConversations } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Effect } from "effect"

/** Returns the newest conversations of a tenant, or of one of its addresses. */
export const newestConversations = (tenantId: string, limit: number, alias: string | null = null) =>
  Effect.flatMap(Conversations, ({ walk }) => {
    const query = { ...allConversations, sort: "-last_timestamp", aliases: alias === null ? null : [alias] } as const
    const rows = walk(tenantId, query, { userId: null, after: null, limit })
    return Effect.map(rows, (listed) => listed.map(({ conversation }) => conversation))
  })
