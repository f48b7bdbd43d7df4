import { createClient } from "@leadloom/client"
import { type Place, places } from "./Place.ts"
import type { Receiver } from "./Receiver.ts"
import type { Business } from "./World.ts"

/** Creates one tenant with a number, an email account, a public form, an assistant and a webhook subscription. */
const open = async (url: string, adminKey: string, receiver: Receiver, place: Place): Promise<Business> => {
  const { country, domain, name, number, preset, tenantId, zone } = place
  const admin = createClient({ baseUrl: url, credential: adminKey })
  await admin.tenants.create({ tenant_id: tenantId, name, domain, preset, plan: "scale" })
  const { config } = await admin.config.get(tenantId)
  await admin.config.replace(tenantId, {
    ...config,
    time_zone: zone,
    default_country: country,
    reply_mode: place.replyMode,
    reply_wait_seconds: place.replyWait,
    public_form: { enabled: true, allowed_origins: [`https://www.${domain}`] },
    ...(config.voice && { voice: { ...config.voice, forward_to: place.agentPhone } })
  })
  await admin.phoneNumbers.assign({ phone: number, tenant_id: tenantId, default: true })
  await admin.email.connect(tenantId, { provider: "smtp", email: `hello@${domain}`, name })
  const hook = await admin.webhooks.create(tenantId, { url: receiver.urlOf(tenantId), max_in_flight: 1 })
  receiver.trust(tenantId, hook.secret)
  const { key: apiKey } = await admin.apiKeys.create(tenantId, { name: "agents" })
  const { key: sourceKey } = await admin.sources.create(tenantId, { source_id: "website" })
  const { secret: assistantSecret } = await admin.assistant.makeSecret(tenantId)
  const client = createClient({ baseUrl: url, credential: apiKey })
  return { place, client, operator: admin, sourceKey, assistantSecret }
}

/** Creates the three tenants of the day through the API. */
export const setUp = async (url: string, adminKey: string, receiver: Receiver): Promise<ReadonlyArray<Business>> => {
  const made: Array<Business> = []
  for (const place of places) made.push(await open(url, adminKey, receiver, place))
  return made
}
