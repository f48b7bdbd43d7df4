/**
 * The form that connects a mailbox with its password, in two steps: the address, and the login at its servers. The
 * server checks both logins before it stores anything. If the mailbox is at a provider where the owner can sign in, the
 * sign-in comes first. Tests: `packages/console/test/settings/MailboxForm.test.ts`.
 */
import { type DiscoveredMailServers, type EmailGrant, isLeadloomError } from "@leadloom/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Field, Fields } from "../../component/Field.tsx"
import { noticeSuccess } from "../../component/Notices.tsx"
import { Row } from "../../component/Page.tsx"
import { accountText } from "../../text/Account.ts"
import { text } from "../../text/Shared.ts"
import { defaultDays, mailboxOf, maxDays } from "./MailboxFields.ts"
import { issueAt, MailboxProblem } from "./MailboxProblem.tsx"
import { OwnerSignIn, type OwnerProvider, type OwnerSignInProps } from "./OwnerSignIn.tsx"
import { ServerFields } from "./ServerFields.tsx"

const { mailbox: shown } = accountText

/** The timeout in milliseconds. The server searches for 8 s, and logs in to two servers with 15 s each. */
const connectTimeoutMs = 60_000

const AddressStep = ({ onAddress }: { readonly onAddress: (address: string) => void }) => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onAddress(String(new FormData(event.currentTarget).get("email")).trim())
  }
  return (
    <form aria-label={shown.title} onSubmit={submit}>
      <Field label={shown.address} hint={shown.addressHint}>
        {(control) => <input {...control} name="email" type="email" required autoComplete="off" />}
      </Field>
      <button type="submit">{shown.find}</button>
    </form>
  )
}

/** The settings of a first connection. A new password leaves them as they are. */
const FirstSettings = () => (
  <>
    <Fields>
      <Field label={shown.name}>{(control) => <input {...control} name="name" autoComplete="off" />}</Field>
      <Field label={shown.days} hint={shown.daysHint}>
        {(control) => (
          <input {...control} name="days" type="number" required min={0} max={maxDays} defaultValue={defaultDays} />
        )}
      </Field>
    </Fields>
    <p>
      <label>
        <input type="checkbox" name="flags" defaultChecked /> {shown.flags}
      </label>
    </p>
  </>
)

interface LoginFieldsProps {
  readonly username: string
  readonly error: Error | null
}

const LoginFields = ({ error, username }: LoginFieldsProps) => (
  <Fields>
    <Field label={shown.username} error={issueAt(error, "username")}>
      {(control) => <input {...control} name="username" required autoComplete="off" defaultValue={username} />}
    </Field>
    <Field label={shown.password} hint={shown.passwordHint} error={issueAt(error, "password")}>
      {(control) => <input {...control} name="password" type="password" required autoComplete="off" />}
    </Field>
  </Fields>
)

/** Leads the owner to the provider of the mailbox. A password is still possible, because Google accepts app passwords. */
const SignInStep = ({ address, onBack, onPassword, provider }: SignInStepProps) => (
  <section aria-label={shown.title}>
    <p role="status">{shown.signInFirst[provider](address)}</p>
    <OwnerSignIn providers={[provider]} />
    <Row>
      <button type="button" onClick={onPassword}>
        {shown.enterPassword}
      </button>
      <button type="button" onClick={onBack}>
        {shown.otherAddress}
      </button>
    </Row>
  </section>
)

interface SignInStepProps {
  readonly address: string
  readonly provider: OwnerProvider
  readonly onPassword: () => void
  readonly onBack: () => void
}

/** Chooses between the sign-in at the provider and the password. */
const ConnectStep = (props: LoginStepProps) => {
  const { address, found, onBack, providers } = props
  const [usesPassword, setUsesPassword] = useState(false)
  const provider = found?.sign_in?.provider
  if (usesPassword || provider === undefined || providers?.includes(provider) !== true) return <LoginStep {...props} />
  return <SignInStep address={address} provider={provider} onBack={onBack} onPassword={() => setUsesPassword(true)} />
}

