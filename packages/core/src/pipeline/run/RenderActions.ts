import { Effect } from "effect"
import { ReplyTemplates } from "../../port/ReplyTemplates.ts"
import { type Budget, within } from "../budget/Budget.ts"
import type { Action } from "../rule/Rule.ts"
import type { RunSubject } from "./RunSubject.ts"
import { type Rendered, renderSettings, templateContext, type WantedAction } from "./WriteReply.ts"

/** Characters of one text to partner applications or to the CRM; what is longer is cut and says so. */
export const maxActionText = 10_000

/** The template of an action that is carried out, but for the reply, which is written apart. */
const templateOf = (action: Action): string | null => {
  if (action.type === "notify") return action.message
  return action.type === "crm_action" && "body" in action && action.body !== undefined ? action.body : null
}

/**
 * Renders the templates of all actions of a run, from the message and the contact as they were when it began. Part of the
 * decision, so that it costs the same when it is only shown, and nothing is written before all of it fits the budget.
 */
export const renderActions = Effect.fnUntraced(function* (
  subject: RunSubject,
  wanted: ReadonlyArray<WantedAction>,
  budget: Budget
) {
  const templates = yield* ReplyTemplates
  yield* within(() => budget.act(wanted.length))
  const rendered: Array<WantedAction> = []
  for (const each of wanted) {
    const template = templateOf(each.action)
    if (template === null) {
      rendered.push(each)
      continue
    }
    const settings = { ...renderSettings(subject, budget), maxCharacters: maxActionText }
    const outcome: Rendered = yield* templates.render(template, templateContext(subject), settings).pipe(
      Effect.map((text) => (text === "" ? { failure: "its template came out empty" } : { text })),
      Effect.catchTag("TemplateInvalid", ({ reason }) => Effect.succeed({ failure: reason }))
    )
    rendered.push({ ...each, rendered: outcome })
    yield* budget.pause
  }
  return rendered
})
