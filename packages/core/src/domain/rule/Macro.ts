import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { MacroId } from "../Id.ts"
import { type Action, Rule } from "./Rule.ts"

/** The maximum number of macros of one tenant. */
export const maxMacros = 200

/** Several actions under one name, which a person carries out in a conversation. */
export class Macro extends Schema.Opaque<Macro>()(
  Schema.Struct({
    macroId: MacroId.annotate({ description: "Macro id (`mac_…`)" }),
    tenantId: Schema.String,
    name: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
      description: "A name for people; at most 200 characters"
    }),
    actions: Rule.fields.actions,
    createdAt: Time.annotate({ description: "The time of creation (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The fields of a macro that a person sets. */
export type MacroFields = Pick<Macro, "name" | "actions">

/** Returns whether an action has a meaning only in the run of a message. A macro cannot contain such an action. */
export const needsRun = ({ type }: Action): boolean =>
  type === "reply" ||
  type === "forward" ||
  type === "call_webhook" ||
  type === "send_template" ||
  type === "suppress_reply" ||
  type === "stop"

/** The tenant has no such macro. */
export class MacroNotFound extends TaggedError("MacroNotFound")<{ readonly macroId: string }> {}

/** The tenant already has `maxMacros` macros. */
export class MacroLimitReached extends TaggedError("MacroLimitReached")<{ readonly limit: number }> {}

/** A macro cannot be saved. `issues` names the fields. */
export class MacroInvalid extends TaggedError("MacroInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
