import { Context, Effect, type Latch, Layer, type Scope } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"

/** The maximum number of open streams of one tenant on one server. */
export const streamsPerTenant = 20

/** The tenant has the maximum number of open streams on this server. */
export class StreamLimitReached extends TaggedError("StreamLimitReached")<{ readonly limit: number }> {}

/** The open event streams of this server. */
export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** Counts a stream until the scope ends. */
    readonly open: (tenantId: string) => Effect.Effect<void, StreamLimitReached, Scope.Scope>
    /** Completes when the server stops. The streams then end, and clients reconnect to another server. */
    readonly closing: Effect.Effect<void>
  }
>()("server/http/stream/EventStreams") {
  /** `closing` ends all streams when it opens. The server opens it before it waits for open requests. */
  static readonly layer = (closing: Latch.Latch): Layer.Layer<EventStreams> =>
    Layer.sync(EventStreams, () => {
      const open = new Map<string, number>()
      return EventStreams.of({
        open: (tenantId) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.suspend(() => {
                const count = open.get(tenantId) ?? 0
                if (count >= streamsPerTenant) return Effect.fail(new StreamLimitReached({ limit: streamsPerTenant }))
                open.set(tenantId, count + 1)
                return Effect.void
              }),
              () =>
                Effect.sync(() => {
                  const count = (open.get(tenantId) ?? 1) - 1
                  if (count === 0) open.delete(tenantId)
                  else open.set(tenantId, count)
                })
            )
          ),
        closing: closing.await
      })
    })
}
