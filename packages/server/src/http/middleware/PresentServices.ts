import { Effect, identity } from "effect"

/** Removes requirements from the type of an effect. The effect itself stays the same. */
export type Present<Services> = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Services>>

/**
 * Requires services for a layer whose requests already have them: the framework runs an endpoint and its middleware
 * with all services with which the group of the endpoint was built. Providing the services again, or an empty context,
 * would copy the whole context of every request.
 */
export const presentServices = <Services>(): Effect.Effect<Present<Services>, never, Services> =>
  Effect.as(Effect.context<Services>(), identity as Present<Services>)
