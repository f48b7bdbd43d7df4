import { Schema } from "effect"
import { sendFields } from "../../sequence/StepText.ts"

/** Sends a text or a canned reply to the contact, as a step of a sequence. */
export const SendTemplate = Schema.Struct({
  type: Schema.Literal("send_template").annotate({
    description:
      "Sends a text or a canned reply to the contact, as a sequence with one step: with its limits, quiet hours and opt-outs. A rule can have it once. Only for rules with another trigger than `message_received`"
  }),
  ...sendFields,
  body: Schema.optionalKey(sendFields.body).annotate({
    description: "The template of the text, with the variables of sequences. Exactly one of `body` and `canned_reply`"
  }),
  canned_reply: Schema.optionalKey(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(64))).annotate({
    description: "The id of the canned reply (`can_…`) whose text is sent, as it is when the rule runs"
  })
})
export type SendTemplate = typeof SendTemplate.Type

/** A rule with its actions. */
interface Acting {
  readonly actions: ReadonlyArray<{ readonly type: string }>
}

/** An error in an action. */
interface Issue {
  readonly path: string
  readonly message: string
}

const isSending = (action: { readonly type: string }): action is SendTemplate => action.type === "send_template"

/** Returns the errors in the actions `send_template` of a rule. `isQueued`: the rule has another trigger than messages. */
export const checkSendTemplates = ({ actions }: Acting, isQueued: boolean): ReadonlyArray<Issue> => {
  const sending = [...actions.entries()].flatMap(([position, action]) =>
    isSending(action) ? [{ action, path: `actions.${position}` }] : []
  )
  return sending.flatMap(({ action, path }, index): ReadonlyArray<Issue> => {
    const { body, canned_reply: cannedReply, channel, fallback = [] } = action
    const issues: Array<Issue> = []
    if (!isQueued)
      issues.push({ path: `${path}.type`, message: "A rule that reacts to messages cannot have it. Use reply." })
    if (index > 0) issues.push({ path: `${path}.type`, message: "A rule can have this action once. Remove it." })
    if ((body === undefined) === (cannedReply === undefined))
      issues.push({ path: `${path}.body`, message: "Send either body or canned_reply." })
    if (fallback.some((other) => other.channel === channel))
      issues.push({ path: `${path}.fallback`, message: `The action already uses ${channel}. Choose another channel.` })
    return issues
  })
}
