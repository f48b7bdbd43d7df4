import type { FormEvent } from "react"
import { signInText } from "../text/SignIn.ts"
import styles from "./SignIn.module.css"

interface KeyFormProps {
  readonly isChecking: boolean
  readonly onSubmit: (tenant: string, key: string) => void
}

const field = (data: FormData, name: string): string => String(data.get(name) ?? "").trim()

/** Asks for an API key. */
export const KeyForm = ({ isChecking, onSubmit }: KeyFormProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    onSubmit(field(data, "tenant"), field(data, "key"))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>{signInText.keyTitle}</h2>
      <p className={styles.help}>{signInText.help}</p>
      <label className={styles.field}>
        {signInText.tenant}
        <input name="tenant" autoComplete="organization" spellCheck={false} />
      </label>
      <label className={styles.field}>
        {signInText.key}
        <input name="key" type="password" required autoComplete="off" />
      </label>
      <button type="submit" disabled={isChecking}>
        {isChecking ? signInText.checking : signInText.submit}
      </button>
    </form>
  )
}
