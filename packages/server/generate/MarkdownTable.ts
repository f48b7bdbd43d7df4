/** Escapes a text for a table cell. */
export const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** Returns a Markdown table. */
export const markdownTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
