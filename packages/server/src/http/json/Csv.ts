import { protectCell } from "@leadloom/core/internal/domain/text/SpreadsheetCell"

/**
 * Returns one line of CSV (RFC 4180). Every cell is in quotes, and quotes inside a cell are doubled. A cell that a
 * spreadsheet would evaluate gets an apostrophe as prefix.
 */
export const csvLine = (cells: ReadonlyArray<string>): string =>
  `${cells.map((cell) => `"${protectCell(cell).replaceAll('"', '""')}"`).join(",")}\r\n`
