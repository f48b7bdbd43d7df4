import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

interface ScopeOptions {
  readonly tenant?: string
  readonly allTenants?: boolean
}

/**
 * Returns the tenant of a source, or null for a source of all tenants. The user must pass one of the two options,
 * because the key of a source for all tenants is more powerful.
 */
const scopeOf = ({ tenant, allTenants }: ScopeOptions): string | null => {
  if (tenant === undefined && allTenants !== true) throw usageFailure("Pass --tenant <id> or --all-tenants.")
  return tenant ?? null
}

const scoped = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option("--tenant <id>", "tenant of the source")
    .addOption(new Option("--all-tenants", "all tenants").conflicts("tenant"))

const create = (terminal: Terminal): Command =>
  scoped("create", "create an event source; its key is shown once")
    .argument("<source-id>", "id of the source, part of the path of its events")
    .action(
      action<ScopeOptions>(terminal, async ({ options, connection, show }, sourceId = "") => {
        const tenant = scopeOf(options)
        const { sources } = adminClient(connection)
        const body = { source_id: sourceId }
        const source = await (tenant === null ? sources.createGlobal(body) : sources.create(tenant, body))
        const url = `${connection.url}/api/v1/events/${tenant ?? "<tenant>"}/${source.source_id}`
        show(source, () =>
          propertyTable([
            ["source", source.source_id],
            ["key", source.key],
            ["events to", url]
          ])
        )
        if (options.json !== true) terminal.err("Store the key now. It is not shown again.\n")
      })
    )

const list = (terminal: Terminal): Command =>
  scoped("list", "list event sources").action(
    action<ScopeOptions>(terminal, async ({ options, connection, show }) => {
      const tenant = scopeOf(options)
      const { sources } = adminClient(connection)
      const found = await (tenant === null ? sources.listGlobal() : sources.list(tenant))
      show(found, () =>
        found.sources.length === 0
          ? "No sources. Create one with leadloom sources create.\n"
          : table(
              ["SOURCE", "TENANT", "KEY", "CREATED"],
              found.sources.map((one) => [one.source_id, one.tenant_id ?? "(all)", `${one.prefix}…`, one.created_at])
            )
      )
    })
  )

const remove = (terminal: Terminal): Command =>
  scoped("remove", "remove an event source; its key becomes invalid immediately")
    .argument("<source-id>")
    .action(
      action<ScopeOptions>(terminal, async ({ options, connection, show }, sourceId = "") => {
        const tenant = scopeOf(options)
        const { sources } = adminClient(connection)
        await (tenant === null ? sources.removeGlobal(sourceId) : sources.remove(tenant, sourceId))
        show({ removed: sourceId }, () => `Removed ${sourceId}.\n`)
      })
    )

/** `leadloom sources`: senders of custom events. */
export const sourcesCommand = (terminal: Terminal): Command =>
  new Command("sources")
    .description("create, list and remove event sources")
    .addCommand(create(terminal))
    .addCommand(list(terminal))
    .addCommand(remove(terminal))
