/**
 * The one budget of a run: what the rules, templates and guardrails of a tenant may cost for one message, and what they may
 * produce. Work is counted in steps and not in time, so that the same message and configuration give the same outcome on
 * every machine, in a dry run, a back-test and a replay. Reading a clock is the second net, for work that the counting
 * missed. Nothing here knows what the steps are spent on.
 */
import { Data, Effect } from "effect"

/** What can run out. */
export type BudgetResource = "steps" | "stepsAtOnce" | "characters" | "actions" | "milliseconds"

/**
 * How much of each there is. A step is about 5 ns of one core; characters are UTF-16 code units. `stepsAtOnce` bounds one piece
 * of work that cannot pause, such as a call of a filter.
 */
export type BudgetLimits = Readonly<Record<BudgetResource, number>>

/**
 * The budget of a run. Ten million steps are about 50 ms. 262,144 characters are the reply and everything that is
 * sent to partner applications and to the CRM. The milliseconds are twenty times the steps, so that a busy machine does
 * not use them up. Two million steps at once keep the event loop from everybody else for about 10 ms.
 */
export const runLimits: BudgetLimits = {
  steps: 10_000_000,
  stepsAtOnce: 2_000_000,
  characters: 262_144,
  actions: 200,
  milliseconds: 1_000
}

/**
 * The budget of a decision inside a unit of work, where others wait for the same transaction: about a millisecond. A run
 * that needs more is decided outside, and nothing of it is written before.
 */
export const unitLimits: BudgetLimits = { ...runLimits, steps: 250_000 }

/** The budget for a text that a person is about to send. What takes long is looked through before the unit of work. */
export const textLimits: BudgetLimits = { ...runLimits, steps: 4_000_000 }

/** Steps after which the event loop gets a turn: about 5 ms. */
const stepsPerTurn = 1_000_000

/** Steps between two looks at the clock. */
const stepsPerLook = 100_000

const counted = (count: number): string => count.toLocaleString("en-US")

const reasons: Readonly<Record<BudgetResource, (limit: number) => string>> = {
  steps: (limit) => `rules, templates and guardrails took more than ${counted(limit)} steps`,
  stepsAtOnce: (limit) => `a template gives one filter more than ${counted(limit)} steps of work`,
  characters: (limit) => `templates wrote more than ${counted(limit)} characters`,
  actions: (limit) => `the matched rules ask for more than ${counted(limit)} actions`,
  milliseconds: (limit) => `rules, templates and guardrails took more than ${counted(limit)} milliseconds`
}

/** A run needs more than its budget of something. It is thrown where the work is done, and caught where the run is decided. */
export class BudgetExceeded extends Data.TaggedError("BudgetExceeded")<{
  readonly resource: BudgetResource
  readonly limit: number
}> {
  /** Why, for the run and for the person who reviews it. */
  get reason(): string {
    return reasons[this.resource](this.limit)
  }
}

/** When the event loop had its last turn. Shared by the budgets of decisions that follow each other. */
export interface Pace {
  stepsSinceTurn: number
}

/** The pace of a piece of work that begins now. */
export const newPace = (): Pace => ({ stepsSinceTurn: 0 })

/** What is left for one run. Its methods throw `BudgetExceeded`. */
export interface Budget {
  /** Spends steps, before or right after the work they stand for. */
  readonly spend: (steps: number) => void
  /** Spends the steps of work that cannot pause. */
  readonly spendAtOnce: (steps: number) => void
  /** Counts text that leaves the run. */
  readonly write: (characters: number) => void
  /** Counts actions that rules ask for. */
  readonly act: (actions: number) => void
  /** The event loop should get a turn before more is done. */
  readonly turnIsDue: () => boolean
  /** Gives the event loop a turn when one is due. Time spent waiting is not counted. */
  readonly pause: Effect.Effect<void>
  /** Steps spent so far. */
  readonly steps: () => number
  /** What ran out first, or null. Code that swallows what is thrown through it asks here. */
  readonly exceeded: () => BudgetExceeded | null
}

const noClock = (): number => 0

/** A class, because rules spend from it at every comparison, and its methods are the same for all budgets. */
class MeteredBudget implements Budget {
  readonly #limits: BudgetLimits
  readonly #now: () => number
  readonly #pace: Pace
  #steps = 0
  #characters = 0
  #actions = 0
  #nextLook: number
  /** Steps that the pace knows of. */
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

/** A new budget. `now` reads milliseconds; without it time is not limited, and the outcome depends on the input alone. */
export const makeBudget = (limits: BudgetLimits, now: () => number = noClock, pace: Pace = newPace()): Budget =>
  new MeteredBudget(limits, now, pace)

/** Does work that may throw `BudgetExceeded`, and fails with it. */
export const within = <A>(work: () => A): Effect.Effect<A, BudgetExceeded> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(work())
    } catch (cause) {
      return cause instanceof BudgetExceeded ? Effect.fail(cause) : Effect.die(cause)
    }
  })

/** Spends steps, or fails. */
export const spending = (budget: Budget, steps: number): Effect.Effect<void, BudgetExceeded> =>
  within(() => budget.spend(steps))

/** Work in pieces: between two of them the event loop may get a turn. It spends what each piece costs before it does it. */
export type Pieces<A> = Generator<void, A, void>

/** Does work in pieces, with turns for the event loop, or fails. */
export const runCooperatively = Effect.fnUntraced(function* <A>(pieces: Pieces<A>, budget: Budget) {
  for (;;) {
    const piece = yield* within(() => pieces.next())
    if (piece.done === true) return piece.value
    if (budget.turnIsDue()) yield* budget.pause
  }
})

/** Does all pieces of a work at once. Throws `BudgetExceeded`. */
export const runInOneStretch = <A>(pieces: Pieces<A>): A => {
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
  }
}

/** A budget that never runs out, for work that is bounded by other means: tests and measurements. */
export const unlimited = (): Budget =>
  makeBudget({
    steps: Infinity,
    stepsAtOnce: Infinity,
    characters: Infinity,
    actions: Infinity,
    milliseconds: Infinity
  })
