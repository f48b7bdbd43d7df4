import { type AST, RegExpParser } from "@eslint-community/regexpp"

/** Tests one character. With the flags `u` and `v`, the argument is a code point, otherwise a code unit. */
export type CharTest = (code: number) => boolean

/** One instruction. A program is a graph of instructions. */
export type Instruction =
  | { readonly op: "char"; readonly test: CharTest; readonly back: boolean; next: Instruction }
  | { readonly op: "split"; first: Instruction; second: Instruction }
  | { readonly op: "count"; readonly register: number; next: Instruction }
  | {
      readonly op: "repeat"
      readonly register: number
      readonly min: number
      readonly max: number
      readonly greedy: boolean
      body: Instruction
      next: Instruction
    }
  | { readonly op: "enter"; readonly register: number; next: Instruction }
  | { readonly op: "progress"; readonly register: number; next: Instruction }
  | { readonly op: "save"; readonly slot: number; next: Instruction }
  | { readonly op: "same"; readonly group: number; readonly back: boolean; next: Instruction }
  | { readonly op: "edge"; readonly holds: Edge; readonly sees: CharTest; next: Instruction }
  | { readonly op: "look"; readonly body: Instruction; readonly negate: boolean; next: Instruction }
  | { readonly op: "accept" }

/**
 * Returns whether an assertion holds at a position. The field `sees` of the instruction lists the characters that
 * affect the result.
 */
export type Edge = (text: ReadonlyArray<number>, position: number) => boolean

/** A regular expression as a program for a backtracking matcher. */
export interface StepProgram {
  readonly start: Instruction
  readonly registers: number
  readonly slots: number
  readonly flags: AST.Flags
  readonly pattern: AST.Pattern
}

const accept: Instruction = { op: "accept" }
const wordCodes = new Set(
  Array.from("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", (char) => char.charCodeAt(0))
)
const isWord = (code: number | undefined): boolean => code !== undefined && wordCodes.has(code)
const lineEnds: ReadonlyArray<number | undefined> = [10, 13, 0x20_28, 0x20_29]
const isLineEnd = (code: number | undefined): boolean => lineEnds.includes(code)

/** The flags that affect the characters of a class. */
const charFlags = (flags: AST.Flags): string =>
  (flags.ignoreCase ? "i" : "") + (flags.dotAll ? "s" : "") + (flags.unicodeSets ? "v" : flags.unicode ? "u" : "")

/** Tests a character with the regular expression engine of the runtime, and caches the result. */
const testOf = (raw: string, flags: AST.Flags): CharTest => {
  const expression = new RegExp(`^(?:${raw})$`, charFlags(flags))
  const known = new Map<number, boolean>()
  return (code) => {
    const kept = known.get(code)
    if (kept !== undefined) return kept
    const found = expression.test(String.fromCodePoint(code))
    known.set(code, found)
    return found
  }
}

const edgeOf = (node: AST.EdgeAssertion | AST.WordBoundaryAssertion, flags: AST.Flags): Edge => {
  if (node.kind === "word")
    return (text, position) => (isWord(text[position - 1]) !== isWord(text[position])) !== node.negate
  if (node.kind === "start")
    return (text, position) => position === 0 || (flags.multiline && isLineEnd(text[position - 1]))
  return (text, position) => position === text.length || (flags.multiline && isLineEnd(text[position]))
}

/**
 * Returns whether an element can match the empty text. A loop over such an element would repeat endlessly without a
 * check.
 */
export const canBeEmpty = (node: AST.Element | AST.Alternative): boolean => {
  if (node.type === "Alternative") return node.elements.every(canBeEmpty)
  if (node.type === "Group" || node.type === "CapturingGroup") return node.alternatives.some(canBeEmpty)
  if (node.type === "Quantifier") return node.min === 0 || canBeEmpty(node.element)
  return node.type === "Assertion" || node.type === "Backreference"
}

class Compiler {
  registers = 0
  slots = 0
  readonly #groups: ReadonlyArray<AST.CapturingGroup>
  readonly #referred: boolean
  readonly #flags: AST.Flags

  constructor(flags: AST.Flags, groups: ReadonlyArray<AST.CapturingGroup>) {
    this.#flags = flags
    this.#groups = groups
    this.#referred = groups.some(({ references }) => references.length > 0)
  }

