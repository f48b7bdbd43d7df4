import { Effect } from "effect"
import { visibleLine } from "../../email/VisibleText.ts"
import { ReplyTemplates } from "../../port/ReplyTemplates.ts"
import type { RunTarget } from "./RunTarget.ts"
import { templateContext } from "./WriteReply.ts"

/** Whether a text of a rule says anything but itself. */
export const isTemplate = (text: string): boolean => text.includes("{{") || text.includes("{%")

/** Why an action has no text: its template cannot be rendered, or came out empty or too long. */
export interface NoLine {
  readonly outcome: "skipped"
  readonly reason: string
}

const noLine = (reason: string): NoLine => ({ outcome: "skipped", reason })

/**
 * A title, tag or assignee of a rule: rendered where it is a template, on one line, of at most `maxLength` characters. A
 * title that is longer is cut (`cut`); a name that is longer would be another one, so the action is skipped.
 */
export const renderLine = Effect.fnUntraced(function* (
  target: RunTarget,
  text: string,
  { cut, maxLength }: { readonly maxLength: number; readonly cut: boolean }
) {
  if (!isTemplate(text)) return text
  const { now, tenant } = target
  const { timeZone } = tenant.config
  const rendered = yield* (yield* ReplyTemplates)
    .render(text, templateContext(target), { now, timeZone })
    .pipe(Effect.mapError(({ reason }) => noLine(reason)))
  const line = visibleLine(rendered).trim()
  if (line === "") return yield* Effect.fail(noLine("its template came out empty"))
  if (line.length <= maxLength) return line
  return cut
    ? line.slice(0, maxLength).toWellFormed().trim()
    : yield* Effect.fail(noLine(`its template came out longer than ${maxLength} characters`))
})
