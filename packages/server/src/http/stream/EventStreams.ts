import { Context, Data, Effect, type Latch, Layer, type Scope } from "effect"

/** Streams of one tenant that a server keeps open at once. */
export const streamsPerTenant = 20

/** The tenant has as many open streams on this server as it may. */
export class StreamLimitReached extends Data.TaggedError("StreamLimitReached")<{ readonly limit: number }> {}

/** The streams of events that are open on this server. */
export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** Takes a place until the scope ends. */
    readonly open: (tenantId: string) => Effect.Effect<void, StreamLimitReached, Scope.Scope>
    /** Completes when the server stops: streams end then, and clients come back to another one. */
    readonly closing: Effect.Effect<void>
  }
>()("server/http/stream/EventStreams") {
  /** Streams end when `closing` is opened: before the server waits for the requests that are open. */
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
