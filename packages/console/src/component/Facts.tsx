import type { ReactNode } from "react"
import { text } from "../text/Shared.ts"
import styles from "./Facts.module.css"

interface FactsProps {
  /** Labels with their values. Null means that there is no value. */
  readonly facts: ReadonlyArray<readonly [label: string, value: ReactNode]>
}

/** A list of labels and values. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className={styles.facts}>
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value ?? text.none}</dd>
      </div>
    ))}
  </dl>
)
