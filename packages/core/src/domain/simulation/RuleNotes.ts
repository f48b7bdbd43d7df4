import { comparisonsOf } from "../rule/Condition.ts"
import type { QueuedTrigger } from "../rule/Trigger.ts"
import type { Rule } from "../rule/Rule.ts"

/** Facts whose earlier values are not stored. A simulation compares the present ones. */
const withoutHistory: ReadonlySet<string> = new Set([
  "contact.name",
  "contact.email",
  "contact.phone",
  "contact.company",
  "contact.language",
  "company.name",
  "company.domain",
  "conversation.priority",
  "conversation.tags",
  "conversation.assignee_id",
  "conversation.team_id",
  "lead.assignee",
  "lead.assignee_id",
  "lead.team_id",
  "lead.pipeline_id"
])

const hasHistory = (fact: string): boolean => !withoutHistory.has(fact) && !fact.startsWith("company.custom_fields.")

/** What a simulation cannot know about the past of a trigger. */
const noteOfTrigger = (trigger: QueuedTrigger): string | null => {
  switch (trigger.type) {
    case "manual":
      return "Only the real runs of the rule are causes, because a simulation does not know for which contacts a person would have started it."
    case "schedule":
      return "The segment has its present members, because earlier members are not stored. A firing examines at most 2,000 of them."
    case "task_due":
      return "Each task has its present due time, because earlier due times are not stored. Deleted tasks are missing."
    case "tag_added":
    case "tag_removed":
    case "field_changed":
    case "date_reached":
      return "Changes of tags and custom fields are known from the time at which the server began to record them in timelines. Imports, merges and the CRM cause no runs."
    case "link_opened":
      return "Links in emails from more than 90 days before the period are missing."
    default:
      return null
  }
}

/** Returns what a simulation of a rule cannot know, as sentences. Empty if it knows everything. */
export const notesOf = ({ when }: Pick<Rule, "when">, trigger: QueuedTrigger): ReadonlyArray<string> => {
  const facts = [...new Set(comparisonsOf(when).map(({ fact }) => fact))].filter((fact) => !hasHistory(fact))
  const note = noteOfTrigger(trigger)
  return [
    ...(note === null ? [] : [note]),
    ...(facts.length === 0 ? [] : [`Earlier values are not stored, so the present ones count: ${facts.join(", ")}.`])
  ]
}
