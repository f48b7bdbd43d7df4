import { Effect } from "effect"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { type Budget, within } from "../../domain/budget/Budget.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import { actionLine, renderLine } from "./RenderLine.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { type Rendered, renderSettings, templateContext, type RequestedAction } from "../reply/WriteReply.ts"

/** The maximum characters of a text for partner applications or the CRM. A longer text is cut and marked as cut. */
export const maxActionText = 10_000

/** Returns the body template of an action. Replies are rendered separately; titles, tags and assignees are lines. */
const templateOf = (action: Action): string | null => {
  if (action.type === "notify") return action.message
  return action.type === "crm_action" && "body" in action && action.body !== undefined ? action.body : null
}

const renderBody = Effect.fnUntraced(function* (subject: RunSubject, template: string, budget: Budget) {
  const settings = { ...renderSettings(subject, budget), maxCharacters: maxActionText }
  const rendered: Rendered = yield* (yield* ReplyTemplates).render(template, templateContext(subject), settings).pipe(
    Effect.map((text) => (text === "" ? { failure: "its template rendered an empty text" } : { text })),
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
 * Renders the templates of all actions with the message and contact at the start of the run. Rendering is part of the
 * decision: a dry run has the same cost, and nothing is written unless everything fits the budget.
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
