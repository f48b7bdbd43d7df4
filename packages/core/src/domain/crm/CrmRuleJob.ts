import type { ContactId, LeadId, SignalId } from "../Id.ts"

/** What a rule wants done in the CRM, with everything in it that is known when the rule runs. */
export type CrmOperation =
  | { readonly action: "add_tag" | "remove_tag"; readonly tag: string }
  | { readonly action: "add_note"; readonly body: string }
  /** `dueAt` in epoch milliseconds. */
  | { readonly action: "create_task"; readonly title: string; readonly body: string | null; readonly dueAt: number }
  | { readonly action: "add_to_workflow"; readonly workflowId: string }
  | { readonly action: "update_contact"; readonly fields: ReadonlyArray<"name" | "email" | "phone"> }

/** Something that a rule wants done in the CRM for one contact. */
export interface CrmRuleJob {
  readonly kind: "crm_action"
  readonly ruleId: string
  readonly signalId: SignalId
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  /** Null: where the contact is known already, else the first that lets us in. */
  readonly locationId: string | null
  readonly operation: CrmOperation
  /** Somebody has begun to do it, and what is done twice is there twice. */
  readonly begun: boolean
}

/** For how long it is tried while the CRM does not answer or does not let us in: then a person is asked. */
export const crmRetryWindowMillis = 24 * 3_600_000

/** Whether it may be done twice: it is the same afterwards. */
export const mayRepeat = ({ action }: CrmOperation): boolean =>
  action === "add_tag" || action === "remove_tag" || action === "update_contact"

/** An operation in a few words, for people. */
export const operationText = (operation: CrmOperation): string => {
  switch (operation.action) {
    case "add_tag":
      return `add the tag ${operation.tag}`
    case "remove_tag":
      return `remove the tag ${operation.tag}`
    case "add_note":
      return "add a note"
    case "create_task":
      return `create the task ${operation.title}`
    case "add_to_workflow":
      return `add to the workflow ${operation.workflowId}`
    case "update_contact":
      return `update ${operation.fields.join(", ")}`
  }
}
