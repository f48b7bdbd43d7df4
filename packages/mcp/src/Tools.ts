import type { Right, Tool } from "./Tool.ts"
import { getConversation, getMessage, listConversations } from "./tool/Conversations.ts"
import { getLead, listLeads, listStages, moveLead, transitionLead, updateLead } from "./tool/Leads.ts"
import { approveDraft, sendMessage, writeDraft } from "./tool/Messages.ts"
import { backtestRule, listRules } from "./tool/Rules.ts"
import { dryRunMessage, explainRun } from "./tool/Runs.ts"
import { searchContacts, searchConversations } from "./tool/Search.ts"
import { completeTask, listTasks } from "./tool/Tasks.ts"

/** All tools in the order in which clients list them. */
export const tools: ReadonlyArray<Tool> = [
  searchContacts,
  searchConversations,
  listConversations,
  getConversation,
  getMessage,
  listLeads,
  getLead,
  listStages,
  listTasks,
  explainRun,
  dryRunMessage,
  listRules,
  backtestRule,
  writeDraft,
  sendMessage,
  approveDraft,
  updateLead,
  transitionLead,
  moveLead,
  completeTask
]

/**
 * Returns whether a caller with these rights may use the tool. Unknown tools need no right, because they do not exist.
 */
export const isOffered = (name: string, held: ReadonlySet<Right>): boolean =>
  tools.every((tool) => tool.name !== name || tool.rights.every((right) => held.has(right)))
