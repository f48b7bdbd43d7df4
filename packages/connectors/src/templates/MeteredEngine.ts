import { type Budget, unlimited } from "@leadloom/core/pipeline/budget/Budget"
import {
  Context,
  defaultOperators,
  type Emitter,
  evalToken,
  ForTag,
  Liquid,
  type Operators,
  TablerowTag,
  type Template,
  toValueSync,
  TypeGuards
} from "liquidjs"

/** Longest template that is read, in characters. */
export const longestTemplate = 20_000

/**
 * Memory that one template may ask for, in the engine's own units: characters and elements. Deterministic, and a bound on
 * what the budget lets pass in one go.
 */
const memoryLimit = 1_000_000

/** What a render spends and writes, and the moment it is at. One is under way at a time, because rendering is synchronous. */
interface Render {
  budget: Budget
  /** Epoch milliseconds: there is no other `now`. */
  now: number
  /** Steps for each tag or text of the template. */
  stepsPerNode: number
}

/** Steps of a call of a filter, of each character and of each element of an array that it is given. */
const stepsPerCall = 16
const stepsPerCharacter = 16
const stepsPerElement = 64

/** Filters that copy text by machine code. The others replace, split or encode it, at up to 80 ns a character. */
const fastFilters: ReadonlySet<string> = new Set([
  "append",
  "at_least",
  "at_most",
  "capitalize",
  "default",
  "downcase",
  "first",
  "last",
  "lstrip",
  "prepend",
  "raw",
  "rstrip",
  "size",
  "slice",
  "strip",
  "truncate",
  "upcase"
])
const fastStepsPerCharacter = 2

/** Filters that format dates, by `Intl`: about 25 µs for each field of the format. */
const dateFilters = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"]
const stepsPerDateField = 5_000

/** Filters that evaluate an expression or follow a path for each element. */
const filterSteps = (name: string, values: ReadonlyArray<unknown>): number => {
  const perCharacter = fastFilters.has(name) ? fastStepsPerCharacter : stepsPerCharacter
  let characters = 0
  let elements = 0
  for (const value of values) {
    if (typeof value === "string") characters += value.length
    else if (Array.isArray(value)) elements += value.length
  }
  return stepsPerCall + characters * perCharacter + elements * (stepsPerElement + characters)
}

const dateSteps = (format: unknown): number =>
  stepsPerDateField * (1 + (typeof format === "string" ? format.split("%").length : 0))

/** Makes every filter pay before it works, and `now` and `today` the moment of the render. */
const meterFilters = (engine: Liquid, render: Render): void => {
  for (const [name, known] of Object.entries(engine.filters)) {
    const handler = typeof known === "function" ? known : known.handler
    const isDate = dateFilters.includes(name)
    const metered: typeof handler = function (value: unknown, ...more: ReadonlyArray<unknown>): unknown {
      render.budget.spend(filterSteps(name, [value, ...more]) + (isDate ? dateSteps(more[0]) : 0))
      const moment = isDate && (value === "now" || value === "today") ? new Date(render.now) : value
      return handler.call(this, moment, ...more)
    }
    engine.registerFilter(name, typeof known === "function" ? metered : { ...known, handler: metered })
  }
}

const sizeOf = (value: unknown): number => (typeof value === "string" || Array.isArray(value) ? value.length : 1)

/** The operators, each of which pays for the values that it compares or looks through. */
const meteredOperators = (render: Render): Operators =>
  Object.fromEntries(
    Object.entries(defaultOperators).map(([name, known]) => [
      name,
      (left: unknown, right: unknown, context: Context) => {
        render.budget.spend(stepsPerCall + sizeOf(left) + sizeOf(right))
        return Reflect.apply(known, undefined, [left, right, context])
      }
    ])
  )

