/** Formats rows as aligned columns. The last column has no padding. */
export const table = (headers: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [headers, ...rows]
  const widths = headers.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  return `${all.map(line).join("\n")}\n`
}

/** Formats names and values as two columns, one pair per line. */
export const propertyTable = (entries: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...entries.map(([name]) => name.length))
  return `${entries.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n")}\n`
}
