import { addTag } from "./AddTag.ts"
import { createOrUpdateContact } from "./CreateOrUpdateContact.ts"
import { createTask } from "./CreateTask.ts"
import { runPipeline } from "./RunPipeline.ts"
import { scoreLead } from "./ScoreLead.ts"
import { sendMessage } from "./SendMessage.ts"

/** Every action that a workflow of the CRM may ask for, by its key. */
export const crmActions = {
  create_or_update_contact: createOrUpdateContact,
  add_tag: addTag,
  score_lead: scoreLead,
  run_pipeline: runPipeline,
  send_message: sendMessage,
  create_task: createTask
} as const

/** The key of an action. */
export type CrmActionKey = keyof typeof crmActions

/** Whether there is an action of this key. */
export const isCrmAction = (key: string): key is CrmActionKey => Object.hasOwn(crmActions, key)
