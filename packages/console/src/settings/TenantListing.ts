import type { Tenant } from "@leadloom/client"
import { readSession, storeSession } from "../app/Session.ts"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing } from "./Listing.ts"

const { tenants: shown } = settingsText

const create: Action = {
  label: shown.create,
  operation: "tenants.create",
  fields: [
    { name: "tenant_id", label: shown.id },
    { name: "name", label: shown.name },
    { name: "domain", label: shown.domain, isRequired: false }
  ],
  send: async ({ client }, { domain = "", name = "", tenant_id = "" }) => {
    await client.tenants.create({ tenant_id, name, ...(domain === "" ? {} : { domain }) })
    return null
  }
}

const archive = ({ name, tenant_id: tenantId }: Tenant): Action => ({
  label: shown.archive,
  message: shown.archiveNote(name),
  operation: "tenants.archive",
  send: async ({ client }) => {
    await client.tenants.archive(tenantId)
    return null
  }
})

const restore: Action = {
  label: shown.restore,
  message: shown.restoreNote,
  operation: "tenants.restore",
  fields: [{ name: "tenant_id", label: shown.id }],
  send: async ({ client }, { tenant_id = "" }) => {
    await client.tenants.restore(tenant_id)
    return null
  }
}

/** Shows the pages of another tenant. They load again, so that nothing of the former tenant stays in memory. */
const open = ({ name, tenant_id: tenantId }: Tenant): Action => ({
  label: shown.open,
  message: shown.openNote(name),
  operation: "tenants.get",
  send: async () => {
    const session = readSession()
    if (session !== null) storeSession({ ...session, tenantId })
    location.replace("/inbox")
    return null
  }
})

/** The tenants of the deployment. Only the operator sees them. */
export const tenantListing: Listing<Tenant> = {
  title: shown.title,
  empty: shown.empty,
  operation: "tenants.list",
  read: async ({ client }, cursor, signal) => {
    const { next_cursor: next, tenants: rows } = await client.tenants.list({ cursor, signal })
    return { rows, next }
  },
  keyOf: ({ tenant_id: id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.id, cell: ({ tenant_id: id }) => id },
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.plan, cell: ({ plan }) => plan, isDetail: true },
    { header: shown.created, cell: ({ created_at: time }) => longTime(time), isDetail: true }
  ],
  general: [create, restore],
  actions: (tenant) => [open(tenant), archive(tenant)]
}
