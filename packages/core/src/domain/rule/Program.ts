import type { Budget } from "../budget/Budget.ts"
import type { Condition } from "./Condition.ts"
import type { Slots } from "./Slot.ts"
import { compileTest, type Predicate, type SlotOf, stepsOfTest, type Test } from "./Test.ts"

/** Where a program ends: the condition holds, or it does not. */
const held = -1
const failed = -2

/** A test, and where to go on: the position of another test, `held` or `failed`. */
interface Instruction {
  readonly test: Test
  readonly ifTrue: number
  readonly ifFalse: number
}

/** A condition as a list of tests. Each goes on with tests that stand before it in the list, so that it ends. */
export interface Program {
  readonly start: number
  readonly instructions: ReadonlyArray<Instruction>
}

/** How much work a condition is, roughly: searching a text is ten times an equality. */
const costOf = (condition: Condition): number => {
  if ("all" in condition) return condition.all.reduce((sum, part) => sum + costOf(part), 1)
  if ("any" in condition) return condition.any.reduce((sum, part) => sum + costOf(part), 1)
  if ("not" in condition) return costOf(condition.not)
  return ["contains", "not_contains", "has_word", "matches"].includes(condition.op) ? 10 : 1
}

/** Cheap parts first: the order changes nothing but how soon the answer is known. */
const inOrder = (parts: ReadonlyArray<Condition>): ReadonlyArray<Condition> =>
  parts
    .map((part) => ({ part, cost: costOf(part) }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ part }) => part)

/** Compiles a checked condition. Its last test is compiled first, because the others go on with it. */
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

/** One test, and the predicates to go on with. Most go on with one, and have no need to choose. */
const chain = (first: Predicate, ifTrue: Predicate, ifFalse: Predicate): Predicate => {
  if (ifTrue === yes && ifFalse === no) return first
  if (ifTrue === no && ifFalse === yes) return (slots) => !first(slots)
  if (ifFalse === no) return (slots) => first(slots) && ifTrue(slots)
  if (ifTrue === yes) return (slots) => first(slots) || ifFalse(slots)
  return (slots) => (first(slots) ? ifTrue(slots) : ifFalse(slots))
}

/** A program as closures: the fastest way to ask, which spends nothing and cannot be interrupted. */
export const predicateOf = ({ instructions, start }: Program): Predicate => {
  const made: Array<Predicate> = []
  const at = (position: number): Predicate => (position === held ? yes : (made[position] ?? no))
  for (const { ifFalse, ifTrue, test } of instructions) made.push(chain(test.holds, at(ifTrue), at(ifFalse)))
  return at(start)
}

/**
 * Goes on with a program from a position, and spends what each test costs before it is asked. Answers whether the condition
 * holds, or the position to go on from when `until` says to stop.
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
