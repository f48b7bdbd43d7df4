import type { AST } from "@eslint-community/regexpp"
import type { CharTest, Instruction, StepProgram } from "./StepProgram.ts"

/** A family of texts: `prefix`, then `pump` any number of times, then `suffix`. */
export interface Adversary {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

/** Returns the text of the family with this number of pumps. */
export const textOf = ({ prefix, pump, suffix }: Adversary, pumps: number): string =>
  prefix + pump.repeat(pumps) + suffix

/** A repetition with at least this limit is treated as unbounded. */
const manyTimes = 12
const maxRepresentatives = 14
const maxPaired = 7
const maxWords = 28
const maxSuffixes = 7

/** Candidate characters. If an expression does not distinguish several of them, only the first one is used. */
const commonChars = [
  ..."a0 \n-.,;:/@<>\"'()[]{}#&=+*?!%$^|~_`\\zAZ9ef\t\r\0\u00a0\u200b\u2028\u3000\u0301éßжא中あ한“’«–…€①",
  "😀"
]

/** Returns all character tests of a program. */
const testsOf = (start: Instruction): ReadonlyArray<CharTest> => {
  const seen = new Set<Instruction>()
  const open = [start]
  const tests: Array<CharTest> = []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (node.op === "char") tests.push(node.test)
    if (node.op === "edge") tests.push(node.sees)
    if (node.op === "split") open.push(node.first, node.second)
    if (node.op === "repeat" || node.op === "look") open.push(node.body)
    if ("next" in node) open.push(node.next)
  }
  return tests
}

const visit = (node: AST.Element | AST.Alternative, see: (node: AST.Element) => void): void => {
  if (node.type === "Alternative") return node.elements.forEach((inner) => visit(inner, see))
  see(node)
  if (node.type === "Quantifier") visit(node.element, see)
  if ("alternatives" in node) node.alternatives.forEach((inner) => visit(inner, see))
}

const elementsOf = (pattern: AST.Pattern): ReadonlyArray<AST.Element> => {
  const found: Array<AST.Element> = []
  pattern.alternatives.forEach((node) => visit(node, (element) => found.push(element)))
  return found
}

/** Returns the characters that occur in the expression: letters, and the ends of ranges. */
const ownChars = (source: string): ReadonlyArray<string> => {
  const escaped = [...source.matchAll(/\\u(?:\{(?<code>[0-9a-f]+)\}|(?<unit>[0-9a-f]{4}))|\\x(?<byte>[0-9a-f]{2})/giu)]
  return [
    ...source,
    ...escaped.map(({ groups = {} }) =>
      String.fromCodePoint(Number.parseInt(groups["code"] ?? groups["unit"] ?? groups["byte"] ?? "0", 16))
    )
  ]
}

/** Returns one character for each combination of tests that accept it. Characters that most tests accept are first. */
const representativesOf = (program: StepProgram): ReadonlyArray<string> => {
  const tests = testsOf(program.start)
  const isOneUnit = !program.flags.unicode && !program.flags.unicodeSets
  const found = new Map<string, { readonly char: string; readonly accepted: number }>()
  for (const char of [...commonChars, ...ownChars(program.pattern.raw)]) {
    if (isOneUnit && char.length > 1) continue
    const answers = tests.map((test) => test(char.codePointAt(0) ?? 0))
    const key = answers.map(Number).join("")
    if (!found.has(key)) found.set(key, { char, accepted: answers.filter(Boolean).length })
  }
  return [...found.values()].toSorted((one, other) => other.accepted - one.accepted).map(({ char }) => char)
}

type Samples = (node: AST.Element | AST.Alternative, choice?: number) => string

/** Creates sample texts that match an element. If the element has alternatives, `choice` selects one. */
const makeSample = ({ flags: { ignoreCase, unicode, unicodeSets }, pattern }: StepProgram): Samples => {
  const chars = [...commonChars, ...ownChars(pattern.raw)]
  const flags = (ignoreCase ? "i" : "") + (unicodeSets ? "v" : unicode ? "u" : "")
  const sample: Samples = (node, choice = 0) => {
    if (node.type === "Alternative") return node.elements.map((inner) => sample(inner, choice)).join("")
    if (node.type === "Quantifier") return sample(node.element, choice).repeat(Math.max(1, node.min))
    if (node.type === "Group" || node.type === "CapturingGroup") {
      const alternative = node.alternatives[choice % node.alternatives.length]
      return alternative === undefined ? "" : sample(alternative, choice)
    }
    if (node.type === "Backreference" || node.type === "Assertion") return ""
    if (node.type === "Character") return String.fromCodePoint(node.value)
    const test = new RegExp(`^${node.raw}$`, flags)
    return chars.find((char) => test.test(char)) ?? ""
  }
  return sample
}

