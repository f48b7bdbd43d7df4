import type { Budget } from "../budget/Budget.ts"
import type { Condition } from "./Condition.ts"
import type { Slots } from "./Slot.ts"
import { compileTest, type Predicate, type SlotOf, stepsOfTest, type Test } from "./CompileComparison.ts"

/** The ends of a program. `held`: the condition holds. `failed`: it does not. */
const held = -1
const failed = -2

/** A test and the next positions after it. A next position is that of another test, `held` or `failed`. */
interface Instruction {
  readonly test: Test
  readonly ifTrue: number
  readonly ifFalse: number
}

/** A condition as a list of tests. The next position after a test is always lower, so every program ends. */
export interface Program {
  readonly start: number
  readonly instructions: ReadonlyArray<Instruction>
}

/** Estimates the work of a condition. One text search costs as much as ten other tests. */
const costOf = (condition: Condition): number => {
  if ("all" in condition) return condition.all.reduce((sum, part) => sum + costOf(part), 1)
  if ("any" in condition) return condition.any.reduce((sum, part) => sum + costOf(part), 1)
  if ("not" in condition) return costOf(condition.not)
  return ["contains", "not_contains", "has_word", "matches"].includes(condition.op) ? 10 : 1
}

/** Sorts the parts of a condition by cost, cheapest first. The order affects the speed but not the result. */
const inOrder = (parts: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  parts
    .map((part) => ({ part, cost: costOf(part) }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ part }) => part)

/** Compiles a checked condition. The last test is compiled first, because the preceding tests refer to its position. */
export const compileProgram = (condition: Condition, slotOf: SlotOf): Program => {
  const instructions: Array<Instruction> = []
  const add = (of: Condition, ifTrue: number, ifFalse: number): number => {
    if ("all" in of) return inOrder(of.all).reduceRight((next, part) => add(part, next, ifFalse), ifTrue)
    if ("any" in of) return inOrder(of.any).reduceRight((next, part) => add(part, ifTrue, next), ifFalse)
    if ("not" in of) return add(of.not, ifFalse, ifTrue)
    return instructions.push({ test: compileTest(of, slotOf), ifTrue, ifFalse }) - 1
  }
  return { start: add(condition, held, failed), instructions }
}

const yes: Predicate = () => true
const no: Predicate = () => false

/**
 * Combines a test with the predicates that follow a true and a false result. The special cases avoid a conditional
 * expression.
 */
const chain = (first: Predicate, ifTrue: Predicate, ifFalse: Predicate): Predicate => {
  if (ifTrue === yes && ifFalse === no) return first
  if (ifTrue === no && ifFalse === yes) return (slots) => !first(slots)
  if (ifFalse === no) return (slots) => first(slots) && ifTrue(slots)
  if (ifTrue === yes) return (slots) => first(slots) || ifFalse(slots)
  return (slots) => (first(slots) ? ifTrue(slots) : ifFalse(slots))
}

/** Compiles a program to closures. This is the fastest form, but it spends no steps and cannot be interrupted. */
export const predicateOf = ({ instructions, start }: Program): Predicate => {
  const made: Array<Predicate> = []
  const at = (position: number): Predicate => (position === held ? yes : (made[position] ?? no))
  for (const { ifFalse, ifTrue, test } of instructions) made.push(chain(test.holds, at(ifTrue), at(ifFalse)))
  return at(start)
}

/**
 * Continues a program at a position. Spends the steps of each test before the test runs. Returns the result of the
 * condition, or the position at which `until` stopped the program.
 */
export const continueProgram = (
  { instructions }: Program,
  from: number,
  slots: Slots,
  budget: Budget,
  until: (() => boolean) | null
): boolean | number => {
  let at = from
  for (;;) {
    const instruction = instructions[at]
    if (instruction === undefined) return at === held
    if (until !== null && until()) return at
    budget.spend(stepsOfTest(instruction.test, slots))
    at = instruction.test.holds(slots) ? instruction.ifTrue : instruction.ifFalse
  }
}

/** Runs a program to its end. */
export const runProgram = (program: Program, slots: Slots, budget: Budget): boolean =>
  continueProgram(program, program.start, slots, budget, null) === true
