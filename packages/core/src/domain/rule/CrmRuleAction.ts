import { Schema } from "effect"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** The fields of all CRM actions. */
const common = {
  type: Schema.Literal("crm_action").annotate({
    description:
      "Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created"
  }),
  /**
   * The location in which the operation is carried out. By default, the location in which the contact is already
   * linked; without a link, the first location in which the app is installed.
   */
  location_id: Schema.optionalKey(text(128)).annotate({
    description:
      "The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed"
  })
}

/**
 * An operation on the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is
 * created.
 */
export const CrmRuleAction = Schema.Union([
  Schema.Struct({
    ...common,
    action: Schema.Literals(["add_tag", "remove_tag"]).annotate({ description: "Adds or removes a tag" }),
    tag: text(64).annotate({ description: "The tag; at most 64 characters" })
  }),
  /** `body` is a template. */
  Schema.Struct({
    ...common,
    action: Schema.Literal("add_note").annotate({ description: "Adds a note" }),
    body: text(2_000).annotate({ description: "A template of the note" })
  }),
  Schema.Struct({
    ...common,
    action: Schema.Literal("create_task").annotate({ description: "Creates a task" }),
    title: text(200).annotate({ description: "The title of the task" }),
    /** A template of the body. */
    body: Schema.optionalKey(text(2_000)).annotate({ description: "A template of the body. Default: no body" }),
    /** Minutes from now, at most a year. The default is a day, because the CRM requires a due date. */
    due_in_minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 }))).annotate({
      description:
        "The due time in minutes from now, at most a year. Default: a day, because the CRM requires a due date"
    })
  }),
  Schema.Struct({
    ...common,
    action: Schema.Literal("add_to_workflow").annotate({ description: "Adds the contact to a workflow" }),
    workflow_id: text(128).annotate({ description: "The CRM's id of the workflow" })
  }),
  /** Copies these fields of the contact to the CRM. If a field of the contact is empty, the CRM's value stays. */
  Schema.Struct({
    ...common,
    action: Schema.Literal("update_contact").annotate({
      description: "Copies fields of the contact to the CRM. If a field of the contact is empty, the CRM's value stays"
    }),
    fields: Schema.NonEmptyArray(Schema.Literals(["name", "email", "phone"]))
      .check(Schema.isMaxLength(3))
      .annotate({ description: "The fields to copy" })
  })
]).annotate({
  identifier: "CrmRuleAction",
  description: "An operation on the contact's record in the tenant's CRM. `action` selects its fields"
})
export type CrmRuleAction = typeof CrmRuleAction.Type
