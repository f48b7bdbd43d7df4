/**
 * The sign-in of the owner of a mailbox at Google or Microsoft: the way there, and the return. The secrets of the sign-in
 * stay on the server, which binds it to this tenant and this person. Tests:
 * `packages/console/test/settings/OwnerSignIn.test.ts`.
 */
import { type EmailGrantList, isLeadloomError } from "@leadloom/client"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import { useConnection } from "../../app/Connection.ts"
import { takeMailboxReturn } from "../../app/MailboxReturn.ts"
import { noticeSuccess } from "../../component/Notices.tsx"
import { Row } from "../../component/Page.tsx"
import blocks from "../../design/Blocks.module.css"
import { accountText } from "../../text/Account.ts"
import { MailboxProblem } from "./MailboxProblem.tsx"

const { signIn: shown } = accountText

export type OwnerProvider = NonNullable<EmailGrantList["console_sign_in"]>[number]

export interface OwnerSignInProps {
  readonly providers: EmailGrantList["console_sign_in"]
  /** Whether the owner of a connected account signs in again. */
  readonly again?: boolean
}

/** The buttons that lead to the providers. Hidden from people who may not connect an account. */
export const OwnerSignIn = ({ again = false, providers }: OwnerSignInProps) => {
  const { client, permitted, tenantId } = useConnection()
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (provider: OwnerProvider) => {
      // Every start counts against a limit, so none is repeated automatically.
      const { url } = await client.email.authUrl(tenantId, { provider, maxRetries: 0 })
      location.assign(url)
    }
  })
  if (providers === undefined || !permitted.has("email.authUrl") || !permitted.has("email.callback")) return null
  const labels = again ? shown.again : shown.first
  return (
    <>
      <p className={blocks.muted}>{shown.note}</p>
      <Row>
        {providers.map((provider) => (
          <button key={provider} type="button" disabled={isPending} onClick={() => mutate(provider)}>
            {labels[provider]}
          </button>
        ))}
      </Row>
      {error === null ? null : <MailboxProblem error={error} />}
    </>
  )
}

/** The response of a provider that signed nobody in, as a text for people. */
const refusalOf = (response: URLSearchParams): string =>
  response.get("error") === "access_denied" ? shown.denied : shown.failed(response.get("error") ?? "")

/** Explains why the server did not connect the account. The reasons of an invalid response are in the details. */
const ReturnProblem = ({ error }: { readonly error: Error }) => {
  const issues = isLeadloomError(error, "BAD_REQUEST") ? (error.details ?? []) : []
  if (issues.length === 0) return <MailboxProblem error={error} />
  return (
    <p role="alert" className={blocks.error}>
      {issues.map(({ message }) => message).join(" ")}
    </p>
  )
}

/** Finishes the sign-in after the provider has sent the owner back. Shows nothing if nobody came back. */
export const OwnerReturn = ({ onDone }: { readonly onDone: () => void }) => {
  const { client, tenantId } = useConnection()
  const { error, isPending, mutate } = useMutation({
    mutationFn: async (response: URLSearchParams) => {
      const [code, state] = [response.get("code"), response.get("state") ?? ""]
      if (code === null) throw new Error(refusalOf(response))
      // A code is valid once, so the exchange is not repeated.
      await client.email.callback(tenantId, { code, state }, { maxRetries: 0, timeoutMs: 60_000 })
    },
    onSuccess: () => {
      noticeSuccess(shown.connected)
      onDone()
    }
  })
  const use = useEffectEvent((): void => {
    const response = takeMailboxReturn()
    if (response !== null) mutate(response)
  })
  useEffect(() => use(), [])
  return (
    <>
      {isPending ? <p role="status">{shown.checking}</p> : null}
      {error === null ? null : <ReturnProblem error={error} />}
    </>
  )
}
