import type { CreatedApiKey, Scope } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { checkKeys } from "./CheckKeys.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

interface TenantOption {
  readonly tenant: string
}

const ofTenant = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption("--tenant <id>", "tenant of the key")

const format = (created: CreatedApiKey): string =>
  propertyTable([
    ["id", created.id],
    ["name", created.name],
    ["scopes", created.scopes?.join(", ") ?? "everything"],
    ["expires", created.expires_at ?? "never"],
    ["key", created.key]
  ])

interface CreateOptions extends TenantOption {
  readonly name: string
  readonly scope?: ReadonlyArray<Scope>
  readonly expires?: string
}

const create = (terminal: Terminal): Command =>
  ofTenant("create", "create an API key; it is shown once")
    .requiredOption("--name <name>", "purpose of the key")
    .addOption(
      new Option("--scope <scope...>", "limit the key to these scopes (default: all)").choices([
        "read",
        "messages",
        "pipeline"
      ])
    )
    .option("--expires <time>", "expiry, such as 2027-01-01 or 2027-01-01T12:00:00Z")
    .action(
      action<CreateOptions>(terminal, async ({ options, connection, show }) => {
        const created = await adminClient(connection).apiKeys.create(options.tenant, {
          name: options.name,
          ...(options.scope === undefined ? {} : { scopes: options.scope }),
          ...(options.expires === undefined ? {} : { expires_at: options.expires })
        })
        show(created, () => format(created))
        if (options.json !== true) terminal.err("Store the key now. It is not shown again.\n")
      })
    )

const list = (terminal: Terminal): Command =>
  ofTenant("list", "list API keys by prefix").action(
    action<TenantOption>(terminal, async ({ options, connection, show }) => {
      const found = await adminClient(connection).apiKeys.list(options.tenant)
      show(found, () =>
        found.api_keys.length === 0
          ? "No API keys. Create one with leadloom keys create.\n"
          : table(
              ["ID", "NAME", "KEY", "SCOPES", "STATUS", "LAST USED", "EXPIRES"],
              found.api_keys.map((key) => [
                key.id,
                key.name,
                `${key.prefix}…`,
                key.scopes?.join(", ") ?? "everything",
                key.status,
                key.last_used_at ?? "never",
                key.expires_at ?? "-"
              ])
            )
      )
    })
  )

const rotate = (terminal: Terminal): Command =>
  ofTenant("rotate", "replace an API key; the old key stays valid for 72 hours")
    .argument("<key-id>")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, keyId = "") => {
        const created = await adminClient(connection).apiKeys.rotate(options.tenant, { key_id: keyId })
        show(created, () => format(created))
        if (options.json !== true)
          terminal.err("Store the key now. It is not shown again. The old key stays valid for 72 hours.\n")
      })
    )

const revoke = (terminal: Terminal): Command =>
  ofTenant("revoke", "revoke an API key immediately")
    .argument("<key-id>")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, keyId = "") => {
        await adminClient(connection).apiKeys.revoke(options.tenant, keyId)
        show({ revoked: keyId }, () => `Revoked ${keyId}.\n`)
      })
    )

/** `leadloom keys`: the API keys of partner applications. */
export const keysCommand = (terminal: Terminal): Command =>
  new Command("keys")
    .description("create, list, rotate, revoke and check API keys")
    .addCommand(create(terminal))
    .addCommand(list(terminal))
    .addCommand(rotate(terminal))
    .addCommand(revoke(terminal))
    .addCommand(checkKeys(terminal))
