import { Effect, Tracer } from "effect"

/**
 * Records the duration of an effect as a span, if an exporter is configured. Without an exporter, the effect runs
 * unchanged: `Effect.fn` and `Effect.withSpan` would still create a span and capture a stack, which costs 6 to 9 µs per
 * call. A workflow adds its span as the last argument of `Effect.fnUntraced`.
 */
export const withSpan =
  (name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? self : Effect.withSpan(self, name)
    )
