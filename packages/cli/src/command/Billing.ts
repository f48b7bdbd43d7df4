import type { BillingStatus } from "@leadloom/client"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"

interface TenantOption {
  readonly tenant: string
}

const ofTenant = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption("--tenant <id>", "tenant of the billing account")

const format = (billing: BillingStatus): string =>
  propertyTable([
    ["tenant", billing.tenant_id],
    ["plan", billing.plan],
    ["status", billing.status],
    [
      "paid",
      billing.provider === "local"
        ? "payments are disabled; change the plan with leadloom billing activate"
        : (billing.subscribed_plan ?? "no plan yet")
    ],
    ["period ends", billing.current_period_end ?? "-"],
    ["cancelled", billing.cancel_at_period_end ? "at the end of the period" : "no"],
    ["grace ends", billing.grace_ends_at ?? "-"],
    ["credits", String(billing.credits)]
  ])

const status = (terminal: Terminal): Command =>
  ofTenant("status", "show the billing account and the current plan of a tenant").action(
    action<TenantOption>(terminal, async ({ connection, options, show }) => {
      const found = await adminClient(connection).billing.status({ tenantId: options.tenant })
      show(found, () => format(found))
    })
  )

type PaidPlan = "starter" | "growth" | "scale"

const activate = (terminal: Terminal): Command =>
  ofTenant("activate", "choose a plan; prints the payment page when the plan needs a payment first")
    .addOption(new Option("--plan <plan>", "the plan").choices(["starter", "growth", "scale"]))
    .action(
      action<TenantOption & { readonly plan?: PaidPlan }>(terminal, async ({ connection, options, show }) => {
        const { plan, tenant: tenantId } = options
        const found = await adminClient(connection).billing.activate({ plan }, { tenantId })
        const { billing, checkout } = found
        show(found, () => (checkout === null ? format(billing) : `Pay first: ${checkout.url}\n`))
      })
    )

const list = (terminal: Terminal): Command =>
  ofTenant("list", "list credits and debits, newest first")
    .option("--limit <n>", "maximum number of entries", wholeNumber(1, 100), 20)
    .action(
      action<TenantOption & { readonly limit: number }>(terminal, async ({ connection, options, show }) => {
        const { limit, tenant: tenantId } = options
        const found = await adminClient(connection).billing.transactions({ tenantId, limit })
        show(found, () =>
          found.transactions.length === 0
            ? "No credits. Grant credits with leadloom billing credits grant.\n"
            : table(
                ["WHEN", "KIND", "AMOUNT", "BALANCE", "REFERENCE"],
                found.transactions.map((line) => [
                  line.created_at,
                  line.kind,
                  String(line.amount),
                  String(line.balance),
                  line.reference
                ])
              )
        )
      })
    )

interface GrantOptions extends TenantOption {
  readonly amount: number
  readonly reference: string
  readonly note?: string
}

const grant = (terminal: Terminal): Command =>
  ofTenant("grant", "grant credits to a tenant; a repeated reference grants them only once")
    .requiredOption("--amount <n>", "number of credits", wholeNumber(1, 1_000_000_000))
    .requiredOption("--reference <text>", "reason for the credits, such as a contract or ticket number")
    .option("--note <text>", "note for other operators")
    .action(
      action<GrantOptions>(terminal, async ({ connection, options, show }) => {
        const { amount, note, reference, tenant } = options
        const line = await adminClient(connection).billing.grant(tenant, { amount, reference, note })
        show(line, () => `${tenant} has ${line.balance} credits after ${line.reference}.\n`)
      })
    )

/** `leadloom billing`: the plans, payments and credits of tenants. */
export const billingCommand = (terminal: Terminal): Command =>
  new Command("billing")
    .description("show and choose plans, and grant credits")
    .addCommand(status(terminal))
    .addCommand(activate(terminal))
    .addCommand(
      new Command("credits")
        .description("list and grant credits")
        .addCommand(list(terminal))
        .addCommand(grant(terminal))
    )
