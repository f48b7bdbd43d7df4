// Reply templates in Liquid, within the budget of a pipeline run. Guardrails are in core. Tests:
// `packages/connectors/test/templates`.
import {
  type CannedReplyContext,
  cutText,
  maxTemplateBody,
  type RenderSettings,
  type ReplyContext,
  ReplyTemplates,
  TemplateInvalid
} from "@leadloom/core/internal/port/provider/ReplyTemplates"
import { runCooperatively, type Pieces } from "@leadloom/core/internal/domain/budget/Budget"
import { Effect, Layer } from "effect"
import type { Template } from "liquidjs"
import { maxTemplateLength, makeMeteredEngine, type MeteredEngine } from "./MeteredEngine.ts"

/**
 * The maximum number of cached templates, which together have at most 10 MB of text. When it is reached, the template
 * that was used least recently is removed.
 */
const keptTemplates = 500

/**
 * The cost of parsing in steps per character. A cached template costs the same, so that a replay uses as many steps as
 * the original run.
 */
const parseSteps = 16

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)

/** Returns a parser that caches its templates. */
const makeParser = (engine: MeteredEngine): ((template: string) => Array<Template>) => {
  const kept = new Map<string, Array<Template>>()
  return (template) => {
    const parsed = kept.get(template) ?? engine.parse(template)
    kept.delete(template)
    kept.set(template, parsed)
    const oldest = kept.size > keptTemplates ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    return parsed
  }
}

/** Limits the length of the customer's message, because the cost of a filter grows with it. */
const bounded = (context: ReplyContext | CannedReplyContext): ReplyContext | CannedReplyContext =>
  "message" in context
    ? { ...context, message: { ...context.message, body: cutText(context.message.body, maxTemplateBody) } }
    : context

/** Provides reply templates in Liquid (Shopify's template language) with liquidjs. */
export const layer: Layer.Layer<ReplyTemplates> = Layer.sync(ReplyTemplates, () => {
  const engine = makeMeteredEngine()
  const parse = makeParser(engine)
  const tooLong = (template: string): string | null =>
    template.length > maxTemplateLength ? `A template has at most ${maxTemplateLength} characters.` : null
  const check = (template: string): string | null => {
    const long = tooLong(template)
    if (long !== null) return long
    try {
      engine.parse(template)
      return null
    } catch (cause) {
      return `Not a valid Liquid template: ${reasonOf(cause)}`
    }
  }
  const variables = (template: string): ReadonlyArray<string> =>
    check(template) === null ? engine.variables(template) : []
  const rendering = function* (
    template: string,
    context: ReplyContext | CannedReplyContext,
    { budget, maxCharacters = Infinity, now, timeZone }: RenderSettings
  ): Pieces<string | TemplateInvalid> {
    try {
      budget.spend(parseSteps * template.length)
      const to = { budget, now, timeZone, max: maxCharacters }
      const rendered = yield* engine.render(parse(template), bounded(context), to)
      const text = cutText(rendered, maxCharacters).trim()
      budget.write(text.length)
      return text
    } catch (cause) {
      const exceeded = budget.exceeded()
      if (exceeded !== null) throw exceeded
      return new TemplateInvalid({ reason: reasonOf(cause) })
    }
  }
  const render = Effect.fnUntraced(function* (
    template: string,
    context: ReplyContext | CannedReplyContext,
    settings: RenderSettings
  ) {
    const long = tooLong(template)
    if (long !== null) return yield* new TemplateInvalid({ reason: long })
    const text = yield* runCooperatively(rendering(template, context, settings), settings.budget)
    return text instanceof TemplateInvalid ? yield* text : text
  })
  return ReplyTemplates.of({ check, variables, render })
})
