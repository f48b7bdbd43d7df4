import { overridableReasons } from "@leadloom/core/domain/consent/Override"
import { Schema } from "effect"

const Reasons = Schema.Array(Schema.Literals(overridableReasons))

/** The request field by which a permitted person lets one message out that a reason speaks against. */
export const Override = {
  override: Schema.optionalKey(
    Reasons.check(Schema.isMaxLength(overridableReasons.length)).annotate({
      description:
        "Reasons to set aside for this message alone. Needs the role manager or higher, or the operator's admin key"
    })
  )
}

/** What was set aside so that a message could go, and who did it. */
export const SendReceipt = Schema.Struct({
  verdict: Schema.Literal("allow"),
  overridden: Reasons,
  by: Schema.String.annotate({ description: "The caller who set them aside, for example user:<subject>" })
}).annotate({ identifier: "SendReceipt" })

/** The response field that is there where something was set aside. */
export const Receipt = { receipt: Schema.optionalKey(SendReceipt) }
