import type { Instruction, StepProgram } from "./StepProgram.ts"

/** The cost of a search. */
export interface StepCount {
  /** The number of instructions that a backtracking matcher executes. */
  readonly steps: number
  /** Start and end of every match, in characters. */
  readonly matches: ReadonlyArray<readonly [start: number, end: number]>
  /** The count reached its limit before the search ended. */
  readonly limited: boolean
}

type Values = ReadonlyArray<number>
type DecisionSummary<Op> = Extract<Instruction, { op: Op }>

const withValue = (values: Values, index: number, value: number): Values => {
  const changed = [...values]
  changed[index] = value
  return changed
}

/** A state of the matcher to which the matcher may backtrack. */
interface State {
  readonly node: Instruction
  readonly position: number
  /** Counters and start positions of loops. */
  readonly registers: Values
  /** Start and end of captured groups. Recorded only if the expression refers to them. */
  readonly slots: Values
}

class LimitReached extends Error {}

class Matcher {
  steps = 0
  readonly #text: ReadonlyArray<number>
  readonly #limit: number

  constructor(text: ReadonlyArray<number>, limit: number) {
    this.#text = text
    this.#limit = limit
  }

  /** Matches from a state in the order of V8: depth first. */
  match(from: State): State | null {
    const choices: Array<State> = []
    let { node, position, registers, slots } = from
    for (;;) {
      if (++this.steps > this.#limit) throw new LimitReached()
      let failed = false
      if (node.op === "char") {
        const code = this.#text[node.back ? position - 1 : position]
        failed = code === undefined || !node.test(code)
        position += node.back ? -1 : 1
        node = node.next
      } else if (node.op === "split") {
        choices.push({ node: node.second, position, registers, slots })
        node = node.first
      } else if (node.op === "accept") {
        return { node, position, registers, slots }
      } else {
        const next = this.#step(node, { node, position, registers, slots }, choices)
        failed = next === null
        if (next !== null) ({ node, position, registers, slots } = next)
      }
      if (!failed) continue
      const choice = choices.pop()
      if (choice === undefined) return null
      ;({ node, position, registers, slots } = choice)
    }
  }

  /** Executes one of the rarer instructions. Returns null if it does not match. */
  #step(
    node: Exclude<Instruction, { op: "accept" | "char" | "split" }>,
    at: State,
    choices: Array<State>
  ): State | null {
    const { position, registers, slots } = at
    switch (node.op) {
      case "count":
        return { ...at, node: node.next, registers: withValue(registers, node.register, 0) }
      case "repeat":
        return this.#repeat(node, at, choices)
      case "enter":
        return { ...at, node: node.next, registers: withValue(registers, node.register, position) }
      case "progress":
        return registers[node.register] === position ? null : { ...at, node: node.next }
      case "save":
        return { ...at, node: node.next, slots: withValue(slots, node.slot, position) }
      case "same":
        return this.#same(node, at)
      case "edge":
        return node.holds(this.#text, position) ? { ...at, node: node.next } : null
      case "look": {
        const found = this.match({ ...at, node: node.body })
        if ((found === null) !== node.negate) return null
        return { ...at, node: node.next, slots: found === null ? slots : found.slots }
      }
    }
  }

  #repeat(node: DecisionSummary<"repeat">, at: State, choices: Array<State>): State {
    const times = at.registers[node.register] ?? 0
    const again = { ...at, node: node.body, registers: withValue(at.registers, node.register, times + 1) }
    const onwards = { ...at, node: node.next }
    if (times < node.min) return again
    if (times >= node.max) return onwards
    choices.push(node.greedy ? onwards : again)
    return node.greedy ? again : onwards
  }

  #same(node: DecisionSummary<"same">, at: State): State | null {
    const { position, slots } = at
    const [start = -1, end = -1] = [slots[2 * node.group], slots[2 * node.group + 1]]
    if (start < 0 || end < 0) return { ...at, node: node.next }
    const length = end - start
    const begin = node.back ? position - length : position
    for (let index = 0; index < length; index++) {
      this.steps++
      if (this.#text[begin + index] !== this.#text[start + index]) return null
    }
    return { ...at, node: node.next, position: node.back ? begin : position + length }
  }
}

const codesOf = (text: string, byCodePoint: boolean): ReadonlyArray<number> =>
  byCodePoint
    ? Array.from(text, (char) => char.codePointAt(0) ?? 0)
    : Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))

/**
 * Counts the steps of a search by a backtracking engine without optimisations. The search starts at every position.
 * With the flag `g` or `y`, it continues after each match.
 */
export const countSteps = (program: StepProgram, text: string, limit: number): StepCount => {
  const { flags, start: node } = program
  const codes = codesOf(text, flags.unicode || flags.unicodeSets)
  const matcher = new Matcher(codes, limit)
  const registers = Array.from({ length: program.registers }, () => 0)
  const slots = Array.from({ length: program.slots }, () => -1)
  const matches: Array<readonly [number, number]> = []
  let position = 0
  try {
    while (position <= codes.length) {
      const found = matcher.match({ node, position, registers, slots })
      if (found === null && flags.sticky) break
      if (found === null) {
        position++
        continue
      }
      matches.push([position, found.position])
      if (!flags.global && !flags.sticky) break
      position = found.position > position ? found.position : position + 1
    }
    return { steps: matcher.steps, matches, limited: false }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error
    return { steps: matcher.steps, matches, limited: true }
  }
}