/** Loops pay for what they go through also where their body is empty. */
const meterLoops = (engine: Liquid, render: Render): void => {
  const pay = function* (token: ForTag["collection"], context: Context): Generator<unknown, void, unknown> {
    // A range pays for its memory when it is made, and only once: it is not made here.
    const collection = TypeGuards.isRangeToken(token) ? null : yield evalToken(token, context)
    render.budget.spend(stepsPerCall + (Array.isArray(collection) ? collection.length * stepsPerCall : 0))
  }
  engine.registerTag(
    "for",
    class extends ForTag {
      override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
        yield* pay(this.collection, context)
        return yield* super.render(context, emitter)
      }
    }
  )
  engine.registerTag(
    "tablerow",
    class extends TablerowTag {
      override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
        yield* pay(this.collection, context)
        return yield* super.render(context, emitter)
      }
    }
  )
}

/** As the engine makes text of a value. */
const textOf = (value: unknown): string => {
  const plain: unknown = typeof value === "object" && value !== null ? value.valueOf() : value
  if (plain === null || plain === undefined) return ""
  return Array.isArray(plain) ? plain.map(textOf).join("") : String(plain)
}

/** Thrown when a text is as long as it may get: the rest of the template is not rendered. */
class Full extends Error {}

/** Collects what is written. Every character is paid for, and no more than `max` of them are kept. */
class MeteredEmitter implements Emitter {
  buffer = ""
  readonly #render: Render
  readonly #max: number
  constructor(render: Render, max: number) {
    this.#render = render
    this.#max = max
  }
  write(value: unknown): void {
    const text = textOf(value)
    this.#render.budget.spend(1 + text.length)
    this.buffer += text
    if (this.buffer.length > this.#max) throw new Full(`A text is longer than ${this.#max} characters.`)
  }
}

/** A context in which what the engine says of its memory is paid for, too. */
const meteredContext = (engine: Liquid, render: Render, values: object): Context => {
  const context = new Context(values, engine.options, { sync: true }, { liquid: engine })
  const limiter = context.memoryLimit
  const use = limiter.use.bind(limiter)
  limiter.use = (count) => {
    if (Number(count) > 0) render.budget.spend(2 * Number(count))
    use(count)
  }
  return context
}

/** A template, read. */
export interface Parsed {
  readonly templates: Array<Template>
  readonly length: number
}

/** How a template is rendered: `max` is the number of characters after which the rest is left out. */
export interface RenderTo {
  readonly budget: Budget
  readonly now: number
  readonly timeZone: string
  readonly max: number
}

/** A closed Liquid engine. */
export interface MeteredEngine {
  readonly parse: (template: string) => Parsed
  /** What was rendered, up to a little more than `max` characters. Throws whatever the template does. */
  readonly render: (parsed: Parsed, context: object, to: RenderTo) => string
}

/**
 * Liquid without files, partials, chance and time, in which everything pays into the budget of the run: a tenant's template
 * is a tenant's code. The engine's own limit of time is not used, since the same template would fail on a busy machine and
 * pass on an idle one.
 */
export const makeMeteredEngine = (): MeteredEngine => {
  const render: Render = { budget: unlimited(), now: 0, stepsPerNode: 0 }
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    parseLimit: longestTemplate,
    memoryLimit,
    operators: meteredOperators(render)
  })
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag]
  delete engine.filters["sample"]
  meterFilters(engine, render)
  meterLoops(engine, render)
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  // Everything that renders goes through here: templates, branches, bodies of loops and what is captured.
  renderer.renderTemplates = (templates, context, emitter) => {
    render.budget.spend(stepsPerCall + templates.length * render.stepsPerNode)
    return renderTemplates(templates, context, emitter ?? new MeteredEmitter(render, memoryLimit))
  }
  return {
    parse: (template) => ({ templates: engine.parse(template), length: template.length }),
    render: ({ length, templates }, context, { budget, max, now, timeZone }) => {
      render.budget = budget
      render.now = now
      // A tag may hold as many branches as the template has room for.
      render.stepsPerNode = stepsPerCall + (length >>> 1)
      engine.options.timezoneOffset = timeZone
      const emitter = new MeteredEmitter(render, max)
      try {
        toValueSync(renderer.renderTemplates(templates, meteredContext(engine, render, context), emitter))
      } catch (cause) {
        if (emitter.buffer.length <= max) throw cause
      }
      return emitter.buffer
    }
  }
}
