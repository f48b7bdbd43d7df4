import type { CallPage, Lead, LeadPage, LeadScorePage, Task, TaskPage } from "@leadloom/client"
import { card, day, joined, listing, minute } from "./Text.ts"

type Factors = Lead["factors"]

const factorsText = (factors: Factors): string =>
  factors.map(({ name, points }) => `${name} ${points > 0 ? "+" : ""}${points}`).join(", ")

/** Formats leads, one per line. */
export const formatLeads = ({ leads }: LeadPage): string =>
  listing(
    "No leads.",
    [["LEAD", 31], ["STATE", 9], ["TIER", 8], ["ACTIVE", 10], ["SUBJECT"]],
    leads.map(({ id, last_message_at, score, state, subject, tier }) => [
      id,
      state,
      tier === null ? null : `${tier} ${score}`,
      day(last_message_at),
      subject
    ])
  )

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
    ["assignee", lead.assignee],
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
