import type { CallPage, Lead, LeadPage, LeadScorePage, Task, TaskPage } from "@leadloom/client"
import { card, day, joined, listing, minute, paragraph } from "./Text.ts"

type Factors = Lead["factors"]

const factorsText = (factors: Factors): string =>
  factors.map(({ name, points }) => `${name} ${points > 0 ? "+" : ""}${points}`).join(", ")

/** Formats the value of a deal with the decimals of its currency: `USD 12,500.00`. The API counts its smallest unit. */
const valueText = ({ currency, value }: Lead): string | null => {
  if (value === null || currency === null) return null
  const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" })
  return format.format(value / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0)).replaceAll("\u00A0", " ")
}

const ownerOf = ({ assignee, assignee_id, team_id }: Lead): string => joined(assignee_id ?? assignee, team_id)

/** Formats the deal of a lead below its line in the table. */
const dealText = (lead: Lead): string => {
  const owner = ownerOf(lead)
  const place = `stage ${lead.stage_id} in ${lead.pipeline_id}`
  return paragraph(joined(valueText(lead), place, owner === "" ? null : `owner ${owner}`))
}

/** Formats leads, one line each, and their deals below. */
export const formatLeads = ({ leads }: LeadPage): string => {
  const [header = "", ...lines] = listing(
    "No leads.",
    [["LEAD", 31], ["STATE", 9], ["TIER", 8], ["ACTIVE", 10], ["SUBJECT"]],
    leads.map(({ id, last_message_at, score, state, subject, tier }) => [
      id,
      state,
      tier === null ? null : `${tier} ${score}`,
      day(last_message_at),
      subject
    ])
  ).split("\n")
  return [header, ...leads.flatMap((lead, row) => [lines[row] ?? "", dealText(lead)]), ""].join("\n")
}

/** Formats one lead. */
export const formatLead = (lead: Lead): string =>
  card([
    ["lead", lead.id],
    ["contact", lead.contact_id],
    ["subject", lead.subject],
    ["state", lead.state],
    ["score", joined(lead.score, lead.tier)],
    ["factors", factorsText(lead.factors)],
    ["intent", joined(lead.classification?.intent, lead.classification?.urgency)],
    ["summary", lead.classification?.summary],
    ["stage", `${lead.stage_id} in ${lead.pipeline_id}`],
    ["value", valueText(lead)],
    ["expected close", lead.expected_close_on],
    ["loss reason", lead.loss_reason],
    ["tags", lead.tags.join(", ")],
    ["owner", ownerOf(lead)],
    ["source", `${lead.source}, ${lead.channel}`],
    ["created", minute(lead.created_at)],
    ["last message", minute(lead.last_message_at)],
    ["merged into", lead.merged_into]
  ])

/** Formats the scores of a lead, one per line. */
export const formatScores = ({ scores }: LeadScorePage): string =>
  listing(
    "No scores.",
    [["TIME (UTC)", 16], ["SCORE", 5], ["TIER", 4], ["FACTORS"]],
    scores.map(({ created_at, factors, score, tier }) => [minute(created_at), score, tier, factorsText(factors)])
  )

/** Formats tasks, one per line. */
export const formatTasks = ({ tasks }: TaskPage): string =>
  listing(
    "No tasks.",
    [["TASK", 31], ["PRIORITY", 8], ["DUE", 10], ["TITLE"]],
    tasks.map(({ due_at, id, priority, title }) => [id, priority, day(due_at), title])
  )

/** Formats one task. */
export const formatTask = (task: Task): string =>
  card([
    ["task", task.id],
    ["title", task.title],
    ["type", task.type.replaceAll("_", " ")],
    ["status", task.status],
    ["priority", task.priority],
    ["contact", task.contact_id],
    ["lead", task.lead_id],
    ["due", task.due_at === null ? null : minute(task.due_at)],
    ["snoozed until", task.snooze_until === null ? null : minute(task.snooze_until)],
    ["disposition", task.disposition]
  ])

/** Formats calls, one per line. */
export const formatCalls = ({ calls }: CallPage): string =>
  listing(
    "No calls.",
    [["TIME (UTC)", 16], ["DIRECTION", 9], ["STATUS", 11], ["SECONDS", 7], ["CONTACT"]],
    calls.map(({ contact_id, direction, duration_seconds, started_at, status }) => [
      minute(started_at),
      direction,
      status.replaceAll("_", " "),
      duration_seconds,
      contact_id
    ])
  )
