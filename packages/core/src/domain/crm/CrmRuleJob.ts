import type { ContactId, LeadId, SignalId } from "../Id.ts"

/** An operation that a rule requests in the CRM. All its values were determined in the run. */
export type CrmOperation =
  | { readonly action: "add_tag" | "remove_tag"; readonly tag: string }
  | { readonly action: "add_note"; readonly body: string }
  /** `dueAt` in epoch milliseconds. */
  | { readonly action: "create_task"; readonly title: string; readonly body: string | null; readonly dueAt: number }
  | { readonly action: "add_to_workflow"; readonly workflowId: string }
  | { readonly action: "update_contact"; readonly fields: ReadonlyArray<"name" | "email" | "phone"> }

/** A job that carries out one CRM operation of a rule for one contact. */
export interface CrmRuleJob {
  readonly kind: "crm_action"
  readonly ruleId: string
  /** Null if a macro requests the operation. */
  readonly signalId: SignalId | null
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  /**
   * Null selects the location in which the contact is already linked. If there is none, it selects the first installed
   * location.
   */
  readonly locationId: string | null
  readonly operation: CrmOperation
  /**
   * True after the first attempt has started. From then on, a retry of an operation that is not idempotent could
   * duplicate the operation.
   */
  readonly begun: boolean
}

/** The period of retries while the CRM is unavailable or denies access. After this period, a task asks a person. */
export const crmRetryWindowMillis = 24 * 3_600_000

/** Returns whether an operation is idempotent. */
export const mayRepeat = ({ action }: CrmOperation): boolean =>
  action === "add_tag" || action === "remove_tag" || action === "update_contact"

/** Describes an operation for people. */
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
