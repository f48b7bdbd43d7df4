/**
 * Matches a cell that a spreadsheet would evaluate as a formula (OWASP, CSV injection). The cell begins with one of
 * these characters, possibly after white space.
 */
const formula = /^[\s\u0000]*[=+\-@\t\r|%＝＋－＠]/u

/**
 * Returns one line of CSV (RFC 4180). Every cell is in quotes, and quotes inside a cell are doubled. A cell that a
 * spreadsheet would evaluate gets an apostrophe as prefix.
 */
export const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`).join(",")}\r\n`
