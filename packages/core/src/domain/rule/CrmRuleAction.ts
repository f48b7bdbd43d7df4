import { Schema } from "effect"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** What every one of them says. */
const common = {
  type: Schema.Literal("crm_action"),
  /** Absent: the location where the contact is known already, else the tenant's first one. */
  location_id: Schema.optionalKey(text(128))
}

/** Changes the contact of the CRM that stands for the contact of the message; made there where there is none. */
export const CrmRuleAction = Schema.Union([
  Schema.Struct({ ...common, action: Schema.Literals(["add_tag", "remove_tag"]), tag: text(64) }),
  /** `body` is a template. */
  Schema.Struct({ ...common, action: Schema.Literal("add_note"), body: text(2_000) }),
  Schema.Struct({
    ...common,
    action: Schema.Literal("create_task"),
    title: text(200),
    /** A template. */
    body: Schema.optionalKey(text(2_000)),
    /** Minutes from now, at most a year; absent: a day, because the CRM has no task without a date. */
    due_in_minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 })))
  }),
  Schema.Struct({ ...common, action: Schema.Literal("add_to_workflow"), workflow_id: text(128) }),
  /** Tells the CRM what we know of the contact, in these fields; what we do not know is left alone there. */
  Schema.Struct({
    ...common,
    action: Schema.Literal("update_contact"),
    fields: Schema.NonEmptyArray(Schema.Literals(["name", "email", "phone"])).check(Schema.isMaxLength(3))
  })
]).annotate({ identifier: "CrmRuleAction" })
export type CrmRuleAction = typeof CrmRuleAction.Type
