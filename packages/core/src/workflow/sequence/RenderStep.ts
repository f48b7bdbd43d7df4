import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { ChannelText } from "../../domain/sequence/StepText.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { User } from "../../domain/user/User.ts"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { makeUnsubscribeLink } from "../sending/MakeUnsubscribeLink.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { cannedContext, filledIn } from "../reply/RenderCannedReply.ts"
import { renderSettings } from "../reply/RenderReply.ts"

/** The message of a step with the values of a contact. */
export interface RenderedStep {
  readonly body: string
  readonly subject: string | null
  /** The variables without a value. The text has nothing in their place. */
  readonly missing: ReadonlyArray<string>
}

/** The people whose values a message contains. */
export interface StepParties {
  readonly tenant: Tenant
  readonly contact: Contact
  /** The user who enrolled the contact. */
  readonly user: User | null
}

/** Renders the message of a step on a channel. Returns the reason if its templates cannot be rendered. Run it outside of units. */
export const renderStep = Effect.fnUntraced(function* (
  { contact, tenant, user }: StepParties,
  { body, channel, subject }: Pick<ChannelText, "body" | "channel" | "subject">,
  now: number
) {
  const templates = yield* ReplyTemplates
  const { contactId, email } = contact
  const link =
    channel === "email" && email !== null
      ? yield* makeUnsubscribeLink({ tenantId: tenant.tenantId, contactId, email })
      : null
  const people = cannedContext(tenant, contact, user)
  const context = { ...people, contact: { ...people.contact, unsubscribe_url: link } }
  const render = (template: string) =>
    runBudgeted(tenant.tenantId, (budget) =>
      templates.render(template, context, renderSettings({ now, tenant }, budget))
    )
  const filled = filledIn(context)
  const used = new Set([body, subject ?? ""].flatMap((template) => templates.variables(template)))
  return yield* Effect.gen(function* () {
    const rendered: RenderedStep = {
      body: yield* render(body),
      subject: subject === null ? null : yield* render(subject),
      missing: [...used].filter((name) => !filled.has(name))
    }
    return rendered.body.trim() === "" ? "the template gives no text" : rendered
  }).pipe(Effect.catchTag(["TemplateInvalid", "BudgetExceeded"], ({ reason }) => Effect.succeed(reason)))
})
