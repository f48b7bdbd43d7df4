import { type RenderedAt, type ReplyContext, ReplyTemplates, TemplateInvalid } from "@leadloom/core/port/ReplyTemplates"
import { Effect, Layer } from "effect"
import { Liquid } from "liquidjs"

/** Longest template that is read, in characters. */
const longestTemplate = 20_000

/** The moment that a template is rendered at: there is no other `now`, and no other zone that dates are shown in. */
interface Moment {
  at: RenderedAt
}

const dateFilters = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"]

/** Makes `now` and `today` the moment of the render. */
const keepTime = (engine: Liquid, moment: Moment): void => {
  for (const name of dateFilters) {
    const known = engine.filters[name]
    if (typeof known !== "function") throw new Error(`liquidjs has no filter ${name}`)
    engine.registerFilter(name, function (value: unknown, ...more: ReadonlyArray<unknown>): unknown {
      return known.call(this, value === "now" || value === "today" ? new Date(moment.at.now) : value, ...more)
    })
  }
}

/**
 * Liquid, closed in: no files, no partials, no filters of the host, no chance, and bounds on what a template may cost. A
 * tenant's template is a tenant's code.
 */
const makeEngine = (moment: Moment): Liquid => {
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
  delete engine.filters["sample"]
  keepTime(engine, moment)
  return engine
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Reply templates in Liquid (Shopify's template language), by liquidjs. */
export const layer: Layer.Layer<ReplyTemplates> = Layer.sync(ReplyTemplates, () => {
  const moment: Moment = { at: { now: 0, timeZone: "UTC" } }
  const engine = makeEngine(moment)
  const check = (template: string): string | null => {
    if (template.length > longestTemplate) return `A template has at most ${longestTemplate} characters.`
    try {
      engine.parse(template)
      return null
    } catch (cause) {
      return `Not a Liquid template: ${reasonOf(cause)}`
    }
  }
  const render = (template: string, context: ReplyContext, at: RenderedAt) =>
    Effect.suspend(() => {
      const wrong = check(template)
      if (wrong !== null) return Effect.fail(new TemplateInvalid({ reason: wrong }))
      return Effect.try({
        // Nothing else is rendered meanwhile: it is done when it returns.
        try: () => {
          moment.at = at
          engine.options.timezoneOffset = at.timeZone
          return String(engine.parseAndRenderSync(template, context)).trim()
        },
        catch: (cause) => new TemplateInvalid({ reason: reasonOf(cause) })
      })
    })
  return ReplyTemplates.of({ check, render })
})
