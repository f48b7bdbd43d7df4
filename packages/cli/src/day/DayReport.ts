import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import type { Counts, DaySummary, TenantSummary } from "./Summary.ts"

const total = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const parts = (counts: Counts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none"

const nights = ({ held_for_the_night: { left_at: times, texts } }: TenantSummary): string => {
  if (texts === 0) return "none"
  const [first, last] = [times[0] ?? "", times.at(-1) ?? ""]
  return `${texts}, sent at ${first === last ? first : `${first} to ${last}`}`
}

const deliveries = ({ events: { delivered, repeated, unverified, written } }: TenantSummary): string =>
  `${delivered} of ${written} delivered, ${repeated} repeated, ${unverified} unverified`

/** The rows of the table. Each tenant has one column. */
const rows: ReadonlyArray<readonly [name: string, of: (tenant: TenantSummary) => string]> = [
  ["time zone", (one) => one.time_zone],
  ["contacts", (one) => String(one.contacts)],
  ["messages in", (one) => String(total(one.messages_in))],
  ...["email", "sms", "voice", "chat", "webhook"].map(
    (channel) => [`  ${channel}`, (one: TenantSummary) => String(one.messages_in[channel] ?? 0)] as const
  ),
  ["duplicates stored once", (one) => String(one.copies)],
  ["messages out", (one) => parts(one.messages_out)],
  ["automatic replies", (one) => String(one.automatic_replies)],
  ["deferred at night", nights],
  ["STOP, START", ({ opt_outs: { start, stop } }) => `${stop}, ${start}`],
  ["numbers blocked", (one) => String(one.blocked_numbers)],
  ["leads by tier", (one) => parts(one.leads_by_tier)],
  ["leads by state", (one) => parts(one.leads_by_state)],
  ["drafts", (one) => parts(one.drafts)],
  ["tasks", (one) => parts(one.tasks)],
  ["events", deliveries]
]

const listed = (tenants: ReadonlyArray<TenantSummary>, of: (tenant: TenantSummary) => Counts): string =>
  tenants
    .flatMap((tenant) =>
      Object.entries(of(tenant)).map(([name, count]) => `  ${tenant.tenant_id}  ${count} × ${name}\n`)
    )
    .join("")

/** Formats the result as tables, followed by the inconsistencies. */
export const renderDay = (paint: Terminal["style"], summary: DaySummary): string => {
  const { problems, seed, tenants, wall_seconds: seconds } = summary
  const columns = rows.map(([name, of]) => [name, ...tenants.map(of)])
  const verdict =
    problems.length === 0
      ? paint("green", "Consistent: all checks passed.")
      : [paint("red", `${problems.length} problems found:`), ...problems.slice(0, 20)].join("\n  ")
  return `${table(["", ...tenants.map((one) => one.tenant_id)], columns)}
${paint("bold", "Calls")}
${listed(tenants, (one) => one.calls)}
${paint("bold", "Rejected actions of agents")}
${listed(tenants, (one) => one.refused)}
From ${summary.began} to ${summary.ended} in ${seconds} s (seed ${seed}).
${verdict}
`
}
