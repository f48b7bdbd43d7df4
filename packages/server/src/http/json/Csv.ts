/**
 * Characters at the beginning of a cell, also after white space, that make a spreadsheet evaluate it as a formula
 * (OWASP, CSV injection).
 */
const formula = /^[\s\u0000]*[=+\-@\t\r|%＝＋－＠]/u

/**
 * Returns one line of CSV (RFC 4180): every cell in quotes, quotes in it doubled. A cell that a spreadsheet would
 * evaluate is prefixed with an apostrophe.
 */
export const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`).join(",")}\r\n`
