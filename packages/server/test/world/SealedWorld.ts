import type { HighLevelStandIn } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { type Answer, adminKey, type Call, type TestServer, textAt } from "./TestServer.ts"
import { makeWorld, type World } from "./World.ts"

/** The secrets that were shown when every kind of encrypted value was created. */
export interface SealedWorld {
  readonly world: World
  readonly webhookId: string
  /** The previous secret and the current one. */
  readonly signingSecrets: readonly [string, string]
  readonly retellKey: string
  readonly assistantSecret: string
}

/** Returns the variables of the server. */
export const sealedEnvironment = (highLevel: HighLevelStandIn) => ({
  LEADLOOM_LIMIT_ADMIN: "100000",
  LEADLOOM_CRM_CLIENT_ID: highLevel.clientId,
  LEADLOOM_CRM_CLIENT_SECRET: highLevel.clientSecret,
  LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back",
  LEADLOOM_CRM_API_URL: highLevel.url
})

/** The request whose response is stored under a key. */
export const kept: Call = {
  as: adminKey,
  body: { name: "kept" },
  headers: { "idempotency-key": "kept" }
}

/**
 * Creates one of every encrypted value: a subscription, an installation, an assistant, a ticket and a stored
 * response.
 */
export const makeSealedWorld = async (
  server: Pick<TestServer, "call">,
  highLevel: HighLevelStandIn
): Promise<SealedWorld> => {
  const world = await makeWorld(server)
  const base = "/api/v1/tenants/acme"
  const sendRequest = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const call = body === undefined ? { as: adminKey } : { as: adminKey, body }
    const answer = await server.call(method, `${base}${path}`, call)
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`)
    return answer
  }
  const webhook = await sendRequest("POST", "/webhooks", { url: "https://hooks.example.com/in" })
  const webhookId = textAt(webhook.json, "id")
  const rotated = await sendRequest("POST", `/webhooks/${webhookId}/rotate-secret`)
  const retellKey = "key_of_retell_0123456789abcdef"
  const assistant = await sendRequest("PUT", "/assistant/secret")
  await sendRequest("PUT", "/assistant/retell-key", { api_key: retellKey })
  const state = new URL(textAt((await sendRequest("GET", "/crm/auth-url")).json, "url")).searchParams.get("state")
  await sendRequest("POST", "/crm/callback", { code: highLevel.choose("loc-1"), state })
  await sendRequest("POST", "/events/ticket")
  await server.call("POST", `${base}/api-keys`, kept)
  return {
    world,
    webhookId,
    signingSecrets: [textAt(webhook.json, "secret"), textAt(rotated.json, "secret")],
    retellKey,
    assistantSecret: textAt(assistant.json, "secret")
  }
}
