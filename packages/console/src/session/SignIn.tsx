/** The sign-in. The session of the tab itself belongs in `app/Session.ts`. Tests: `packages/console/test`. */
import { createClient, type CredentialFacts, isLeadloomError } from "@leadloom/client"
import { type FormEvent, useEffect, useEffectEvent, useState } from "react"
import { problemText } from "../app/Problem.ts"
import { type Session, storeSession } from "../app/Session.ts"
import { signInText } from "../text/SignIn.ts"
import styles from "./SignIn.module.css"

const factsOf = (credential: string): Promise<CredentialFacts> =>
  createClient({ baseUrl: location.origin, credential }).credential.get()

/** The key is valid, but not for the named tenant. */
class OtherTenant extends Error {}

/** Returns the tenant that a key opens if the person names none: its own, or the first one for the operator. */
const defaultTenant = async (credential: string, facts: CredentialFacts): Promise<string> => {
  const client = createClient({ baseUrl: location.origin, credential })
  const tenants = facts.tenant_ids ?? (await client.tenants.list({ limit: 1 })).tenants.map(({ tenant_id: id }) => id)
  const [first] = tenants
  if (first === undefined) throw new OtherTenant()
  return first
}

/** Checks a pasted key, which acts as no user. */
const sessionOfKey = async (named: string, credential: string): Promise<Session> => {
  const facts = await factsOf(credential)
  const tenantId = named === "" ? await defaultTenant(credential, facts) : named
  if (facts.tenant_ids !== null && !facts.tenant_ids.includes(tenantId)) throw new OtherTenant()
  return { credential, tenantId, userId: null, facts, expiresAt: null }
}

/** Exchanges the ticket of a sign-in link for a session. A ticket is valid once. */
const sessionOfTicket = async (ticket: string): Promise<Session> => {
  const minted = await createClient({ baseUrl: location.origin }).sessions.mint({ ticket })
  const { expires_at: expiresAt, tenant_id: tenantId, token: credential, user_id: userId } = minted
  return { credential, tenantId, userId, expiresAt, facts: await factsOf(credential) }
}

/** Takes the ticket out of the address, so that neither the history nor a bookmark contains it. */
const takeTicket = (): string | null => {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket")
  if (ticket !== null) history.replaceState(null, "", location.pathname)
  return ticket
}

const ticketOfLink = takeTicket()

const refusalText = (error: unknown): string =>
  error instanceof OtherTenant || isLeadloomError(error, "UNAUTHORIZED", "FORBIDDEN")
    ? signInText.refused
    : problemText(error)

const field = (data: FormData, name: string): string => String(data.get(name) ?? "").trim()

interface SignInProps {
  /** The reason why the person sees this page. */
  readonly notice: string | null
}

/** Signs in with the ticket of the link, if the address contains one. */
const useLink = (onRefused: (problem: string) => void): void => {
  const signIn = useEffectEvent(async (ticket: string): Promise<void> => {
    try {
      storeSession(await sessionOfTicket(ticket))
      location.replace("/inbox")
    } catch (error) {
      onRefused(isLeadloomError(error, "UNAUTHORIZED", "BAD_REQUEST") ? signInText.usedLink : problemText(error))
    }
  })
  useEffect(() => {
    if (ticketOfLink !== null) void signIn(ticketOfLink)
  }, [])
}

/** The page that asks for an API key, unless the person follows a sign-in link. */
export const SignIn = ({ notice }: SignInProps) => {
  const [problem, setProblem] = useState(notice)
  const [isChecking, setChecking] = useState(ticketOfLink !== null)
  useLink((refusal) => {
    setProblem(refusal)
    setChecking(false)
  })
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
        <h1>{signInText.title}</h1>
        <p className={styles.help}>{signInText.help}</p>
        <label className={styles.field}>
          {signInText.tenant}
          <input name="tenant" autoComplete="organization" spellCheck={false} />
        </label>
        <label className={styles.field}>
          {signInText.key}
          <input name="key" type="password" required autoComplete="off" />
        </label>
        {problem === null ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <button type="submit" disabled={isChecking}>
          {isChecking ? signInText.checking : signInText.submit}
        </button>
      </form>
    </main>
  )
}
