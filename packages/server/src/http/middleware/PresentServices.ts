import { Context, Effect } from "effect"

/**
 * Requires services for a layer whose requests already have them: the framework runs an endpoint and its middleware
 * with all services with which the group of the endpoint was built. The returned context is empty, because providing
 * the services again would copy the whole context of every request.
 */
export const presentServices = <Services>(): Effect.Effect<Context.Context<Services>, never, Services> =>
  Effect.as(Effect.context<Services>(), Context.empty() as Context.Context<Services>)
