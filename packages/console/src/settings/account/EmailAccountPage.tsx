import type { EmailGrant, EmailGrantList } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Facts } from "../../component/Facts.tsx"
import { Empty, Page, Section } from "../../component/Page.tsx"
import blocks from "../../design/Blocks.module.css"
import { longTime } from "../../design/Time.ts"
import { accountText } from "../../text/Account.ts"
import type { Action } from "../Listing.ts"
import { PageActions } from "../PageActions.tsx"
import { linesOf } from "../Values.ts"
import { MailboxForm } from "./MailboxForm.tsx"
import { MailboxState } from "./MailboxState.tsx"
import { OwnerReturn, OwnerSignIn } from "./OwnerSignIn.tsx"

const { email: shown, mailbox } = accountText

const connectRelay: Action = {
  label: shown.connectRelay,
  message: shown.connectRelayNote,
  operation: "email.connect",
  fields: [
    { name: "email", label: shown.address, type: "email" },
    { name: "name", label: shown.name, isRequired: false }
  ],
  send: async ({ client, tenantId }, { email = "", name = "" }) => {
    await client.email.connect(tenantId, { provider: "smtp", email, ...(name === "" ? {} : { name }) })
    return null
  }
}

const disconnect = ({ email, grant_id: id }: EmailGrant): Action => ({
  label: shown.disconnect,
  message: shown.disconnectNote(email),
  operation: "email.disconnect",
  send: async ({ client, tenantId }) => {
    await client.email.disconnect(tenantId, id)
    return null
  }
})

const makeDefault = ({ email, grant_id }: EmailGrant): Action => ({
  label: shown.makeDefault,
  message: shown.makeDefaultNote(email),
  operation: "email.setDefaultGrant",
  send: async ({ client, tenantId }) => {
    await client.email.setDefaultGrant(tenantId, { grant_id })
    return null
  }
})

const editAliases = ({ aliases, grant_id }: EmailGrant): Action => ({
  label: shown.editAliases,
  operation: "email.updateAliases",
  fields: [
    {
      name: "aliases",
      label: shown.aliases,
      hint: shown.aliasesHint,
      type: "textarea",
      isRequired: false,
      initial: aliases.join("\n")
    }
  ],
  send: async ({ client, tenantId }, { aliases: lines }) => {
    await client.email.updateAliases(tenantId, { aliases: linesOf(lines), grant_id })
    return null
  }
})

const editSignature = ({ grant_id, signature }: EmailGrant): Action => ({
  label: shown.editSignature,
  operation: "email.updateSignature",
  fields: [
    {
      name: "signature",
      label: shown.signature,
      hint: shown.signatureHint,
      type: "textarea",
      isRequired: false,
      initial: signature ?? ""
    }
  ],
  send: async ({ client, tenantId }, { signature: value = "" }) => {
    await client.email.updateSignature(tenantId, { signature: value, grant_id })
    return null
  }
})

interface AccountProps {
  readonly account: EmailGrant
  readonly providers: EmailGrantList["console_sign_in"]
  /** Whether the account is not the default one. */
  readonly other: boolean
}

interface AccountListProps {
  readonly grants: ReadonlyArray<EmailGrant>
  readonly selected: string
  readonly onSelect: (grantId: string) => void
}

interface ChangedProps {
  readonly onDone: () => void
}

interface ConnectSectionProps extends ChangedProps {
  readonly note: string
  readonly title: string
  readonly providers: EmailGrantList["console_sign_in"]
}

/** The ways to connect an account. `note` states why there is room for one. */
const ConnectSection = ({ note, onDone, providers, title }: ConnectSectionProps) => (
  <Section title={title}>
    <Empty>{note}</Empty>
    <OwnerSignIn providers={providers} />
    <MailboxForm providers={providers} onDone={onDone} />
    <PageActions actions={[connectRelay]} onDone={onDone} />
  </Section>
)

/**
 * An expired account. The owner of a mailbox signs in again or enters a new password, and another account is connected
 * again.
 */
