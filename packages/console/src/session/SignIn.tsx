/** The sign-in. The session of the tab itself belongs in `app/Session.ts`. Tests: `packages/console/test`. */
import { createClient, isLeadloomError } from "@leadloom/client"
import { type FormEvent, useState } from "react"
import { problemText } from "../app/Problem.ts"
import { type Session, storeSession } from "../app/Session.ts"
import { text } from "../design/Text.ts"
import styles from "./SignIn.module.css"

/** Checks a pasted key with a request that every agent may send. */
const sessionOfKey = async (tenantId: string, credential: string): Promise<Session> => {
  await createClient({ baseUrl: location.origin, credential }).inbox.counts(tenantId)
  return { credential, tenantId, userId: null }
}

const refusalText = (error: unknown): string =>
  isLeadloomError(error, "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND") ? text.signIn.refused : problemText(error)

const field = (data: FormData, name: string): string => String(data.get(name) ?? "").trim()

interface SignInProps {
  /** The reason why the person sees this page. */
  readonly notice: string | null
}

/** The page that asks for an API key. */
export const SignIn = ({ notice }: SignInProps) => {
  const [problem, setProblem] = useState(notice)
  const [isChecking, setChecking] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setChecking(true)
    try {
      storeSession(await sessionOfKey(field(data, "tenant"), field(data, "key")))
      location.replace("/inbox")
    } catch (error) {
      setProblem(refusalText(error))
      setChecking(false)
    }
  }
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <h1>{text.signIn.title}</h1>
        <p className={styles.help}>{text.signIn.help}</p>
        <label className={styles.field}>
          {text.signIn.tenant}
          <input name="tenant" required autoComplete="organization" spellCheck={false} />
        </label>
        <label className={styles.field}>
          {text.signIn.key}
          <input name="key" type="password" required autoComplete="off" />
        </label>
        {problem === null ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <button type="submit" disabled={isChecking}>
          {isChecking ? text.signIn.checking : text.signIn.submit}
        </button>
      </form>
    </main>
  )
}
