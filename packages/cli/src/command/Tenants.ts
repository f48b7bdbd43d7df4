import type { Tenant } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

interface CreateOptions {
  readonly name: string
  readonly domain?: string
  readonly preset?: string
  readonly hipaa?: boolean
}

const format = (tenant: Tenant): string =>
  propertyTable([
    ["tenant", tenant.tenant_id],
    ["name", tenant.name],
    ["domain", tenant.domain ?? "-"],
    ["hipaa", tenant.hipaa ? "yes" : "no"],
    ["created", tenant.created_at]
  ])

const create = (terminal: Terminal): Command =>
  new Command("create")
    .description("create a tenant")
    .argument("<tenant-id>", "2 to 63 characters: a-z, 0-9, _ and -")
    .requiredOption("--name <name>", "name of the business")
    .option("--domain <domain>", "domain of the tenant's own email addresses")
    .option("--preset <name>", "starting configuration")
    .option("--hipaa", "disable email for this tenant")
    .action(
      action<CreateOptions>(terminal, async ({ options, connection, show }, tenantId = "") => {
        const { name, domain, preset, hipaa } = options
        const tenant = await adminClient(connection).tenants.create({
          tenant_id: tenantId,
          name,
          domain,
          preset,
          hipaa
        })
        show(tenant, () => format(tenant))
      })
    )

const list = (terminal: Terminal): Command =>
  new Command("list").description("list the tenants").action(
    action(terminal, async ({ connection, show }) => {
      const found = await adminClient(connection).tenants.list()
      show(found, () =>
        found.tenants.length === 0
          ? "No tenants. Create one with leadloom tenants create.\n"
          : table(
              ["TENANT", "NAME", "DOMAIN", "CREATED"],
              found.tenants.map((one) => [one.tenant_id, one.name, one.domain ?? "-", one.created_at])
            )
      )
    })
  )

const get = (terminal: Terminal): Command =>
  new Command("get")
    .description("show a tenant")
    .argument("<tenant-id>")
    .action(
      action(terminal, async ({ connection, show }, tenantId = "") => {
        const tenant = await adminClient(connection).tenants.get(tenantId)
        show(tenant, () => format(tenant))
      })
    )

const archive = (terminal: Terminal): Command =>
  new Command("archive")
    .description("stop serving a tenant; its data is kept")
    .argument("<tenant-id>")
    .action(
      action(terminal, async ({ connection, show }, tenantId = "") => {
        await adminClient(connection).tenants.archive(tenantId)
        show({ archived: tenantId }, () => `Archived ${tenantId}.\n`)
      })
    )

/** `leadloom tenants`: the tenants of the deployment. */
export const tenantsCommand = (terminal: Terminal): Command =>
  new Command("tenants")
    .description("create, list, show and archive tenants")
    .addCommand(create(terminal))
    .addCommand(list(terminal))
    .addCommand(get(terminal))
    .addCommand(archive(terminal))