/** Returns sample texts for the path to an element, and for the rest of its alternative. */
const surroundings = (element: AST.Element, sample: Samples): readonly [before: string, after: string] => {
  let [before, after] = ["", ""]
  let node: AST.Element = element
  for (;;) {
    const parent: AST.Node = node.parent
    if (parent.type === "Alternative") {
      const index = parent.elements.indexOf(node)
      before =
        parent.elements
          .slice(0, index)
          .map((inner) => sample(inner))
          .join("") + before
      after += parent.elements
        .slice(index + 1)
        .map((inner) => sample(inner))
        .join("")
      if (parent.parent.type === "Pattern") return [before, after]
      node = parent.parent
    } else if (parent.type === "Quantifier") node = parent
    else return [before, after]
  }
}

const distinct = <A>(items: ReadonlyArray<A>, key: (item: A) => string = String): ReadonlyArray<A> => [
  ...new Map(items.map((item) => [key(item), item])).values()
]

/** Returns the loops of an expression: repetitions without a limit, or with a limit that only long inputs reach. */
export const loopsOf = (pattern: AST.Pattern): ReadonlyArray<AST.Quantifier> =>
  elementsOf(pattern).filter((node): node is AST.Quantifier => node.type === "Quantifier" && node.max >= manyTimes)

/** Returns up to three texts that the body of a loop matches. */
const bodiesOf = (loop: AST.Quantifier, sample: Samples): ReadonlyArray<string> =>
  distinct([0, 1, 2].map((choice) => sample(loop.element, choice)))

/** Returns the bodies of loops, each alone and with the text around it. */
const partsOf = (loops: ReadonlyArray<AST.Quantifier>, sample: Samples): ReadonlyArray<string> =>
  loops.flatMap((loop) => {
    const [before, after] = surroundings(loop, sample)
    const bodies = bodiesOf(loop, sample)
    const all = bodies.join("")
    return [...bodies, all, before, before + all, all + after, before + all + after]
  })

const combine = (
  prefixes: ReadonlyArray<string>,
  pumps: ReadonlyArray<string>,
  suffixes: ReadonlyArray<string>
): ReadonlyArray<Adversary> =>
  pumps.flatMap((pump) => prefixes.flatMap((prefix) => suffixes.map((suffix) => ({ prefix, pump, suffix }))))

/**
 * Returns families of texts that may make an expression slow. The pumps are bodies of its loops, its parts, its
 * characters and pairs of characters. A prefix leads to a loop, and a suffix prevents a match.
 */
export const adversariesOf = (program: StepProgram): ReadonlyArray<Adversary> => {
  const sample = makeSample(program)
  const loops = loopsOf(program.pattern)
  const chars = representativesOf(program)
  const odd = chars.at(-1) ?? ""
  const few = distinct([...chars.slice(0, maxRepresentatives), odd])
  const suffixes = distinct(["", odd, ...chars]).slice(0, maxSuffixes)
  const paired = few.slice(0, maxPaired)
  const pairs = paired.flatMap((one) => paired.filter((other) => other !== one).map((other) => one + other))
  const wholes = program.pattern.alternatives.map((alternative) => sample(alternative))
  const words = distinct([...few, ...partsOf(loops, sample), ...wholes]).filter((word) => word !== "")
  const families = [
    ...combine([""], words.slice(0, maxWords), suffixes),
    ...combine([odd], words.slice(0, maxWords), ["", odd]),
    ...combine([""], pairs, ["", odd]),
    ...few.map((pump) => ({ prefix: "", pump, suffix: odd + pump })),
    ...loops.flatMap((loop) => {
      const [before] = surroundings(loop, sample)
      return combine([before], [...bodiesOf(loop, sample), ...few.slice(0, 6)], suffixes.slice(0, 4))
    })
  ]
  return distinct(families, ({ prefix, pump, suffix }) => JSON.stringify([prefix, pump, suffix]))
}
