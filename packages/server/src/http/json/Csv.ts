/** Characters with which a spreadsheet takes a cell for a formula (OWASP, CSV injection), also behind white space. */
const formula = /^[\s\u0000]*[=+\-@\t\r|%＝＋－＠]/u

/**
 * One line of CSV (RFC 4180): every cell in quotes, quotes in it doubled. A cell that a spreadsheet would calculate gets
 * an apostrophe before it and is a text.
 */
export const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => `"${(formula.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`).join(",")}\r\n`