  alternatives(nodes: ReadonlyArray<AST.Alternative>, next: Instruction, back: boolean): Instruction {
    const compiled = nodes.map((node) => this.sequence(node.elements, next, back))
    return compiled.reduceRight((second, first) => ({ op: "split", first, second }))
  }

  sequence(nodes: ReadonlyArray<AST.Element>, next: Instruction, back: boolean): Instruction {
    const ordered = back ? nodes : nodes.toReversed()
    return ordered.reduce((then, node) => this.element(node, then, back), next)
  }

  element(node: AST.Element, next: Instruction, back: boolean): Instruction {
    switch (node.type) {
      case "Group":
        return this.alternatives(node.alternatives, next, back)
      case "CapturingGroup":
        return this.#capture(node, next, back)
      case "Quantifier":
        return this.#quantifier(node, next, back)
      case "Backreference":
        return this.#reference(node, next, back)
      case "Assertion":
        if (node.kind !== "lookahead" && node.kind !== "lookbehind")
          return { op: "edge", holds: edgeOf(node, this.#flags), sees: node.kind === "word" ? isWord : isLineEnd, next }
        return {
          op: "look",
          negate: node.negate,
          body: this.alternatives(node.alternatives, accept, node.kind === "lookbehind"),
          next
        }
      default:
        return { op: "char", test: testOf(node.raw, this.#flags), back, next }
    }
  }

  #capture(node: AST.CapturingGroup, next: Instruction, back: boolean): Instruction {
    if (!this.#referred) return this.alternatives(node.alternatives, next, back)
    const slot = 2 * this.#groups.indexOf(node)
    this.slots = Math.max(this.slots, slot + 2)
    const inner = this.alternatives(node.alternatives, { op: "save", slot: back ? slot : slot + 1, next }, back)
    return { op: "save", slot: back ? slot + 1 : slot, next: inner }
  }

  #reference(node: AST.Backreference, next: Instruction, back: boolean): Instruction {
    const resolved = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved
    return { op: "same", group: this.#groups.findIndex((group) => group === resolved), back, next }
  }

  #quantifier(node: AST.Quantifier, next: Instruction, back: boolean): Instruction {
    const { element, greedy, max, min } = node
    if (min === 0 && max === 1) {
      const once = this.element(element, next, back)
      return greedy ? { op: "split", first: once, second: next } : { op: "split", first: next, second: once }
    }
    if (max === Infinity && min <= 1) {
      const loop: Instruction = { op: "split", first: next, second: next }
      const body = this.#guarded(element, loop, back)
      if (greedy) loop.first = body
      else loop.second = body
      return min === 0 ? loop : this.element(element, loop, back)
    }
    const register = this.registers++
    const repeat: Instruction = { op: "repeat", register, min, max, greedy, body: next, next }
    repeat.body = this.#guarded(element, repeat, back)
    return { op: "count", register, next: repeat }
  }

  /** Compiles the body of a loop. The loop continues only if the body has matched at least one character. */
  #guarded(element: AST.Element, next: Instruction, back: boolean): Instruction {
    if (!canBeEmpty(element)) return this.element(element, next, back)
    const register = this.registers++
    return { op: "enter", register, next: this.element(element, { op: "progress", register, next }, back) }
  }
}

const groupsOf = (pattern: AST.Pattern): ReadonlyArray<AST.CapturingGroup> => {
  const found: Array<AST.CapturingGroup> = []
  const visit = (node: AST.Element | AST.Alternative): void => {
    if (node.type === "Alternative") return node.elements.forEach(visit)
    if (node.type === "CapturingGroup") found.push(node)
    if (node.type === "Quantifier") visit(node.element)
    if ("alternatives" in node) node.alternatives.forEach(visit)
  }
  pattern.alternatives.forEach(visit)
  return found
}

/** Compiles a regular expression for `countSteps`. */
export const compileSteps = ({ flags, source }: Pick<RegExp, "flags" | "source">): StepProgram => {
  const literal = new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${source}/${flags}`)
  const { flags: read, pattern } = literal
  const compiler = new Compiler(read, groupsOf(pattern))
  const start = compiler.alternatives(pattern.alternatives, accept, false)
  return { start, registers: compiler.registers, slots: compiler.slots, flags: read, pattern }
}
