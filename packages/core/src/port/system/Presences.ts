import { Context, type Effect, type Queue, type Scope } from "effect"
import type { Presence, PresenceReport } from "../../domain/conversation/Presence.ts"

/** The users who are present in conversations, on all servers of the deployment. They are not stored. */
export class Presences extends Context.Service<
  Presences,
  {
    /** Applies a report on this server, and sends it to the other servers. A lost report arrives with its renewal. */
    readonly report: (report: PresenceReport, now: number) => Effect.Effect<void>
    /** Returns the users who are present in a conversation. */
    readonly list: (tenantId: string, contactId: string, now: number) => Effect.Effect<ReadonlyArray<Presence>>
    /** Returns a tenant's reports from now on, until the scope closes. A slow reader loses the oldest ones. */
    readonly watch: (tenantId: string) => Effect.Effect<Queue.Dequeue<PresenceReport>, never, Scope.Scope>
  }
>()("core/port/system/Presences") {}
