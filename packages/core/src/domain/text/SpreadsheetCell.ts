/**
 * Matches a cell that a spreadsheet would evaluate as a formula (OWASP, CSV injection), possibly with protecting
 * apostrophes. The formula begins with one of these characters, possibly after white space.
 */
const formula = /^'*[\s\u0000]*[=+\-@\t\r|%＝＋－＠]/u

/** Puts an apostrophe before a text that a spreadsheet would evaluate. A protected text gets a further one. */
export const protectCell = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Removes the apostrophe of `protectCell`. */
export const unprotectCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell
