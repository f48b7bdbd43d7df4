/**
 * Renders and checks replies, asks models for replies, and sends replies or stores them as drafts. The decision about a
 * reply does not belong here (`domain/reply/DecideReply.ts`). Tests: `packages/core/test/workflow/reply`,
 * `packages/testkit/src/suite/pipeline`.
 */
import { Effect } from "effect"
import { type Budget, runCooperatively } from "../../domain/budget/Budget.ts"
import type { Cause } from "../../domain/reason/Reason.ts"
import type { ProposedReply } from "../../domain/reply/DecideReply.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { type RenderSettings, type ReplyContext, ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { checkingRendered } from "./CheckReply.ts"

/** Returns the first word of a name, for a greeting. */
export const firstName = (name: string | null): string | null => name?.trim().split(/\s+/u)[0] ?? null

/** Returns the variables that templates of rules can use. */
export const templateContext = ({
  contact,
  message,
  tenant
}: Pick<RunSubject, "tenant"> & {
  readonly contact: Pick<RunSubject["contact"], "email" | "name">
  readonly message: Pick<RunSubject["message"], "body" | "subject">
}): ReplyContext => ({
  contact: { name: contact.name, first_name: firstName(contact.name), email: contact.email },
  tenant: { name: tenant.name },
  message: { subject: message.subject, body: message.body }
})

/** Returns the settings for rendering a template in a run. */
export const renderSettings = (
  { now, tenant }: Pick<RunSubject, "now" | "tenant">,
  budget: Budget
): RenderSettings => ({
  now,
  timeZone: tenant.config.timeZone,
  budget
})

/**
 * Renders the reply of a rule, and checks the data that contacts have inserted. Returns the reason when there is no
 * reply.
 */
export const renderReply = Effect.fnUntraced(function* (
  subject: RunSubject,
  { ruleId, template }: { readonly ruleId: string; readonly template: string },
  budget: Budget
) {
  const { tenant } = subject
  const templates = yield* ReplyTemplates
  const rendered = yield* templates
    .render(template, templateContext(subject), renderSettings(subject, budget))
    .pipe(
      Effect.catchTag("TemplateInvalid", ({ reason }) =>
        Effect.succeed({ code: "template_failed", detail: reason } satisfies Cause)
      )
    )
  if (typeof rendered !== "string") return rendered
  if (rendered === "") return { code: "template_empty", ruleId } satisfies Cause
  const from = { template, domain: tenant.domain, linkHosts: tenant.config.assistant.linkHosts }
  const concerns = yield* runCooperatively(checkingRendered(rendered, from, budget), budget)
  const reply: ProposedReply = { text: rendered, concerns, source: { code: "from_template", ruleId } }
  return reply
})
