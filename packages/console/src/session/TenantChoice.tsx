import type { FormEvent } from "react"
import { signInText } from "../text/SignIn.ts"
import styles from "./SignIn.module.css"

interface TenantChoiceProps {
  /** The tenants of the person; null: every tenant. */
  readonly tenants: ReadonlyArray<string> | null
  readonly isChecking: boolean
  readonly onChoose: (tenantId: string) => void
}

/** Asks a person with several tenants for one. */
export const TenantChoice = ({ isChecking, onChoose, tenants }: TenantChoiceProps) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onChoose(String(new FormData(event.currentTarget).get("tenant") ?? "").trim())
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <h2>{signInText.choose}</h2>
      <label className={styles.field}>
        {signInText.tenant}
        {tenants === null ? (
          <input name="tenant" required autoComplete="organization" spellCheck={false} />
        ) : (
          <select name="tenant">
            {tenants.map((tenant) => (
              <option key={tenant}>{tenant}</option>
            ))}
          </select>
        )}
      </label>
      <button type="submit" disabled={isChecking}>
        {isChecking ? signInText.checking : signInText.open}
      </button>
    </form>
  )
}
