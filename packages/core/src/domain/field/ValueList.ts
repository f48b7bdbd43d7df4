/** The separator of several values in one text, for example in a cell of a spreadsheet. */
const separator = ";"

/** Matches a separator, an escaped character, or any other character. */
const parts = /;|\\[\\;]|[^;]/gu

/** Joins values to one text. A backslash precedes separators and backslashes inside a value. */
export const joinValues = (values: ReadonlyArray<string>): string =>
  values.map((value) => value.replace(/[\\;]/gu, "\\$&")).join(separator)

/** Splits a text into the values of `joinValues`. A backslash before any other character is part of the value. */
export const splitValues = (text: string): ReadonlyArray<string> => {
  const values: Array<string> = []
  let value = ""
  for (const [part] of text.matchAll(parts)) {
    if (part === separator) {
      values.push(value)
      value = ""
    } else value += part === "\\;" || part === "\\\\" ? part.slice(1) : part
  }
  return [...values, value]
}
