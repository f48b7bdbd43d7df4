/**
 * The texts of responses for people: tables and cards with at most 80 columns. Requests do not belong here. Operations
 * without an entry print JSON. Tests: `packages/cli/test/format`.
 */
import type { Operations } from "@leadloom/client"
import {
  formatContact,
  formatContactDetail,
  formatContacts,
  formatEnrichedContacts,
  formatSearch,
  formatTimeline
} from "./Contacts.ts"
import { formatConversation, formatConversations, formatLeadConversation } from "./Conversations.ts"
import { formatCalls, formatLead, formatLeads, formatScores, formatTask, formatTasks } from "./Leads.ts"
import {
  formatAudit,
  formatErasure,
  formatErasures,
  formatEvaluations,
  formatGuardrails,
  formatGuardStats,
  formatUsage
} from "./Records.ts"
import { formatBatches, formatBatchProgress, formatRuns } from "./Runs.ts"

/** A function that formats the response of an operation. */
type Format<Method> = Method extends (...args: never) => Promise<infer Result> ? (result: Result) => string : never

/** The formats by group and operation. The client determines the types of the responses. */
type Formats = {
  readonly [Group in keyof Operations]?: {
    readonly [Name in keyof Operations[Group]]?: Format<Operations[Group][Name]>
  }
}

const formats: Formats = {
  audit: { list: formatAudit, listDeployment: formatAudit },
  batches: { get: formatBatchProgress, list: formatBatches },
  calls: { list: formatCalls },
  contacts: {
    archive: formatContact,
    create: formatContact,
    get: formatContact,
    list: formatContacts,
    restore: formatContact,
    update: formatContact
  },
  contactViews: { detail: formatContactDetail, enriched: formatEnrichedContacts, timeline: formatTimeline },
  conversations: { get: formatConversation, list: formatConversations },
  dataRights: { erase: formatErasure, listErasures: formatErasures },
  guardrails: { active: formatGuardrails, audit: formatEvaluations, stats: formatGuardStats },
  leads: {
    conversation: formatLeadConversation,
    create: formatLead,
    find: formatLead,
    get: formatLead,
    list: formatLeads,
    listScores: formatScores,
    move: formatLead,
    transition: formatLead,
    update: formatLead
  },
  pipeline: { listRuns: formatRuns },
  search: { search: formatSearch },
  tasks: { callbacks: formatTasks, list: formatTasks, update: formatTask },
  usage: { get: formatUsage, set: formatUsage }
}

/** Returns the format of an operation such as `leads.list`; undefined if it has none. */
export const formatOf = (operationId: string): ((response: unknown) => string) | undefined => {
  const [group = "", name = ""] = operationId.split(".")
  const found: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = formats
  // `Formats` checks the type of each function against the response of its operation.
  return found[group]?.[name] as ((response: unknown) => string) | undefined
}
