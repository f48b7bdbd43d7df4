import { Effect } from "effect"
import { visibleLine } from "../../domain/email/VisibleText.ts"
import { ReplyTemplates } from "../../port/provider/ReplyTemplates.ts"
import type { Budget } from "../../domain/budget/Budget.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { type Rendered, renderSettings, templateContext } from "../reply/WriteReply.ts"

/**
 * The maximum length of a line in characters; `cut` tells whether a longer one is cut. A name is never cut, because a
 * shorter name is a different one.
 */
interface LineLimit {
  readonly maxLength: number
  readonly cut: boolean
}

/** A single-line field of an action: a title, tag or assignee. */
interface Line extends LineLimit {
  readonly template: string
  /** Returns the action with the rendered line instead of its template. */
  readonly withText: (text: string) => Action
}

/** The maximum lengths of a tag, an assignee and a task title. */
const tag: LineLimit = { maxLength: 64, cut: false }
const assignee: LineLimit = { maxLength: 200, cut: false }
const title: LineLimit = { maxLength: 200, cut: true }

/** Returns the line of an action, or null when it has none. */
export const actionLine = (action: Action): Line | null => {
  switch (action.type) {
    case "tag":
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

const fitted = (rendered: string, { cut, maxLength }: LineLimit): Rendered => {
  const text = visibleLine(rendered).trim()
  if (text === "") return { failure: "its template rendered an empty text" }
  if (text.length <= maxLength) return { text }
  return cut
    ? { text: text.slice(0, maxLength).toWellFormed().trim() }
    : { failure: `its template rendered more than ${maxLength} characters` }
}

/** Renders a title, tag or assignee on one line, or returns the failure. Text without a template stays unchanged. */
export const renderLine = Effect.fnUntraced(function* (subject: RunSubject, line: Line, budget: Budget) {
  if (!isTemplate(line.template)) return { text: line.template } satisfies Rendered
  const rendered: Rendered = yield* (yield* ReplyTemplates)
    .render(line.template, templateContext(subject), renderSettings(subject, budget))
    .pipe(
      Effect.map((text) => fitted(text, line)),
      Effect.catchTag("TemplateInvalid", ({ reason }) => Effect.succeed({ failure: reason }))
    )
  return rendered
})