const Expired = ({ account, onDone, providers }: Omit<AccountProps, "other"> & ChangedProps) => {
  const isMailbox = account.provider === "imap"
  const mailboxNote = providers === undefined ? mailbox.expiredNote : mailbox.signedOutNote
  return (
    <>
      <p role="alert" className={blocks.error}>
        {isMailbox ? mailboxNote : shown.expiredNote}
      </p>
      {isMailbox ? <OwnerSignIn again providers={providers} /> : null}
      {isMailbox ? <MailboxForm stored={account} providers={providers} onDone={onDone} /> : null}
    </>
  )
}

/** HTML is shown as its source, because only mails have a frame that is safe for it. */
const AccountSections = ({ account, onDone, other, providers }: ChangedProps & AccountProps) => (
  <>
    <Section title={shown.account}>
      {account.status === "expired" ? <Expired account={account} providers={providers} onDone={onDone} /> : null}
      <Facts
        facts={[
          [shown.provider, shown.providers[account.provider]],
          [shown.address, account.email],
          [shown.name, account.name],
          [shown.state, shown.states[account.status]],
          [shown.since, longTime(account.created_at)]
        ]}
      />
      <PageActions actions={[...(other ? [makeDefault(account)] : []), disconnect(account)]} onDone={onDone} />
    </Section>
    {account.provider === "imap" ? <MailboxState account={account} /> : null}
    <Section title={shown.aliases}>
      {account.aliases.length === 0 ? <p>{shown.noAliases}</p> : null}
      <ul>
        {account.aliases.map((alias) => (
          <li key={alias}>{alias}</li>
        ))}
      </ul>
      <PageActions actions={[editAliases(account)]} onDone={onDone} />
    </Section>
    <Section title={shown.signature}>
      <p className={blocks.body}>{account.signature ?? shown.noSignature}</p>
      <PageActions actions={[editSignature(account)]} onDone={onDone} />
    </Section>
  </>
)

/** The list of several accounts with their states, and the selected one. */
const AccountList = ({ grants, onSelect, selected }: AccountListProps) => (
  <Section title={shown.accounts}>
    <ul>
      {grants.map(({ email, grant_id: id, status }, index) => (
        <li key={id}>
          <button type="button" aria-pressed={id === selected} onClick={() => onSelect(id)}>
            {email}
          </button>{" "}
          {shown.states[status]}. {index === 0 ? shown.isDefault : null}
        </li>
      ))}
    </ul>
  </Section>
)

/** The accounts of a tenant. A single account is shown without a list. */
const Accounts = ({ list, onDone }: ChangedProps & { readonly list: EmailGrantList }) => {
  const { console_sign_in: providers, grants, limit = 1 } = list
  const [chosen, choose] = useState<string | null>(null)
  const account = grants.find(({ grant_id: id }) => id === chosen) ?? grants[0]
  const connecting = { providers, onDone }
  if (account === undefined) return <ConnectSection {...connecting} title={shown.connect} note={shown.empty} />
  return (
    <>
      {grants.length > 1 ? <AccountList grants={grants} selected={account.grant_id} onSelect={choose} /> : null}
      <AccountSections key={account.grant_id} {...connecting} account={account} other={account !== grants[0]} />
      {grants.length < limit ? (
        <ConnectSection {...connecting} title={shown.connectAnother} note={shown.places(grants.length, limit)} />
      ) : null}
    </>
  )
}

/** The interval in milliseconds in which the state of a mailbox is read. */
const syncPollMillis = 10_000

/** The connected email accounts of the tenant with their aliases and signatures, and the ways to connect one. */
export const EmailAccountPage = () => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const queryKey = [tenantId, "email-account"]
  const grants = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.email.listGrants(tenantId, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.grants.some(({ provider }) => provider === "imap") === true ? syncPollMillis : false
  })
  const onDone = () => void queries.invalidateQueries({ queryKey })
  return (
    <Page title={shown.title}>
      <OwnerReturn onDone={onDone} />
      <Loaded query={grants}>{(list) => <Accounts list={list} onDone={onDone} />}</Loaded>
    </Page>
  )
}
