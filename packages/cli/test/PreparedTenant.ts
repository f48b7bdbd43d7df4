import { createClient } from "@leadloom/client"
import { adminKey } from "./ServerProcess.ts"

/**
 * Creates a tenant with one message whose run has ended: the state after the guide to the first tenant. Returns an API
 * key of the tenant.
 */
export const prepareTenant = async (url: string, tenant: string): Promise<string> => {
  const operator = createClient({ baseUrl: url, credential: adminKey })
  const domain = `${tenant}.example`
  await operator.tenants.create({ tenant_id: tenant, name: "Acme Roofing", domain, preset: "home_services" })
  const { key } = await operator.apiKeys.create(tenant, { name: "guide" })
  const contact = { name: "Jo Smith", email: "jo@customer.example", phone: "+14155550123" }
  const message = "Our roof leaks, please call today. What would a repair cost?"
  await createClient({ baseUrl: url, credential: key }).pipeline.run(tenant, { message, contact })
  return key
}
