import { runJob } from "@leadloom/core/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/workflow/job/WorkJobs"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { type Context, Effect, Layer } from "effect"
import type { Services } from "../../../src/http/Routes.ts"
import { startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

/** A server with a stand-in of the CRM. */
export interface CrmServer {
  readonly highLevel: HighLevelStandIn
  readonly server: TestServer
  readonly world: World
  readonly services: Context.Context<Services>
  /** Runs the jobs that are due. */
  readonly work: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts server and stand-in. */
export const startCrmServer = async (): Promise<CrmServer> => {
  const highLevel = await startHighLevel()
  const built = Promise.withResolvers<Context.Context<Services>>()
  const watch = Layer.effectDiscard(Effect.map(Effect.context<Services>(), (context) => built.resolve(context)))
  const server = startServer(
    {
      LEADLOOM_LIMIT_ADMIN: "100000",
      LEADLOOM_CRM_CLIENT_ID: highLevel.clientId,
      LEADLOOM_CRM_CLIENT_SECRET: highLevel.clientSecret,
      LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back",
      LEADLOOM_CRM_API_URL: highLevel.url,
      LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: highLevel.publicKeyPem
    },
    (layer) => Layer.provideMerge(watch, layer)
  )
  const world = await makeWorld(server)
  const services = await built.promise
  const work = Effect.gen(function* () {
    while ((yield* workDueJobs(runJob)) > 0);
  }).pipe(Effect.provideContext(services))
  return {
    highLevel,
    server,
    world,
    services,
    work: () => Effect.runPromise(work),
    close: async () => {
      await server.close()
      await highLevel.close()
    }
  }
}
