import { Schema } from "effect"
import { isEmail, normalizeEmail } from "../../address/Address.ts"

/** The maximum number of addresses to which an action forwards a mail. */
export const maxForwardRecipients = 5

/** The maximum number of emails of one contact that rules forward in 24 hours. It limits what one sender can cause. */
export const maxForwardsPerContact = 20

/** Forwards the email of the rule. */
export const Forward = Schema.Struct({
  type: Schema.Literal("forward").annotate({
    description:
      "Forwards the email with its attachments to other people, from the account that received it. The mail is marked as automatic and opens a thread of its own. A rule can have it once. Only for rules that react to messages"
  }),
  to: Schema.NonEmptyArray(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(254)))
    .check(Schema.isMaxLength(maxForwardRecipients))
    .annotate({
      description:
        "1 to 5 email addresses. An address of the tenant or of the contact is refused when the rule runs, because the mail would come back"
    }),
  body: Schema.optionalKey(Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(10_000))).annotate({
    description: "A template of the text above the forwarded email. Default: none"
  })
})
export type Forward = typeof Forward.Type

/** An error in an action. */
interface Issue {
  readonly path: string
  readonly message: string
}

const isForward = (action: { readonly type: string }): action is Forward => action.type === "forward"

const addressIssues = ({ to }: Forward, path: string): ReadonlyArray<Issue> => {
  const known = new Set<string>()
  return to.flatMap((written, place): ReadonlyArray<Issue> => {
    const email = normalizeEmail(written)
    const issue = (message: string) => [{ path: `${path}.to.${place}`, message }]
    if (!isEmail(email)) return issue("This is not an email address. Enter one address, without a name.")
    if (known.has(email)) return issue("The address is listed twice. Remove it.")
    known.add(email)
    return []
  })
}

/** Returns the errors in the actions `forward` of a rule. */
export const checkForwards = ({
  actions
}: {
  readonly actions: ReadonlyArray<{ readonly type: string }>
}): ReadonlyArray<Issue> => {
  const forwards = [...actions.entries()].flatMap(([position, action]) =>
    isForward(action) ? [{ action, path: `actions.${position}` }] : []
  )
  return forwards.flatMap(({ action, path }, index) => [
    ...(index === 0 ? [] : [{ path: `${path}.type`, message: "A rule can have this action once. Remove it." }]),
    ...addressIssues(action, path)
  ])
}
