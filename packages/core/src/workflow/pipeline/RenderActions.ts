import { Effect } from "effect"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { type Budget, within } from "../../domain/budget/Budget.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import { actionLine, renderLine } from "./RenderLine.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { type Rendered, renderSettings, templateContext, type RequestedAction } from "../reply/WriteReply.ts"

/** Characters of one text to partner applications or to the CRM; what is longer is cut and says so. */
export const maxActionText = 10_000

/** The body template of an action. The reply is written apart, and titles, tags and assignees are lines. */
const templateOf = (action: Action): string | null => {
  if (action.type === "notify") return action.message
  return action.type === "crm_action" && "body" in action && action.body !== undefined ? action.body : null
}

const renderBody = Effect.fnUntraced(function* (subject: RunSubject, template: string, budget: Budget) {
  const settings = { ...renderSettings(subject, budget), maxCharacters: maxActionText }
  const rendered: Rendered = yield* (yield* ReplyTemplates).render(template, templateContext(subject), settings).pipe(
    Effect.map((text) => (text === "" ? { failure: "its template came out empty" } : { text })),
    Effect.catchTag("TemplateInvalid", ({ reason }) => Effect.succeed({ failure: reason }))
  )
  return rendered
})

const renderAction = Effect.fnUntraced(function* (subject: RunSubject, wanted: RequestedAction, budget: Budget) {
  const line = actionLine(wanted.action)
  const rendered = line === null ? null : yield* renderLine(subject, line, budget)
  if (rendered !== null && "failure" in rendered) return { ...wanted, rendered } satisfies RequestedAction
  const action = line === null || rendered === null ? wanted.action : line.withText(rendered.text)
  const template = templateOf(action)
  if (template === null) return { ...wanted, action } satisfies RequestedAction
  return { ...wanted, action, rendered: yield* renderBody(subject, template, budget) } satisfies RequestedAction
})

/**
 * Renders the templates of all actions of a run, from the message and the contact as they were when it began. Part of the
 * decision, so that it costs the same when it is only shown, and nothing is written before all of it fits the budget.
 */
export const renderActions = Effect.fnUntraced(function* (
  subject: RunSubject,
  wanted: ReadonlyArray<RequestedAction>,
  budget: Budget
) {
  yield* within(() => budget.act(wanted.length))
  const rendered: Array<RequestedAction> = []
  for (const each of wanted) {
    rendered.push(yield* renderAction(subject, each, budget))
    yield* budget.pause
  }
  return rendered
})
