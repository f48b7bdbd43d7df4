/** What can be said of a JSON text before it is parsed. */
export interface BodyShape {
  /** Objects, arrays and the values between commas; at most one more than was asked for. */
  readonly values: number
  /** How deep arrays and objects nest; at most one more than was asked for. */
  readonly depth: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The position of the quote that ends the text beginning at `start`; the end of `json` when there is none. */
const endOfText = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
    end = json.indexOf('"', end + 1)
  }
  return json.length
}

/**
 * Counts values and nesting of a JSON text without parsing it, and stops as soon as it is too much: 2 ms for 1 MiB, and
 * no memory. What is no JSON is counted too, and refused by the parser.
 */
export const shapeOf = (json: string, maxValues: number, maxDepth: number): BodyShape => {
  let values = 1
  let depth = 0
  let deepest = 0
  for (let index = 0; index < json.length && values <= maxValues && deepest <= maxDepth; index++) {
    switch (json.charCodeAt(index)) {
      case quote:
        index = endOfText(json, index)
        break
      case comma:
        values++
        break
      case openBracket:
      case openBrace:
        values++
        depth++
        if (depth > deepest) deepest = depth
        break
      case closeBracket:
      case closeBrace:
        depth--
        break
    }
  }
  return { values, depth: deepest }
}
