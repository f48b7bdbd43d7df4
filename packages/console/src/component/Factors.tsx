import { factorNames } from "../text/lead/Factors.ts"
import styles from "./Factors.module.css"

interface FactorsProps {
  readonly label: string
  readonly factors: ReadonlyArray<{ readonly name: string; readonly points: number }>
}

const points = new Intl.NumberFormat("en", { signDisplay: "always" })

/** The factors of a score with their points. */
export const Factors = ({ factors, label }: FactorsProps) => (
  <ul className={styles.factors} aria-label={label}>
    {factors.map(({ name, points: value }) => (
      <li key={name}>
        <span>{factorNames[name] ?? name.replaceAll("_", " ")}</span> <strong>{points.format(value)}</strong>
      </li>
    ))}
  </ul>
)
