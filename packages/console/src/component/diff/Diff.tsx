import { text } from "../../text/Shared.ts"
import styles from "./Diff.module.css"
import { type DiffLine, diffLines } from "./DiffLines.ts"

interface DiffProps {
  readonly title: string
  readonly before: string
  readonly after: string
}

const signs = { same: " ", removed: "−", added: "+" } as const

/** The unchanged lines that are shown around a change. */
const context = 3

const isNearChange = (lines: ReadonlyArray<DiffLine>, index: number): boolean =>
  lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== "same")

/** Two texts with their removed and added lines. Unchanged lines are shown next to changes only. */
export const Diff = ({ after, before, title }: DiffProps) => {
  const lines = diffLines(before, after)
  return (
    <figure className={styles.diff}>
      <figcaption>{title}</figcaption>
      <pre className={styles.lines}>
        {/* Texts repeat lines, so the position identifies a line. */}
        {[...lines.entries()].map(([position, { kind, line }]) =>
          isNearChange(lines, position) ? (
            <span key={position} className={styles[kind]}>
              <span aria-hidden="true">{signs[kind]} </span>
              {kind === "same" ? null : <span className={styles.hidden}>{text.diff[kind]} </span>}
              {line}
              {"\n"}
            </span>
          ) : null
        )}
      </pre>
    </figure>
  )
}
