import { Effect } from "effect"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import { type Budget, within } from "../../domain/budget/Budget.ts"
import { visibleLine } from "../../domain/email/VisibleText.ts"
import type { Action, Rendered, RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { renderSettings, templateContext } from "../reply/RenderReply.ts"

/**
 * The maximum length of a line, in characters. `cut` is true if a longer line is cut. A name is never cut, because a
 * shorter name is another name; a longer one fails instead.
 */
interface LineLimit {
  readonly maxLength: number
  readonly cut: boolean
}

/** A single-line field of an action: a title, tag or assignee. */
interface Line extends LineLimit {
  readonly template: string
  /** Returns the action with the rendered text in place of its template. */
  readonly withText: (text: string) => Action
}

/** The limits of a tag, an assignee and a task title. */
const tag: LineLimit = { maxLength: 64, cut: false }
const assignee: LineLimit = { maxLength: 200, cut: false }
const title: LineLimit = { maxLength: 200, cut: true }

/** Returns the single-line field of an action. Returns null when the action has none. */
const actionLine = (action: Action): Line | null => {
  switch (action.type) {
    case "tag":
    case "untag":
      return { ...tag, template: action.tag, withText: (text) => ({ ...action, tag: text }) }
    case "assign":
      return { ...assignee, template: action.to, withText: (text) => ({ ...action, to: text }) }
    case "create_task":
      return action.title === undefined
        ? null
        : { ...title, template: action.title, withText: (text) => ({ ...action, title: text }) }
    case "crm_action":
      if (action.action === "add_tag" || action.action === "remove_tag") {
        return { ...tag, template: action.tag, withText: (text) => ({ ...action, tag: text }) }
      }
      return action.action === "create_task"
        ? { ...title, template: action.title, withText: (text) => ({ ...action, title: text }) }
        : null
    default:
      return null
  }
}

const isTemplate = (text: string): boolean => text.includes("{{") || text.includes("{%")

const noText: Rendered = { failure: "its template rendered an empty text" }

const fitted = (rendered: string, { cut, maxLength }: LineLimit): Rendered => {
  const text = visibleLine(rendered).trim()
  if (text === "") return noText
  if (text.length <= maxLength) return { text }
  return cut
    ? { text: text.slice(0, maxLength).toWellFormed().trim() }
    : { failure: `its template rendered more than ${maxLength} characters` }
}

/**
 * The maximum length of a text for partner applications or the CRM, in characters. A longer text is cut, and ends with
 * a mark.
 */
export const maxActionText = 10_000

/**
 * Returns the template of an action's body. Replies are rendered in another step. Titles, tags and assignees are
 * single-line fields.
 */
const templateOf = (action: Action): string | null => {
  if (action.type === "notify") return action.message
  if (action.type === "add_note") return action.body
  if (action.type === "forward") return action.body ?? null
  return action.type === "crm_action" && "body" in action && action.body !== undefined ? action.body : null
}

/** The values that templates of actions use. */
export interface RenderSubject extends Pick<RunSubject, "now" | "tenant"> {
  readonly contact: Pick<RunSubject["contact"], "email" | "name">
  readonly message: Pick<RunSubject["message"], "body" | "subject">
}

/**
 * Renders the single-line field of an action, then its body. A text that contains no template syntax does not change.
 */
const renderAction = Effect.fnUntraced(function* (subject: RenderSubject, wanted: RequestedAction, budget: Budget) {
  const templates = yield* ReplyTemplates
  const settings = renderSettings(subject, budget)
  const render = (template: string, limits: { readonly maxCharacters?: number }, fit: (text: string) => Rendered) =>
    templates.render(template, templateContext(subject), { ...settings, ...limits }).pipe(
      Effect.map(fit),
      Effect.catchTag("TemplateInvalid", ({ reason }) => Effect.succeed<Rendered>({ failure: reason }))
    )
  let { action } = wanted
  const line = actionLine(action)
  if (line !== null && isTemplate(line.template)) {
    const rendered = yield* render(line.template, {}, (text) => fitted(text, line))
    if ("failure" in rendered) return { ...wanted, rendered } satisfies RequestedAction
    action = line.withText(rendered.text)
  }
  const template = templateOf(action)
  if (template === null) return { ...wanted, action } satisfies RequestedAction
  const rendered = yield* render(template, { maxCharacters: maxActionText }, (text) =>
    text === "" ? noText : { text }
  )
  return { ...wanted, action, rendered } satisfies RequestedAction
})

/**
 * Renders the templates of all actions with the message and the contact at the start of the run. Rendering is part of
 * the decision. A dry run therefore has the same cost, and nothing is written unless all texts fit the budget.
 */
export const renderActions = Effect.fnUntraced(function* (
  subject: RenderSubject,
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
