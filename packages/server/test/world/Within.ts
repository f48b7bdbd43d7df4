import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { type Context, Effect, Layer } from "effect"
import type { Services } from "../../src/http/Routes.ts"
import { steadyMonth } from "./SteadyMonth.ts"
import { startServer, type TestServer } from "./TestServer.ts"

/** A server with access to its services. */
export interface OpenServer {
  readonly server: TestServer
  /** Returns the services of the server, which exist after the first request. */
  readonly services: () => Context.Context<Services>
  /** Runs queued work, as workers would. */
  readonly work: () => Promise<void>
}

/** Runs all due work, including work that becomes due by it. */
const workAll: Effect.Effect<void, unknown, Services> = Effect.gen(function* () {
  while ((yield* workDueSignals()) > 0);
})

/** Starts the application without workers, and gives access to its services. */
export const startOpenServer = (env: Readonly<Record<string, string>> = {}): OpenServer => {
  let kept: Context.Context<Services> | null = null
  const keep = Layer.effectDiscard(Effect.map(Effect.context<Services>(), (context) => (kept = context)))
  const server = startServer(env, (services) => Layer.provideMerge(keep, Layer.provideMerge(steadyMonth, services)))
  const services = () => {
    if (kept === null) throw new Error("the server has not been asked for anything yet")
    return kept
  }
  return { server, services, work: () => Effect.runPromise(Effect.provideContext(workAll, services())) }
}
