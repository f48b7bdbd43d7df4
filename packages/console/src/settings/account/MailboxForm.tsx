/**
 * The form that connects a mailbox with its password, in two steps: the address, and the login at its servers. The
 * server checks both logins before it stores anything. Tests: `packages/console/test/settings/MailboxForm.test.ts`.
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
      <Loaded query={servers}>{(found) => <LoginStep {...props} found={found} />}</Loaded>
      {servers.data === undefined ? (
        <button type="button" onClick={onBack}>
          {text.confirm.cancel}
        </button>
      ) : null}
    </>
  )
}

interface MailboxFormProps {
  /** The expired account that gets a new password. Without it, the form connects a first account. */
  readonly stored?: EmailGrant | undefined
  readonly onDone: () => void
}

/** Connects a mailbox, or enters the new password of one. Hidden from people who may not do that. */
export const MailboxForm = ({ onDone, stored }: MailboxFormProps) => {
  const { permitted } = useConnection()
  const [address, setAddress] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setAddress(null)
    setOpen(false)
  }
  if (!permitted.has("email.connect")) return null
  if (address !== null) return <FoundServers stored={stored} address={address} onBack={close} onDone={onDone} />
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
