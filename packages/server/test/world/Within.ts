import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { type Context, Effect, Layer } from "effect"
import type { Services } from "../../src/http/Routes.ts"
import { steadyMonth } from "./SteadyMonth.ts"
import { startServer, type TestServer } from "./TestServer.ts"

/** A server and what is within it. */
export interface OpenServer {
  readonly server: TestServer
  /** The services of the server; they are there after the first request. */
  readonly services: () => Context.Context<Services>
  /** Works what is queued, as the workers of a process would. */
  readonly work: () => Promise<void>
}

/** Everything that is due, and what becomes due by it. */
const workAll: Effect.Effect<void, unknown, Services> = Effect.gen(function* () {
  while ((yield* workDueSignals()) > 0);
})

/** Starts the application without workers, and keeps its services at hand. */
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
