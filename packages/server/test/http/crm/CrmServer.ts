import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { type HighLevelStandIn, startHighLevel } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

/** A server with a stand-in of the CRM. */
export interface CrmServer {
  readonly highLevel: HighLevelStandIn
  readonly server: TestServer
  readonly world: World
  /** Runs the jobs that are due. */
  readonly work: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts server and stand-in. */
export const startCrmServer = async (): Promise<CrmServer> => {
  const highLevel = await startHighLevel()
  const server = startServer({
    LEADLOOM_LIMIT_ADMIN: "100000",
    LEADLOOM_CRM_CLIENT_ID: highLevel.clientId,
    LEADLOOM_CRM_CLIENT_SECRET: highLevel.clientSecret,
    LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back",
    LEADLOOM_CRM_API_URL: highLevel.url,
    LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: highLevel.publicKeyPem
  })
  const world = await makeWorld(server)
  return {
    highLevel,
    server,
    world,
    work: () => server.run(drainJobs),
    close: async () => {
      await server.close()
      await highLevel.close()
    }
  }
}
