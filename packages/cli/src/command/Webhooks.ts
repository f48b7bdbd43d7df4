import type { CreateWebhook, UpdateWebhook, Webhook, WebhookDelivery, WebhookWithSecret } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"
import { listenCommand } from "./WebhookListen.ts"

interface TenantOption {
  readonly tenant: string
}

interface WebhookOptions extends TenantOption {
  readonly url?: string
  readonly to?: string
  readonly events?: string
  readonly description?: string
  readonly maxInFlight?: number
  readonly status?: Webhook["status"]
}

const statuses = ["active", "paused", "disabled"] satisfies ReadonlyArray<Webhook["status"]>
const deliveryStatuses = ["pending", "delivered", "failed"] satisfies ReadonlyArray<WebhookDelivery["status"]>

const ofTenant = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption("--tenant <id>", "tenant of the subscription")

const typesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((type) => type.trim())
    .filter((type) => type !== "")

const webhookSheet = (webhook: Webhook): string =>
  propertyTable([
    ["id", webhook.id],
    ["url", webhook.url],
    ["events", webhook.events.length === 0 ? "all" : webhook.events.join(", ")],
    ["status", webhook.inactive_reason === null ? webhook.status : `${webhook.status} (${webhook.inactive_reason})`],
    ["consecutive failures", String(webhook.consecutive_failures)],
    ["delivered through", String(webhook.delivered_through)]
  ])

const secretSheet = (webhook: WebhookWithSecret): string =>
  `${webhookSheet(webhook)}${propertyTable([["secret", webhook.secret]])}`

const keep = "Store the secret now. It is not shown again.\n"

const list = (terminal: Terminal): Command =>
  ofTenant("list", "list webhook subscriptions").action(
    action<TenantOption>(terminal, async ({ connection, options, show }) => {
      const found = await adminClient(connection).webhooks.list(options.tenant)
      show(found, () =>
        found.webhooks.length === 0
          ? "No webhooks. Create one with leadloom webhooks create.\n"
          : table(
              ["ID", "STATUS", "FAILURES", "THROUGH", "URL"],
              found.webhooks.map(({ consecutive_failures, delivered_through, id, status, url }) => [
                id,
                status,
                String(consecutive_failures),
                String(delivered_through),
                url
              ])
            )
      )
    })
  )

/** Converts the options of the command to the settings of a subscription. */
const settingsOf = ({ description, events, maxInFlight, to }: WebhookOptions) => ({
  ...(to === undefined ? {} : { url: to }),
  ...(events === undefined ? {} : { events: typesOf(events) }),
  ...(description === undefined ? {} : { description }),
  ...(maxInFlight === undefined ? {} : { max_in_flight: maxInFlight })
})

const withSettings = (command: Command): Command =>
  command
    .option("--events <types>", "comma-separated event types (default: all)")
    .option("--description <text>", "purpose of the subscription")
    .option("--max-in-flight <count>", "concurrent requests, 1 to 16; 1 delivers strictly in order", wholeNumber(1, 16))

const create = (terminal: Terminal): Command =>
  withSettings(
    ofTenant("create", "create a subscription; its secret is shown once").requiredOption(
      "--to <url>",
      "URL of the receiver"
    )
  ).action(
    action<WebhookOptions>(terminal, async ({ connection, options, show }) => {
      const request: CreateWebhook = { ...settingsOf(options), url: options.to ?? "" }
      const created = await adminClient(connection).webhooks.create(options.tenant, request)
      show(created, () => secretSheet(created))
      if (options.json !== true) terminal.err(keep)
    })
  )

const update = (terminal: Terminal): Command =>
  withSettings(ofTenant("update", "change, pause or reactivate a subscription"))
    .argument("<webhook-id>")
    .option("--to <url>", "URL of the receiver")
    .addOption(new Option("--status <status>", "the new status").choices(statuses))
    .action(
      action<WebhookOptions>(terminal, async ({ connection, options, show }, id = "") => {
        const { status } = options
        const change: UpdateWebhook = { ...settingsOf(options), ...(status === undefined ? {} : { status }) }
        const updated = await adminClient(connection).webhooks.update(options.tenant, id, change)
        show(updated, () => webhookSheet(updated))
      })
    )

