import { type ReactNode, useId } from "react"
import styles from "./Field.module.css"

/** The attributes that connect a control with its label, hint and error. */
export interface Control {
  readonly id: string
  readonly "aria-describedby"?: string
  readonly "aria-invalid"?: true
}

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** The reason why the value is invalid. Screen readers announce it when it appears. */
  readonly error?: string | null | undefined
  /** Renders the control with the given attributes. */
  readonly children: (control: Control) => ReactNode
}

/** Fields beside each other, as many as fit. */
export const Fields = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.fields}>{children}</div>
)

/** A control of a form with its label, and with a hint or an error below it. */
export const Field = ({ children, error, hint, label }: FieldProps) => {
  const id = useId()
  const isInvalid = error !== undefined && error !== null
  const described = isInvalid || hint !== undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described ? { "aria-describedby": `${id}-note` } : {}),
        ...(isInvalid ? { "aria-invalid": true as const } : {})
      })}
      {described ? (
        <p id={`${id}-note`} className={isInvalid ? styles.error : styles.hint} role={isInvalid ? "alert" : undefined}>
          {isInvalid ? error : hint}
        </p>
      ) : null}
    </div>
  )
}
