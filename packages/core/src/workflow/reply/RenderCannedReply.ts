import { Clock, Effect } from "effect"
import { CannedReplyInvalid } from "../../domain/reply/CannedReply.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { User } from "../../domain/user/User.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type CannedReplyContext, ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { CannedReplies } from "../../port/repository/conversation/CannedReplies.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"
import { firstName, renderSettings } from "./RenderReply.ts"

/** A canned reply with the values of a contact. */
export interface RenderedCannedReply {
  readonly text: string
  readonly subject: string | null
  /** The variables of the template without a value. The text has nothing in their place. */
  readonly missing: ReadonlyArray<string>
}

/** Returns the variables that the templates of people can use. */
export const cannedContext = (tenant: Tenant, contact: Contact, user: User | null): CannedReplyContext => ({
  contact: {
    name: contact.name,
    first_name: firstName(contact.name),
    email: contact.email,
    phone: contact.phone,
    company: contact.company
  },
  tenant: { name: tenant.name },
  user: { name: user?.name ?? null, email: user?.email ?? null }
})

/** Returns the names of all variables that have a value. */
export const filledIn = (context: CannedReplyContext): ReadonlySet<string> =>
  new Set(
    Object.entries(context).flatMap(([noun, fields]) =>
      Object.entries(fields).flatMap(([field, value]) => (value === null || value === "" ? [] : [`${noun}.${field}`]))
    )
  )

/** Renders a canned reply of the acting user for a contact, and counts the use. Sends nothing. */
export const renderCannedReply = Effect.fnUntraced(function* (
  tenant: Tenant,
  cannedReplyId: string,
  contactId: string
) {
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const replies = yield* CannedReplies
  const templates = yield* ReplyTemplates
  const { body, subject } = yield* replies.get(tenantId, cannedReplyId)
  const context = cannedContext(tenant, yield* requireUnmergedContact(tenantId, contactId), yield* ActingUser)
  const render = (path: string, template: string) =>
    runBudgeted(tenantId, (budget) =>
      templates.render(template, context, renderSettings({ now, tenant }, budget))
    ).pipe(
      Effect.catchTag(["TemplateInvalid", "BudgetExceeded"], ({ reason }) =>
        Effect.fail(new CannedReplyInvalid({ issues: [{ path, message: reason }] }))
      )
    )
  const rendered = {
    text: yield* render("body", body),
    subject: subject === null ? null : yield* render("subject", subject)
  }
  const filled = filledIn(context)
  const used = new Set([body, subject ?? ""].flatMap((template) => templates.variables(template)))
  yield* (yield* Transactions).atomically(tenantId, replies.countUse(tenantId, cannedReplyId, now))
  const result: RenderedCannedReply = { ...rendered, missing: [...used].filter((name) => !filled.has(name)) }
  return result
}, withSpan("renderCannedReply"))
