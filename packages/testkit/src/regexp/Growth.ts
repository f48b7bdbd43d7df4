/**
 * The check that regular expressions take linear time. It simulates a backtracking engine and counts its steps. Tests:
 * `packages/testkit/test/RegularExpressions.test.ts`.
 */
import { type Adversary, adversariesOf, loopsOf, textOf } from "./Adversary.ts"
import { countSteps } from "./CountSteps.ts"
import { compileSteps, type StepProgram } from "./StepProgram.ts"

/** The cost of an expression on its worst texts. */
export interface Growth {
  readonly linear: boolean
  /** The worst family of texts. Null if the expression has no loop, or if no family needs more than linear time. */
  readonly worst: Adversary | null
  /** The steps on texts of `verdictSizes`, up to the size that determines the result. */
  readonly steps: ReadonlyArray<number>
}

/**
 * Each round compares two sizes and keeps the families whose steps grow fastest. Repetitions with a limit grow only in
 * early rounds.
 */
const rounds = [
  { pumps: [8, 16], keep: 16 },
  { pumps: [60, 120], keep: 4 }
] as const
/** The lengths of the texts in the last comparison, in characters, and their minimum number of pumps. */
const verdictSizes = [800, 1_600, 3_200] as const
const minPumps = 16
/**
 * The maximum factor by which the steps may grow when the text is twice as long. The factor of linear growth is 2, of
 * quadratic growth 4.
 */
const maxFactor = 2.4
/** The maximum number of steps per character. Above it, an expression is too slow even if its growth is linear. */
const maxStepsPerCharacter = 1_000

/** Returns the steps on one text; infinity above `maxStepsPerCharacter`. */
const stepsOn = (program: StepProgram, adversary: Adversary, pumps: number): number => {
  const text = textOf(adversary, pumps)
  const { limited, steps } = countSteps(program, text, maxStepsPerCharacter * text.length)
  return limited ? Number.POSITIVE_INFINITY : steps
}

/** Returns the growth factor. It is infinite if the larger count is infinite. */
const factorOf = (smaller: number, larger: number): number =>
  larger === Number.POSITIVE_INFINITY ? larger : larger / Math.max(1, smaller)

const narrow = (program: StepProgram, families: ReadonlyArray<Adversary>): ReadonlyArray<Adversary> =>
  rounds.reduce<ReadonlyArray<Adversary>>((remaining, { keep, pumps: [few, many] }) => {
    const measured = remaining.map((family) => {
      // The steps of prefix and suffix are subtracted, because they would hide the growth on small texts.
      const fixed = stepsOn(program, family, 0)
      const small = Math.max(stepsOn(program, family, few) - fixed, few * family.pump.length)
      return { family, factor: factorOf(small, stepsOn(program, family, many) - fixed) }
    })
    const growing = measured.filter(({ factor }) => factor > maxFactor)
    return growing
      .toSorted((one, other) => other.factor - one.factor)
      .slice(0, keep)
      .map(({ family }) => family)
  }, families)

const judge = (program: StepProgram, worst: Adversary): Growth => {
  const steps: Array<number> = []
  for (const [round, size] of verdictSizes.entries()) {
    const count = stepsOn(program, worst, Math.max(minPumps * 2 ** round, Math.ceil(size / worst.pump.length)))
    const previous = steps.at(-1)
    steps.push(count)
    if (count === Number.POSITIVE_INFINITY) return { linear: false, worst, steps }
    if (previous !== undefined && factorOf(previous, count) <= maxFactor) return { linear: true, worst, steps }
  }
  return { linear: false, worst, steps }
}

/** Measures how fast the steps of an expression grow with its input. */
export const growthOf = (expression: Pick<RegExp, "flags" | "source">): Growth => {
  const program = compileSteps(expression)
  const none: Growth = { linear: true, worst: null, steps: [] }
  if (loopsOf(program.pattern).length === 0) return none
  let growth = none
  for (const family of narrow(program, adversariesOf(program))) {
    growth = judge(program, family)
    if (!growth.linear) return growth
  }
  return growth
}