const remove = (terminal: Terminal): Command =>
  ofTenant("delete", "delete a subscription and the list of its deliveries")
    .argument("<webhook-id>")
    .action(
      action<TenantOption>(terminal, async ({ connection, options, show }, id = "") => {
        await adminClient(connection).webhooks.delete(options.tenant, id)
        show({ deleted: id }, () => `Deleted ${id}.\n`)
      })
    )

const rotate = (terminal: Terminal): Command =>
  ofTenant("rotate", "replace the secret; the old secret also signs for 24 hours")
    .argument("<webhook-id>")
    .action(
      action<TenantOption>(terminal, async ({ connection, options, show }, id = "") => {
        const rotated = await adminClient(connection).webhooks.rotateSecret(options.tenant, id)
        show(rotated, () => secretSheet(rotated))
        if (options.json !== true) terminal.err(keep)
      })
    )

const test = (terminal: Terminal): Command =>
  ofTenant("test", "send a signed test event; a failure does not pause the subscription")
    .argument("<webhook-id>")
    .option("--event <type>", "event type")
    .action(
      action<TenantOption & { readonly event?: string }>(terminal, async ({ connection, options, show }, id = "") => {
        const body = options.event === undefined ? undefined : { event_type: options.event }
        const tested = await adminClient(connection).webhooks.test(options.tenant, id, body)
        const { duration_ms, error, status_code } = tested.attempt
        show(tested, () => `${error ?? `Arrived: ${status_code}`} (${duration_ms} ms)\n`)
      })
    )

const deliveryRow = ({ attempts, event_type, id, sequence, status }: WebhookDelivery): ReadonlyArray<string> => [
  String(sequence),
  id,
  event_type,
  status,
  attempts.map(({ status_code }) => status_code ?? "-").join(" "),
  attempts.at(-1)?.error ?? ""
]

const deliveries = (terminal: Terminal): Command =>
  ofTenant("deliveries", "list deliveries with their attempts, newest event first")
    .argument("<webhook-id>")
    .addOption(new Option("--status <status>", "only deliveries with this status").choices(deliveryStatuses))
    .option("--limit <count>", "maximum number of deliveries", wholeNumber(1, 100), 50)
    .action(
      action<TenantOption & { readonly status?: WebhookDelivery["status"]; readonly limit: number }>(
        terminal,
        async ({ connection, options, show }, id = "") => {
          const { limit, status } = options
          const found = await adminClient(connection).webhooks.deliveries(options.tenant, id, {
            limit,
            ...(status === undefined ? {} : { status })
          })
          show(found, () =>
            table(["SEQUENCE", "ID", "EVENT", "STATUS", "ATTEMPTS", "ERROR"], found.deliveries.map(deliveryRow))
          )
        }
      )
    )

const redeliver = (terminal: Terminal): Command =>
  ofTenant("redeliver", "deliver an event again immediately")
    .argument("<webhook-id>")
    .argument("<delivery-id>")
    .action(
      action<TenantOption>(terminal, async ({ connection, options, show }, id = "", delivery = "") => {
        const done = await adminClient(connection).webhooks.redeliver(options.tenant, id, delivery)
        const last = done.attempts.at(-1)
        show(done, () => `${last?.error ?? `Arrived: ${last?.status_code}`}\n`)
      })
    )

const recover = (terminal: Terminal): Command =>
  ofTenant("recover", "retry all failed deliveries since a time")
    .argument("<webhook-id>")
    .requiredOption("--since <time>", "ISO 8601, at most 14 days ago")
    .action(
      action<TenantOption & { readonly since: string }>(terminal, async ({ connection, options, show }, id = "") => {
        const done = await adminClient(connection).webhooks.recover(options.tenant, id, { since: options.since })
        show(done, () => `Deliveries scheduled for retry: ${done.recovered}.\n`)
      })
    )

/** `leadloom webhooks`: subscriptions to outbound events. */
export const webhooksCommand = (terminal: Terminal): Command =>
  [list, create, update, remove, rotate, test, deliveries, redeliver, recover, listenCommand].reduce(
    (command, child) => command.addCommand(child(terminal)),
    new Command("webhooks").description("manage webhook subscriptions and inspect their deliveries")
  )
