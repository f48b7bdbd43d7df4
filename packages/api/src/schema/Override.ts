import { overridableReasons } from "@leadloom/core/internal/domain/consent/Override"
import { Schema } from "effect"

const Reasons = Schema.Array(Schema.Literals(overridableReasons))

/**
 * The request field for sending one message despite reasons against it. Only an authorised person may use the field.
 */
export const Override = {
  override: Schema.optionalKey(
    Reasons.check(Schema.isMaxLength(overridableReasons.length)).annotate({
      description:
        "The reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key"
    })
  )
}

/** The record of the overridden reasons and of the person who overrode them. */
export const SendReceipt = Schema.Struct({
  verdict: Schema.Literal("allow").annotate({ description: "Always `allow`" }),
  overridden: Reasons.annotate({ description: "The reasons against sending that were overridden" }),
  by: Schema.String.annotate({ description: "The caller who overrode the reasons, for example user:<subject>" })
}).annotate({
  identifier: "SendReceipt",
  description: "The record of a message that a person sent despite reasons against it"
})

/** The response field of a message with overridden reasons. */
export const Receipt = { receipt: Schema.optionalKey(SendReceipt) }