interface LoginStepProps extends MailboxFormProps {
  readonly address: string
  readonly found: DiscoveredMailServers | null
  readonly onBack: () => void
}

const LoginStep = ({ address, found, onBack, onDone, stored }: LoginStepProps) => {
  const { client, tenantId } = useConnection()
  const form = useRef<HTMLFormElement>(null)
  // The pressed button of the step before has gone, and the focus with it.
  useEffect(() => form.current?.querySelector("input")?.focus(), [])
  const { error, isPending, mutate } = useMutation({
    // The password is no variable of the mutation, because the cache of mutations would keep it.
    mutationFn: async () => {
      if (form.current === null) return
      const account = mailboxOf(address, new FormData(form.current), stored !== undefined)
      // Every attempt counts against a limit, so none is repeated automatically.
      await client.email.connect(tenantId, account, { maxRetries: 0, timeoutMs: connectTimeoutMs })
    },
    onSettled: () => {
      const password = form.current?.elements.namedItem("password")
      if (password instanceof HTMLInputElement) password.value = ""
    },
    onSuccess: () => {
      noticeSuccess(shown.connected)
      onDone()
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <form ref={form} aria-label={shown.title} onSubmit={submit}>
      <p role="status">{found === null ? shown.notFound(address) : shown.found(address, found.origin)}</p>
      {found?.sign_in === undefined ? null : <p>{shown.passwordNotes[found.sign_in.provider]}</p>}
      <LoginFields error={error} username={found?.username ?? address} />
      <ServerFields name="imap" found={found?.imap} error={error} />
      <ServerFields name="smtp" found={found?.smtp} error={error} />
      {stored === undefined ? <FirstSettings /> : null}
      {error === null ? null : <MailboxProblem error={error} />}
      <Row>
        <button type="submit" disabled={isPending}>
          {isPending ? shown.checking : shown.connect}
        </button>
        <button type="button" disabled={isPending} onClick={onBack}>
          {stored === undefined ? shown.otherAddress : text.confirm.cancel}
        </button>
      </Row>
    </form>
  )
}

/** Searches the servers of the address, and shows them before they are used. */
const FoundServers = (props: Omit<LoginStepProps, "found">) => {
  const { address, onBack } = props
  const { client, tenantId } = useConnection()
  const servers = useQuery({
    queryKey: [tenantId, "mail-servers", address],
    queryFn: async ({ signal }): Promise<DiscoveredMailServers | null> => {
      try {
        return await client.email.autoconfig(tenantId, { email: address, signal })
      } catch (error) {
        if (isLeadloomError(error, "NOT_FOUND")) return null
        throw error
      }
    }
  })
  return (
    <>
      <Loaded query={servers}>{(found) => <ConnectStep {...props} found={found} />}</Loaded>
      {servers.data === undefined ? (
        <button type="button" onClick={onBack}>
          {text.confirm.cancel}
        </button>
      ) : null}
    </>
  )
}

interface MailboxFormProps {
  /** The providers at which owners can sign in from the console. */
  readonly providers: OwnerSignInProps["providers"]
  /** The expired account that gets a new password. Without it, the form connects a first account. */
  readonly stored?: EmailGrant | undefined
  readonly onDone: () => void
}

/** Connects a mailbox, or enters the new password of one. Hidden from people who may not do that. */
export const MailboxForm = ({ onDone, providers, stored }: MailboxFormProps) => {
  const { permitted } = useConnection()
  const [address, setAddress] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setAddress(null)
    setOpen(false)
  }
  if (!permitted.has("email.connect")) return null
  if (address !== null)
    return <FoundServers stored={stored} address={address} providers={providers} onBack={close} onDone={onDone} />
  if (isOpen) return <AddressStep onAddress={setAddress} />
  const open = (): void => (stored === undefined ? setOpen(true) : setAddress(stored.email))
  return (
    <Row>
      <button type="button" onClick={open}>
        {stored === undefined ? shown.title : shown.newPassword}
      </button>
    </Row>
  )
}
