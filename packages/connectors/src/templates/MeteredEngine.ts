import { type Budget, type Pieces, unlimited } from "@leadloom/core/internal/domain/budget/Budget"
import {
  CaseTag,
  Context,
  defaultOperators,
  type Emitter,
  evalToken,
  ForTag,
  IfTag,
  Liquid,
  type Operators,
  TablerowTag,
  type Template,
  TypeGuards,
  UnlessTag
} from "liquidjs"

/** The maximum length of a template in characters. */
export const maxTemplateLength = 20_000

/**
 * The memory limit of one template, in the engine's own units (characters and elements). Unlike a limit in bytes, it is
 * deterministic. It also limits the cost of a single operation.
 */
const memoryLimit = 1_000_000

/**
 * The state of the current render. All renders of an engine share this object, so a render restores its state after
 * each pause.
 */
interface Render {
  budget: Budget
  /** The value of `now` in epoch milliseconds. Templates have no other clock. */
  now: number
}

/** The rendering cost in steps: per text, output or tag, per branch of a condition, and per name in a path. */
const stepsPerNode = 120
const stepsPerBranch = 100
const stepsPerName = 60
/** The cost per value of a `case` in steps. A comparison of two texts of 100,000 characters takes 10 µs. */
const stepsPerCase = 2_000

/** The cost of a filter or operator in steps: per call, and per character and array element of its input. */
const stepsPerCall = 32
const stepsPerCharacter = 16
const stepsPerElement = 64

/**
 * Filters that copy text with native code. All other filters replace, split or encode text, which takes up to 80 ns per
 * character.
 */
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

/**
 * The extra steps per array element for filters that evaluate a path or an expression for every element. Each
 * evaluation needs a separate context.
 */
const slowPerElement = 512
const isSlow = (name: string): boolean =>
  /^(?:where|reject|group_by|has|find|find_index|map|sum|sort)(?:_|$)/u.test(name)

/** Filters that format dates with `Intl`. One field of the format takes up to 50 µs. */
const dateFilters = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"]
const stepsPerDateField = 10_000

/** Returns the maximum cost of a filter call in steps. */
const filterSteps = (name: string, values: ReadonlyArray<unknown>): number => {
  const perCharacter = fastFilters.has(name) ? fastStepsPerCharacter : stepsPerCharacter
  let characters = 0
  let elements = 0
  for (const value of values) {
    if (typeof value === "string") characters += value.length
    else if (Array.isArray(value)) elements += value.length
  }
  return (
    stepsPerCall * values.length +
    characters * perCharacter +
    elements * ((isSlow(name) ? slowPerElement : stepsPerElement) + characters)
  )
}

const dateSteps = (format: unknown): number =>
  stepsPerDateField * (1 + (typeof format === "string" ? format.split("%").length : 0))

/** Makes every filter charge the budget before it runs. Replaces `now` and `today` with the time of the render. */
const meterFilters = (engine: Liquid, render: Render): void => {
  for (const [name, known] of Object.entries(engine.filters)) {
    const handler = typeof known === "function" ? known : known.handler
    const isDate = dateFilters.includes(name)
    const metered: typeof handler = function (value: unknown, ...more: ReadonlyArray<unknown>): unknown {
      render.budget.spendAtOnce(filterSteps(name, [value, ...more]) + (isDate ? dateSteps(more[0]) : 0))
      const moment = isDate && (value === "now" || value === "today") ? new Date(render.now) : value
      return handler.call(this, moment, ...more)
    }
    engine.registerFilter(name, typeof known === "function" ? metered : { ...known, handler: metered })
  }
}

const sizeOf = (value: unknown): number => (typeof value === "string" || Array.isArray(value) ? value.length : 1)

/** Returns operators that charge the budget for the values that they compare or search. */
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

/**
 * Charges the budget in tags. A loop pays for its elements even if its body is empty. A condition or cycle pays for all
 * of its branches.
 */
const meterTags = (engine: Liquid, render: Render): void => {
  const spend = (steps: number): void => render.budget.spend(steps)
  const pay = function* (token: ForTag["collection"], context: Context): Generator<unknown, void, unknown> {
    // A range is not evaluated here, because a second evaluation would count its memory twice.
    const collection = TypeGuards.isRangeToken(token) ? null : yield evalToken(token, context)
    spend(stepsPerCall + (Array.isArray(collection) ? collection.length * stepsPerCall : 0))
  }
  class MeteredFor extends ForTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
      yield* pay(this.collection, context)
      return yield* super.render(context, emitter)
    }
  }
  class MeteredTablerow extends TablerowTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      yield* pay(this.collection, context)
      return yield* super.render(context, emitter)
    }
  }
  class MeteredIf extends IfTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, string> {
      spend(stepsPerBranch * this.branches.length)
      return yield* super.render(context, emitter)
    }
  }
  class MeteredUnless extends UnlessTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
      spend(stepsPerBranch * this.branches.length)
      return yield* super.render(context, emitter)
    }
  }
  class MeteredCase extends CaseTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      for (const { values } of this.branches) spend(stepsPerCase * values.length)
      return yield* super.render(context, emitter)
    }
  }
  const tags = { for: MeteredFor, tablerow: MeteredTablerow, if: MeteredIf, unless: MeteredUnless, case: MeteredCase }
  for (const [name, tag] of Object.entries(tags)) engine.registerTag(name, tag)
}

