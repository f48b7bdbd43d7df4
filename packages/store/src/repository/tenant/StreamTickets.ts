import { StreamTicket } from "@leadloom/core/internal/domain/access/StreamTicket"
import { StreamTickets } from "@leadloom/core/internal/port/repository/tenant/StreamTickets"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const tickets = table(StreamTicket, { name: "stream_tickets", key: ["tenantId", "hash"] })

/** Stores unused stream tickets in SQL. */
export const layer: Layer.Layer<StreamTickets, never, Database> = Layer.effect(
  StreamTickets,
  Effect.map(Database, ({ command, query, whole }) => {
    const expire = command("DELETE FROM stream_tickets WHERE tenant_id = ? AND expires_at <= ?")
    const insert = command(tickets.insert)
    const take = tickets
      .reading({ query })
      .one(
        `DELETE FROM stream_tickets WHERE tenant_id = ? AND hash = ? AND expires_at > ? RETURNING ${tickets.columns}`
      )
    return StreamTickets.of({
      add: (ticket, now) => whole(Effect.andThen(expire(ticket.tenantId, now), insert(...tickets.values(ticket)))),
      take
    })
  })
)
