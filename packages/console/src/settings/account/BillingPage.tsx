import type { BillingStatus, CappedUsage, CreditTransaction, Usage } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type Connection, useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { useMay } from "../../app/Permissions.ts"
import { rowsOptions, ShownRows, useRows } from "../../app/Rows.tsx"
import { Facts } from "../../component/Facts.tsx"
import { Empty, Page, Section } from "../../component/Page.tsx"
import { type Column, Table } from "../../component/Table.tsx"
import { longTime } from "../../design/Time.ts"
import { accountText } from "../../text/Account.ts"
import type { Action } from "../Listing.ts"
import { PageActions } from "../PageActions.tsx"
import { optionOf } from "../Values.ts"

const { billing: shown } = accountText

/** The start of the keys of all responses on this page. */
const noun = "billing"

const timeOrNull = (time: string | null): string | null => (time === null ? null : longTime(time))

const activate: Action = {
  label: shown.activate,
  message: shown.activateNote,
  operation: "billing.activate",
  fields: [{ name: "plan", label: shown.plan, options: shown.paidPlans }],
  send: async ({ client, tenantId }, { plan }) => {
    const { checkout } = await client.billing.activate({ plan: optionOf(shown.paidPlans, plan) }, { tenantId })
    if (checkout !== null) location.assign(checkout.url)
    return null
  }
}

const buyCredits: Action = {
  label: shown.buy,
  message: shown.leaveNote,
  operation: "billing.checkout",
  fields: [{ name: "credits", label: shown.credits, type: "number" }],
  send: async ({ client, tenantId }, { credits }) => {
    location.assign((await client.billing.checkout({ credits: Number(credits) }, { tenantId })).url)
    return null
  }
}

const portal: Action = {
  label: shown.portal,
  message: shown.leaveNote,
  operation: "billing.portal",
  send: async ({ client, tenantId }) => {
    location.assign((await client.billing.portal({ tenantId })).url)
    return null
  }
}

/** A provider takes payments only if the deployment has one. */
const actionsOf = ({ provider }: BillingStatus): ReadonlyArray<Action> =>
  provider === "local" ? [activate] : [activate, buyCredits, portal]

const factsOf = (status: BillingStatus) =>
  [
    [shown.plan, shown.plans[status.plan]],
    [shown.state, shown.states[status.status]],
    [shown.trialEnds, timeOrNull(status.trial_ends_at)],
    [shown.periodEnds, timeOrNull(status.current_period_end)],
    [shown.graceEnds, timeOrNull(status.grace_ends_at)],
    [shown.credits, status.credits]
  ] as const

interface CappedProps {
  readonly label: string
  readonly usage: CappedUsage
}

const Capped = ({ label, usage: { cap, used } }: CappedProps) => (
  <p>
    {shown.used(label, used, cap)} <meter aria-label={label} min={0} max={cap} value={used} />
  </p>
)

const UsageFacts = ({ usage }: { readonly usage: Usage }) => (
  <>
    <Capped label={shown.actions} usage={usage.actions} />
    <Capped label={shown.modelCalls} usage={usage.ai_calls} />
    <p>{shown.tokens(usage.ai_tokens.input, usage.ai_tokens.output)}</p>
  </>
)

const UsageSection = ({ client, tenantId }: Connection) => {
  const usage = useQuery({
    queryKey: [tenantId, noun, "usage"],
    queryFn: ({ signal }) => client.usage.get(tenantId, { signal })
  })
  return (
    <Section title={shown.usage}>
      <Loaded query={usage}>{(data) => <UsageFacts usage={data} />}</Loaded>
    </Section>
  )
}

const columns: ReadonlyArray<Column<CreditTransaction>> = [
  { header: shown.time, cell: ({ created_at: time }) => longTime(time) },
  { header: shown.kind, cell: ({ kind }) => shown.kinds[kind] },
  { header: shown.amount, cell: ({ amount }) => amount, isNumeric: true },
  { header: shown.balance, cell: ({ balance }) => balance, isNumeric: true, isDetail: true },
  { header: shown.note, cell: ({ note, reference }) => note ?? reference, isDetail: true }
]

const Transactions = ({ client, tenantId }: Connection) => {
  const list = useRows(
    rowsOptions([tenantId, noun, "transactions"], async (cursor, signal) => {
      const page = await client.billing.transactions({ tenantId, cursor, signal })
      return { rows: page.transactions, next: page.next_cursor }
    })
  )
  return (
    <Section title={shown.transactions}>
      <ShownRows list={list} empty={<Empty>{shown.noTransactions}</Empty>}>
        {(rows) => (
          <Table
            label={shown.transactions}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </Section>
  )
}

/** The plan of the tenant, its usage in this month, and its credits. */
export const BillingPage = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const maySeeUsage = useMay("usage.get")
  const status = useQuery({
    queryKey: [tenantId, noun, "status"],
    queryFn: ({ signal }) => client.billing.status({ tenantId, signal })
  })
  const onDone = () => void queries.invalidateQueries({ queryKey: [tenantId, noun] })
  return (
    <Page
      title={shown.title}
      actions={status.data === undefined ? undefined : <PageActions actions={actionsOf(status.data)} onDone={onDone} />}
    >
      <Section title={shown.plan}>
        <Loaded query={status}>{(data) => <Facts facts={factsOf(data)} />}</Loaded>
      </Section>
      {maySeeUsage ? <UsageSection {...connection} /> : null}
      <Transactions {...connection} />
    </Page>
  )
}
