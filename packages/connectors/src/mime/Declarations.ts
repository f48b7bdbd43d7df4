/**
 * The declarations of a style attribute, parsed like CSS: comments and escapes are resolved, and a `;` inside brackets
 * or quotes is not a separator. The values of a property are ordered by precedence, highest first. All values are kept,
 * because an invalid value does not override a valid one.
 */
export type Declarations = ReadonlyMap<string, ReadonlyArray<string>>

/** The maximum number of characters read from one style attribute. */
const charactersRead = 4_000

const decoded = (style: string): string =>
  style
    .slice(0, charactersRead)
    .replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/gu, "")
    .replace(/\\([0-9a-f]{1,6})\s?/giu, (_, hex: string) => {
      const code = Number.parseInt(hex, 16)
      return code > 0x10_ffff ? "\uFFFD" : String.fromCodePoint(code)
    })
    .toLowerCase()

/** Splits at separators outside brackets and quotes, in one pass. */
export const splitCss = (text: string, isSeparator: (char: string) => boolean): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let [start, depth, quote] = [0, 0, ""]
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== "") quote = char === quote ? "" : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === "(") depth++
    else if (char === ")") depth = Math.max(0, depth - 1)
    else if (depth === 0 && isSeparator(char)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** Splits a value into words. Brackets stay with the preceding word. */
export const wordsOf = (value: string): ReadonlyArray<string> =>
  splitCss(value, (char) => /\s/u.test(char)).filter((word) => word !== "")

/** Returns the size in the shorthand `font`: the first length, without the line height. */
const sizeOfFont = (value: string): string =>
  wordsOf(value)
    .map((word) => word.split("/")[0] ?? "")
    .find((word) => /^(?:[\d.]+[a-z%]+|0|(?:x+-)?(?:small|large)|medium|smaller|larger)$/u.test(word)) ?? ""

/** The longhand property under which a shorthand is stored. */
const longhand: Readonly<Record<string, readonly [name: string, of: (value: string) => string]>> = {
  font: ["font-size", sizeOfFont],
  background: ["background-color", (value) => value]
}

/** Parses a style attribute. Never throws; linear. */
export const declarations = (style: string): Declarations => {
  const [normal, important] = [new Map<string, Array<string>>(), new Map<string, Array<string>>()]
  for (const declaration of splitCss(decoded(style), (char) => char === ";")) {
    const colon = declaration.indexOf(":")
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim()
    const given = declaration.slice(colon + 1).trim()
    const value = given.replace(/!\s*important$/u, "").trimEnd()
    const into = value === given ? normal : important
    const [other, part] = longhand[name] ?? [name, () => value]
    const values = into.get(other)
    if (values === undefined) into.set(other, [part(value)])
    else values.push(part(value))
  }
  for (const values of [...normal.values(), ...important.values()]) values.reverse()
  for (const [name, values] of normal) important.set(name, [...(important.get(name) ?? []), ...values])
  return important
}

/**
 * Returns the value of a property. Of the values that `read` can parse, the value with the highest precedence counts.
 */
export const valueOf = <A>(
  found: Declarations,
  name: string,
  read: (value: string) => A | undefined
): A | undefined => {
  for (const value of found.get(name) ?? []) {
    const meant = read(value)
    if (meant !== undefined) return meant
  }
  return undefined
}

/** Pixels per absolute unit. A number without a unit counts as pixels, as in mail programs. */
const pixels: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  rem: 16
}

/** A length: pixels, or a multiple of the parent's size (1 for 100 % or 1 em). */
export interface Length {
  readonly amount: number
  readonly relative: boolean
}

/** Parses a length; undefined when it is invalid. */
export const lengthOf = (value: string): Length | undefined => {
  const [, number = "", unit = ""] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([a-z]*|%)$/u.exec(value) ?? []
  if (number === "") return undefined
  const amount = Number(number)
  if (amount === 0) return { amount, relative: false }
  const absolute = pixels[unit]
  if (absolute !== undefined) return { amount: amount * absolute, relative: false }
  return { amount: unit === "em" ? amount : amount / (unit === "ex" || unit === "ch" ? 2 : 100), relative: true }
}
