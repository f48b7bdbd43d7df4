import { type ReplyContext, ReplyTemplates, TemplateInvalid } from "@leadloom/core/port/ReplyTemplates"
import { Effect, Layer } from "effect"
import { Liquid } from "liquidjs"

/** Longest template that is read, in characters. */
const longestTemplate = 20_000

/**
 * Liquid, closed in: no files, no partials, no filters of the host, and bounds on what a template may cost. A tenant's
 * template is a tenant's code.
 */
const makeEngine = (): Liquid => {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    parseLimit: longestTemplate,
    renderLimit: 50,
    memoryLimit: 1_000_000,
    cache: 500
  })
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag]
  return engine
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Reply templates in Liquid (Shopify's template language), by liquidjs. */
export const layer: Layer.Layer<ReplyTemplates> = Layer.sync(ReplyTemplates, () => {
  const engine = makeEngine()
  const check = (template: string): string | null => {
    if (template.length > longestTemplate) return `A template has at most ${longestTemplate} characters.`
    try {
      engine.parse(template)
      return null
    } catch (cause) {
      return `Not a Liquid template: ${reasonOf(cause)}`
    }
  }
  const render = (template: string, context: ReplyContext) =>
    Effect.suspend(() => {
      const wrong = check(template)
      if (wrong !== null) return Effect.fail(new TemplateInvalid({ reason: wrong }))
      return Effect.try({
        try: () => String(engine.parseAndRenderSync(template, context)).trim(),
        catch: (cause) => new TemplateInvalid({ reason: reasonOf(cause) })
      })
    })
  return ReplyTemplates.of({ check, render })
})
