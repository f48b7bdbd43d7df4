import type { Leadloom, Tenant } from "@leadloom/client"
import { Command } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { timeZone } from "../TimeZone.ts"

interface CreateOptions {
  readonly name: string
  readonly domain?: string
  readonly preset?: string
  readonly hipaa?: boolean
  readonly timeZone: string
}

/** The time zone of a tenant whose configuration sets none. */
const defaultTimeZone = "UTC"

const format = (tenant: Tenant, zone?: string): string =>
  propertyTable([
    ["tenant", tenant.tenant_id],
    ["name", tenant.name],
    ["domain", tenant.domain ?? "-"],
    ["hipaa", tenant.hipaa ? "yes" : "no"],
    ...(zone === undefined ? [] : [["time zone", zone] as const]),
    ["created", tenant.created_at]
  ])

/** Sets the time zone in the configuration of a new tenant. The request that creates a tenant cannot contain it. */
const setTimeZone = async (client: Leadloom, tenantId: string, zone: string): Promise<void> => {
  const { config, version } = await client.config.get(tenantId)
  await client.config.replace(tenantId, { ...config, time_zone: zone }, { ifMatch: version })
}

const notSet = (tenantId: string, zone: string): string =>
  `The tenant ${tenantId} exists, but its time zone is not set. Set "time_zone": "${zone}" with leadloom config put.\n`

const create = (terminal: Terminal): Command =>
  new Command("create")
    .description("create a tenant")
    .argument("<tenant-id>", "2 to 63 characters: a-z, 0-9, _ and -")
    .requiredOption("--name <name>", "name of the business")
    .option("--domain <domain>", "domain of the tenant's own email addresses")
    .option("--preset <name>", "starting configuration")
    .option("--hipaa", "disable email for this tenant")
    .option(
      "--time-zone <zone>",
      "IANA time zone of business hours, callbacks and quiet hours, such as Europe/Berlin",
      timeZone,
      defaultTimeZone
    )
    .action(
      action<CreateOptions>(terminal, async ({ options, connection, show }, tenantId = "") => {
        const { name, domain, preset, hipaa, timeZone: zone } = options
        const client = adminClient(connection)
        const tenant = await client.tenants.create({
          tenant_id: tenantId,
          name,
          domain,
          preset,
          hipaa
        })
        if (zone !== defaultTimeZone) {
          await setTimeZone(client, tenantId, zone).catch((error: unknown) => {
            if (options.json !== true) terminal.err(notSet(tenantId, zone))
            throw error
          })
        }
        show(tenant, () => format(tenant, zone))
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
