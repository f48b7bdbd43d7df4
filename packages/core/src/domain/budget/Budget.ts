/**
 * The budget of one run. It limits the cost and the output of a tenant's rules, templates and guardrails for one
 * message. The main unit is the step, not time, so that the same message and configuration give the same result on
 * every machine, in a dry run, a back-test and a replay. A clock is the second limit, for work that is not counted in
 * steps. The code that spends the steps does not belong here. Tests: `packages/core/test/domain/budget`.
 */
import { Effect } from "effect"
import { TaggedError } from "../TaggedError.ts"

/** A limited resource of a run. */
export type BudgetResource = "steps" | "stepsAtOnce" | "characters" | "actions" | "milliseconds"

/**
 * The limit of each resource. A step takes about 5 ns on one core. Characters are UTF-16 code units. `stepsAtOnce`
 * limits one piece of work that cannot pause, such as one call of a filter.
 */
export type BudgetLimits = Readonly<Record<BudgetResource, number>>

/**
 * The limits of a run. Ten million steps take about 50 ms. The time limit is twenty times as long, so that a busy
 * machine does not reach it first. The limit of characters covers the reply and all text that the run sends to partner
 * applications and to the CRM. Work of two million steps at once blocks the event loop for about 10 ms.
 */
export const runLimits: BudgetLimits = {
  steps: 10_000_000,
  stepsAtOnce: 2_000_000,
  characters: 262_144,
  actions: 200,
  milliseconds: 1_000
}

/**
 * The limits of a decision inside a unit of work. They allow about one millisecond, because other requests wait for the
 * same transaction. A decision that needs more steps is made outside the unit of work, before the unit writes anything.
 */
export const unitLimits: BudgetLimits = { ...runLimits, steps: 250_000 }

/**
 * The limits for the check of a text that a person sends. If the check needs more steps than `unitLimits` allow, it
 * runs before the unit of work.
 */
export const textLimits: BudgetLimits = { ...runLimits, steps: 4_000_000 }

/** The number of steps after which the run pauses for other work of the event loop: about 5 ms. */
const stepsPerTurn = 1_000_000

/** The number of steps between two readings of the clock. */
const stepsPerLook = 100_000

const counted = (count: number): string => count.toLocaleString("en-US")

const reasons: Readonly<Record<BudgetResource, (limit: number) => string>> = {
  steps: (limit) => `rules, templates and guardrails took more than ${counted(limit)} steps`,
  stepsAtOnce: (limit) => `a template requires one filter to do more than ${counted(limit)} steps of work`,
  characters: (limit) => `templates produced more than ${counted(limit)} characters`,
  actions: (limit) => `the matched rules request more than ${counted(limit)} actions`,
  milliseconds: (limit) => `rules, templates and guardrails took more than ${counted(limit)} milliseconds`
}

/**
 * A run exceeded a limit of its budget. The code that does the work throws this error, and the code that decides the
 * run catches it.
 */
export class BudgetExceeded extends TaggedError("BudgetExceeded")<{
  readonly resource: BudgetResource
  readonly limit: number
}> {
  /** The reason, for the stored run and its reviewers. */
  get reason(): string {
    return reasons[this.resource](this.limit)
  }
}

/**
 * The number of steps since the event loop last ran other work. Decisions that run directly after each other share one
 * `Pace`.
 */
export interface Pace {
  stepsSinceTurn: number
}

/** Creates a pace without steps. */
export const newPace = (): Pace => ({ stepsSinceTurn: 0 })

/** The remaining budget of one run. Its methods throw `BudgetExceeded`. */
export interface Budget {
  /** Spends the steps of some work. Call it before the work or directly after it. */
  readonly spend: (steps: number) => void
  /** Spends the steps of work that cannot pause. */
  readonly spendAtOnce: (steps: number) => void
  /** Counts characters of output. */
  readonly write: (characters: number) => void
  /** Counts actions that rules request. */
  readonly act: (actions: number) => void
  /** Returns whether the event loop must run other work before this run continues. */
  readonly turnIsDue: () => boolean
  /** Lets the event loop run other work if `turnIsDue`. This waiting time does not count towards the time limit. */
  readonly pause: Effect.Effect<void>
  /** Returns the number of steps spent. */
  readonly steps: () => number
  /**
   * Returns the first exceeded limit; null if there is none. Call it where a library may have caught the thrown error.
   */
  readonly exceeded: () => BudgetExceeded | null
}

