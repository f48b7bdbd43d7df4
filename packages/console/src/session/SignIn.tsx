/** The sign-in. The session of the tab itself belongs in `app/Session.ts`. Tests: `packages/console/test`. */
import { useEffect, useEffectEvent, useState } from "react"
import { signInText } from "../text/SignIn.ts"
import { enter, type Person, personOf, sessionOfKey, sessionOfPerson, sessionOfTicket } from "./Credentials.ts"
import { KeyForm } from "./KeyForm.tsx"
import { type Provider, readProvider, takeResponse } from "./Provider.ts"
import styles from "./SignIn.module.css"
import { keyProblem, linkProblem, providerProblem } from "./SignInProblem.ts"
import { TenantChoice } from "./TenantChoice.tsx"

/** Takes the ticket out of the address, so that neither the history nor a bookmark contains it. */
const takeTicket = (): string | null => {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket")
  if (ticket !== null) history.replaceState(null, "", location.pathname)
  return ticket
}

const ticketOfLink = takeTicket()
const response = takeResponse()
const provider = readProvider()

const begin = async (at: Provider): Promise<void> => (await import("./CodeFlow.ts")).beginSignIn(at)

/** Finishes the sign-in at the provider. Returns the person if they have to choose a tenant; otherwise opens the console. */
const finish = async (at: Provider, received: URLSearchParams): Promise<Person | null> => {
  const { finishSignIn } = await import("./CodeFlow.ts")
  const person = await personOf(await finishSignIn(at, received))
  const [tenant, ...others] = person.facts.tenant_ids ?? []
  if (tenant === undefined || others.length > 0) return person
  enter(await sessionOfPerson(person, tenant))
  return null
}

interface SignInProps {
  /** The reason why the person sees this page. */
  readonly notice: string | null
}

/** Returns the state of the current attempt to sign in, and a function that makes one. */
const useAttempt = (notice: string | null) => {
  const [problem, setProblem] = useState(notice)
  const [isChecking, setChecking] = useState(false)
  const attempt = async (work: () => Promise<unknown>, explain: (error: unknown) => string): Promise<void> => {
    setProblem(null)
    setChecking(true)
    try {
      await work()
    } catch (error) {
      setProblem(explain(error))
    }
    setChecking(false)
  }
  return { problem, isChecking, attempt }
}

/** The page that signs in: with a link, at the identity provider, or with an API key. */
export const SignIn = ({ notice }: SignInProps) => {
  const { attempt, isChecking, problem } = useAttempt(notice)
  const [person, setPerson] = useState<Person | null>(null)
  const useAddress = useEffectEvent((): void => {
    if (ticketOfLink !== null) void attempt(async () => enter(await sessionOfTicket(ticketOfLink)), linkProblem)
    else if (provider !== null && response !== null)
      void attempt(async () => setPerson(await finish(provider, response)), providerProblem)
  })
  useEffect(() => useAddress(), [])
  return (
    <main className={styles.page}>
      <div className={styles.form}>
        <title>{signInText.title}</title>
        <h1>{signInText.title}</h1>
        {problem === null ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        {person !== null ? (
          <TenantChoice
            tenants={person.facts.tenant_ids}
            isChecking={isChecking}
            onChoose={(tenant) =>
              void attempt(async () => enter(await sessionOfPerson(person, tenant)), providerProblem)
            }
          />
        ) : (
          <>
            {provider === null ? (
              <p>{signInText.link}</p>
            ) : (
              <button
                type="button"
                disabled={isChecking}
                onClick={() => void attempt(() => begin(provider), providerProblem)}
              >
                {isChecking ? signInText.checking : signInText.organisation}
              </button>
            )}
            <KeyForm
              isChecking={isChecking}
              onSubmit={(tenant, key) => void attempt(async () => enter(await sessionOfKey(tenant, key)), keyProblem)}
            />
          </>
        )}
      </div>
    </main>
  )
}
