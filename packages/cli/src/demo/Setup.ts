import { type Leadloom, LeadloomError } from "@leadloom/client"
import { readDemoConfig } from "./Arrivals.ts"
import type { DemoKeys } from "./DemoKeys.ts"

/** The id of the demo tenant. */
export const demoTenant = "demo"
/** The sources of the sample events. */
export const demoSources = ["website", "sms-gateway"] as const

const unless =
  (code: string) =>
  (error: unknown): void => {
    if (!(error instanceof LeadloomError) || error.code !== code) throw error
  }

const makeTenant = async (client: Leadloom): Promise<void> => {
  await client.tenants
    .create({ tenant_id: demoTenant, name: "Larkspur Roofing", domain: "example.com" })
    .catch(unless("CONFLICT"))
  await client.config.replace(demoTenant, await readDemoConfig())
  await client.email
    .connect(demoTenant, { provider: "smtp", email: "office@example.com", name: "Larkspur Roofing" })
    .catch(unless("CONFLICT"))
}

/** Creates a source. If its key is lost, creates the source again, because the server shows a key only once. */
const makeSource = async (client: Leadloom, sourceId: string): Promise<string> => {
  await client.sources.remove(demoTenant, sourceId).catch(unless("NOT_FOUND"))
  return (await client.sources.create(demoTenant, { source_id: sourceId })).key
}

/**
 * Creates the demo tenant with its configuration, an API key and its sources through the API. Idempotent: a second call
 * keeps the parts that exist, and creates those that an interrupted start did not create.
 */
export const setUpDemo = async (
  client: Leadloom,
  keys: DemoKeys,
  keep: (keys: DemoKeys) => Promise<void>
): Promise<DemoKeys> => {
  await makeTenant(client)
  let made = keys
  if (made.apiKey === null) {
    const { key } = await client.apiKeys.create(demoTenant, { name: "demo" })
    made = { ...made, apiKey: key }
    await keep(made)
  }
  for (const sourceId of demoSources) {
    if (made.sourceKeys[sourceId] !== undefined) continue
    made = { ...made, sourceKeys: { ...made.sourceKeys, [sourceId]: await makeSource(client, sourceId) } }
    await keep(made)
  }
  return made
}
