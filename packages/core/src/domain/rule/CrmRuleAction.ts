import { Schema } from "effect"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** The fields of all CRM actions. */
const common = {
  type: Schema.Literal("crm_action"),
  /**
   * The location in which the operation is carried out. By default, the location in which the contact is already
   * linked; without a link, the first location in which the app is installed.
   */
  location_id: Schema.optionalKey(text(128))
}

/**
 * An operation on the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is
 * created.
 */
export const CrmRuleAction = Schema.Union([
  Schema.Struct({ ...common, action: Schema.Literals(["add_tag", "remove_tag"]), tag: text(64) }),
  /** `body` is a template. */
  Schema.Struct({ ...common, action: Schema.Literal("add_note"), body: text(2_000) }),
  Schema.Struct({
    ...common,
    action: Schema.Literal("create_task"),
    title: text(200),
    /** A template of the body. */
    body: Schema.optionalKey(text(2_000)),
    /** Minutes from now, at most a year. The default is a day, because the CRM requires a due date. */
    due_in_minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 })))
  }),
  Schema.Struct({ ...common, action: Schema.Literal("add_to_workflow"), workflow_id: text(128) }),
  /** Copies these fields of the contact to the CRM. If a field of the contact is empty, the CRM's value stays. */
  Schema.Struct({
    ...common,
    action: Schema.Literal("update_contact"),
    fields: Schema.NonEmptyArray(Schema.Literals(["name", "email", "phone"])).check(Schema.isMaxLength(3))
  })
]).annotate({ identifier: "CrmRuleAction" })
export type CrmRuleAction = typeof CrmRuleAction.Type