const noClock = (): number => 0

/**
 * A class instead of closures, because rules spend steps at every comparison and all budgets of a class share its
 * methods.
 */
class MeteredBudget implements Budget {
  readonly #limits: BudgetLimits
  readonly #now: () => number
  readonly #pace: Pace
  #steps = 0
  #characters = 0
  #actions = 0
  #nextLook: number
  /** The steps of this budget that are already included in the pace. */
  #paced = 0
  #worked = 0
  #since: number
  #first: BudgetExceeded | null = null

  constructor(limits: BudgetLimits, now: () => number, pace: Pace) {
    this.#limits = limits
    this.#now = now
    this.#pace = pace
    this.#nextLook = Math.min(stepsPerLook, limits.steps + 1)
    this.#since = now()
  }

  #exceed(resource: BudgetResource): never {
    this.#first ??= new BudgetExceeded({ resource, limit: this.#limits[resource] })
    throw this.#first
  }

  #look(): void {
    if (this.#steps > this.#limits.steps) this.#exceed("steps")
    if (this.#worked + this.#now() - this.#since > this.#limits.milliseconds) this.#exceed("milliseconds")
    this.#nextLook = Math.min(this.#steps + stepsPerLook, this.#limits.steps + 1)
  }

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps >= this.#nextLook) this.#look()
  }

  spendAtOnce(steps: number): void {
    this.spend(steps)
    if (steps > this.#limits.stepsAtOnce) this.#exceed("stepsAtOnce")
  }

  write(characters: number): void {
    this.#characters += characters
    if (this.#characters > this.#limits.characters) this.#exceed("characters")
  }

  act(actions: number): void {
    this.#actions += actions
    if (this.#actions > this.#limits.actions) this.#exceed("actions")
  }

  turnIsDue(): boolean {
    this.#pace.stepsSinceTurn += this.#steps - this.#paced
    this.#paced = this.#steps
    return this.#pace.stepsSinceTurn >= stepsPerTurn
  }

  get pause(): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!this.turnIsDue()) return Effect.void
      this.#worked += this.#now() - this.#since
      return Effect.map(Effect.yieldNow, () => {
        this.#since = this.#now()
        this.#pace.stepsSinceTurn = 0
      })
    })
  }

  steps(): number {
    return this.#steps
  }

  exceeded(): BudgetExceeded | null {
    return this.#first
  }
}

/**
 * Creates a budget. `now` returns milliseconds. Without it, time is not limited, and the outcome depends only on the
 * input.
 */
export const makeBudget = (limits: BudgetLimits, now: () => number = noClock, pace: Pace = newPace()): Budget =>
  new MeteredBudget(limits, now, pace)

/** Runs work that may throw `BudgetExceeded`, and converts the exception to a failure. */
export const within = <A>(work: () => A): Effect.Effect<A, BudgetExceeded> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (cause) {
      return cause instanceof BudgetExceeded ? Effect.fail(cause) : Effect.die(cause)
    }
  })

/** Work in pieces. The event loop may run other work between two pieces. Each piece spends its steps before it runs. */
export type Pieces<A> = Generator<void, A, void>

/** Runs work in pieces and lets the event loop run other work between them. Fails with `BudgetExceeded`. */
export const runCooperatively = Effect.fnUntraced(function* <A>(pieces: Pieces<A>, budget: Budget) {
  for (;;) {
    const piece = yield* within(() => pieces.next())
    if (piece.done === true) return piece.value
    if (budget.turnIsDue()) yield* budget.pause
  }
})

/** Runs all pieces without a pause. Throws `BudgetExceeded`. */
export const runInOneStretch = <A>(pieces: Pieces<A>): A => {
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
  }
}

/** Creates a budget without limits, for tests and measurements whose work is limited by other means. */
export const unlimited = (): Budget =>
  makeBudget({
    steps: Infinity,
    stepsAtOnce: Infinity,
    characters: Infinity,
    actions: Infinity,
    milliseconds: Infinity
  })
