/** Draws bar charts as SVG, without a dependency. */

/** A bar and the mark of its goal, in the same unit. */
export interface Bar {
  readonly label: string
  readonly value: number
  readonly goal: number
  readonly isMet: boolean
}

const [width, labelWidth, valueWidth, rowHeight, top] = [720, 300, 70, 24, 34]
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escape = (text: string): string => text.replace(/[&<>"]/gu, (character) => escapes[character] ?? character)

/** Returns an SVG with one horizontal bar per row. A vertical mark shows the goal. The colours suit both themes. */
export const barChart = (title: string, bars: ReadonlyArray<Bar>): string => {
  const most = Math.max(...bars.flatMap(({ goal, value }) => [goal, value]), Number.EPSILON)
  const room = width - labelWidth - valueWidth
  const scale = (value: number): number => Math.round((value / most) * room * 10) / 10
  const rows = bars.map(({ goal, isMet, label, value }, index) => {
    const y = top + index * rowHeight
    const mark = labelWidth + scale(goal)
    return [
      `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${escape(label)}</text>`,
      `<rect x="${labelWidth}" y="${y + 2}" width="${scale(value)}" height="14" fill="${isMet ? "#3b8f5a" : "#c4722d"}"/>`,
      `<path d="M${mark} ${y}v18" stroke="#888" stroke-width="2"/>`,
      `<text x="${labelWidth + scale(Math.max(value, goal)) + 6}" y="${y + 13}">${value}</text>`
    ].join("\n")
  })
  const height = top + bars.length * rowHeight + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#888" role="img">
<title>${escape(title)}</title>
<text x="8" y="20" font-size="14" font-weight="bold">${escape(title)}: ratio, with a mark at the target</text>
${rows.join("\n")}
</svg>
`
}
