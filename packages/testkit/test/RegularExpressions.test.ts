import { beforeAll, describe, expect, it } from "vitest"
import { adversariesOf, textOf } from "../src/regexp/Adversary.ts"
import { countSteps } from "../src/regexp/CountSteps.ts"
import { type Exception, exceptions, laterConstructions } from "../src/regexp/Exceptions.ts"
import { type Collected, collectExpressions, type Expression } from "../src/regexp/Expressions.ts"
import { growthOf } from "../src/regexp/Growth.ts"
import { compileSteps } from "../src/regexp/StepProgram.ts"

/** The packages that read input from outside. */
const packages = ["core", "connectors", "server", "store", "api", "client"]

let collected: Collected
beforeAll(async () => {
  collected = await collectExpressions(packages)
})

const distinct = (expressions: ReadonlyArray<Expression>): ReadonlyArray<Expression> => [
  ...new Map(expressions.map((expression) => [`/${expression.source}/${expression.flags}`, expression])).values()
]

/** Returns the engine's own matches in a text with one code unit per character. */
const matchesOf = ({ flags, source }: Expression, text: string): ReadonlyArray<readonly [number, number]> => {
  const expression = new RegExp(source, flags)
  const found = expression.global ? [...text.matchAll(expression)] : [expression.exec(text)]
  return found.flatMap((match) => (match === null ? [] : [[match.index, match.index + match[0].length] as const]))
}

describe("the check of regular expressions", () => {
  it.each([
    /^[ \t]+$/u,
    /(?<![ \t])[ \t]+$/u,
    /<[^<>]*>/gu,
    /^(?:a|b)*$/u,
    /\d{1,20}(?:\.\d{1,20}){0,3}/u,
    /(?<quote>["'])[^"']*\k<quote>/u,
    /^re:? *\[\d+\]/iu,
    /(?<=@)[a-z]+/u
  ])("reports %s as linear", (expression) => {
    expect(growthOf(expression)).toMatchObject({ linear: true })
  })

  it.each([
    [/[ \t]+$/u, "the search begins anew within a run"],
    [/^(?:a+)+$/u, "a loop in a loop"],
    [/^(?:a|a)*$/u, "two ways to read one character"],
    [/^\s*(?:\[\d\])?\s*:/u, "loops that meet"],
    [/<!--[\s\S]*?-->/gu, "a beginning without an end, again and again"],
    [/^\s+;$/gmu, "empty lines, from each of them"],
    [/(?=.*b)a/gu, "a look ahead from everywhere"],
    [/(?<=\s*)x/gu, "a look behind from everywhere"],
    [/^[^\s@]\S*@\S+$/u, "characters that loop and separator share"],
    [/^(?<word>a+)\k<word>*b/u, "a repeated reference"],
    [/^(?:a{2,50})+$/u, "a bounded loop in a loop"]
  ])("reports %s as slow: %s", (expression) => {
    expect(growthOf(expression)).toMatchObject({ linear: false })
  })

  it("finds the same matches as the engine in its sample texts", () => {
    for (const expression of distinct(collected.expressions)) {
      const program = compileSteps(expression)
      const texts = adversariesOf(program).filter((_, index) => index % 16 === 0)
      for (const family of texts) {
        const text = textOf(family, 3)
        if (/[\u{10000}-\u{10ffff}]/u.test(text)) continue
        const { matches } = countSteps(program, text, 1e6)
        expect([expression.path, expression.source, text, matches]).toEqual([
          expression.path,
          expression.source,
          text,
          matchesOf(expression, text)
        ])
      }
    }
  })
})

describe("every regular expression of the sources", () => {
  const isMeant = ({ path, source }: Expression, exception: Exception): boolean =>
    exception.path === path && source.startsWith(exception.begins)

  it("is found by the check, or has examples if it is constructed after its module was loaded", () => {
    const known = laterConstructions.map(({ path, text }) => ({ path, text }))
    expect(collected.unseen.map(({ path, text }) => ({ path, text }))).toEqual(known)
    for (const { examples } of laterConstructions)
      for (const example of examples) expect(growthOf(example)).toMatchObject({ linear: true })
  })

  it("takes linear time, or has a documented input limit", () => {
    const judged = distinct(collected.expressions).map((expression) => ({ expression, growth: growthOf(expression) }))
    const slow = new Map(
      judged
        .filter(({ growth }) => !growth.linear)
        .map(({ expression, growth }) => [expression.source, growth] as const)
    )
    const found = collected.expressions.filter(({ source }) => slow.has(source))
    const wrong = found.filter((expression) => !exceptions.some((exception) => isMeant(expression, exception)))
    const reported = wrong.map(({ flags, line, path, source }) => ({
      at: `${path}:${line}`,
      expression: `/${source}/${flags}`,
      slowOn: slow.get(source)?.worst,
      steps: slow.get(source)?.steps
    }))
    expect(reported).toEqual([])
    // An unused exception would hide the next expression with the same problem.
    const needless = exceptions.filter((exception) => !found.some((one) => isMeant(one, exception)))
    expect(needless).toEqual([])
  })
})