/** Converts a value to text in the same way as the engine. */
const textOf = (value: unknown): string => {
  const plain: unknown = typeof value === "object" && value !== null ? value.valueOf() : value
  if (plain === null || plain === undefined) return ""
  return Array.isArray(plain) ? plain.map(textOf).join("") : String(plain)
}

/** The error when the output has reached its maximum length. The rest of the template is not rendered. */
class Full extends Error {}

/** Collects the output, charges the budget for every character, and keeps at most `max` characters. */
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

/** Creates a context that charges the budget for each name lookup and for the memory that the engine reports. */
const meteredContext = (engine: Liquid, render: Render, values: object): Context => {
  class MeteredContext extends Context {
    override *_getFromScope(
      scope: unknown,
      paths: Parameters<Context["_getFromScope"]>[1],
      strict?: boolean
    ): IterableIterator<unknown> {
      render.budget.spend(stepsPerName * (1 + paths.length))
      return yield* super["_getFromScope"](scope, paths, strict)
    }
  }
  const context = new MeteredContext(values, engine.options, { sync: true }, { liquid: engine })
  const limiter = context.memoryLimit
  const use = limiter.use.bind(limiter)
  limiter.use = (count) => {
    if (Number(count) > 0) render.budget.spend(2 * Number(count))
    use(count)
  }
  return context
}

/** The options of a render. `max`: the number of characters after which the output is cut. */
export interface RenderTo {
  readonly budget: Budget
  readonly now: number
  readonly timeZone: string
  readonly max: number
}

/** A Liquid engine without access to files, partials, randomness and the system time. */
export interface MeteredEngine {
  readonly parse: (template: string) => Array<Template>
  /** Returns the paths of the context that a template reads. Throws for an invalid template. */
  readonly variables: (template: string) => ReadonlyArray<string>
  /**
   * Renders templates, with pauses. The output exceeds `max` characters only slightly. Throws the errors of the
   * template.
   */
  readonly render: (templates: Array<Template>, context: object, to: RenderTo) => Pieces<string>
}

type Step = Required<Iterator<unknown, unknown, unknown>>

/** Returns whether a value is one of the engine's generators. */
const isStep = (value: unknown): value is Step =>
  typeof value === "object" &&
  value !== null &&
  ["next", "throw", "return"].every((name) => typeof Reflect.get(value, name) === "function")

/**
 * Runs a generator of the engine like the engine's own `toValueSync`: runs each generator that it yields or returns,
 * and passes the result back. When `isDue` returns true, pauses between two steps and calls `resume` before it
 * continues.
 */
const runSteps = function* (first: Step, isDue: () => boolean, resume: () => void): Pieces<void> {
  const stack = [first]
  let given: { readonly value: unknown } | { readonly thrown: unknown } = { value: undefined }
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    try {
      const result: IteratorResult<unknown, unknown> =
        "thrown" in given ? top.throw(given.thrown) : top.next(given.value)
      if (result.done === true) stack.pop()
      const value: unknown = result.value
      if (isStep(value)) stack.push(value)
      given = { value: isStep(value) ? undefined : value }
    } catch (thrown) {
      stack.pop()
      given = { thrown }
    }
    if (!isDue()) continue
    yield
    resume()
  }
  if ("thrown" in given) throw given.thrown
}

/**
 * Creates a Liquid engine in which every operation charges the budget of the run, because tenants write the templates.
 * Templates have no access to files, partials, randomness and the system time. The engine's own time limit is not used,
 * because it would make the same template fail on a busy machine and pass on an idle one.
 */
export const makeMeteredEngine = (): MeteredEngine => {
  const render: Render = { budget: unlimited(), now: 0 }
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    parseLimit: maxTemplateLength,
    memoryLimit,
    operators: meteredOperators(render)
  })
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag]
  delete engine.filters["sample"]
  meterFilters(engine, render)
  meterTags(engine, render)
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  // The engine renders everything through this function: templates, branches, loop bodies and captures.
  renderer.renderTemplates = (templates, context, emitter) => {
    render.budget.spend(stepsPerNode * (1 + templates.length))
    return renderTemplates(templates, context, emitter ?? new MeteredEmitter(render, memoryLimit))
  }
  return {
    parse: (template) => engine.parse(template),
    variables: (template) => engine.globalFullVariablesSync(template),
    *render(templates, context, { budget, max, now, timeZone }) {
      const resume = (): void => {
        render.budget = budget
        render.now = now
        engine.options.timezoneOffset = timeZone
      }
      resume()
      const emitter = new MeteredEmitter(render, max)
      try {
        const rendering = (function* (): Generator<unknown, unknown, unknown> {
          return yield* renderer.renderTemplates(templates, meteredContext(engine, render, context), emitter)
        })()
        yield* runSteps(rendering, () => budget.turnIsDue(), resume)
      } catch (cause) {
        if (emitter.buffer.length <= max) throw cause
      }
      return emitter.buffer
    }
  }
}
