import type { EmailGrant } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
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

const editAliases = ({ aliases }: EmailGrant): Action => ({
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
    await client.email.updateAliases(tenantId, { aliases: linesOf(lines) })
    return null
  }
})

const editSignature = ({ signature }: EmailGrant): Action => ({
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
    await client.email.updateSignature(tenantId, { signature: value })
    return null
  }
})

interface ChangedProps {
  readonly onDone: () => void
}

/** The ways to connect an account, while the tenant has none. */
const ConnectSection = ({ onDone }: ChangedProps) => (
  <Section title={shown.connect}>
    <Empty>{shown.empty}</Empty>
    <MailboxForm onDone={onDone} />
    <PageActions actions={[connectRelay]} onDone={onDone} />
  </Section>
)

/** An expired account. A mailbox gets a new password, and another account is connected again. */
const Expired = ({ account, onDone }: ChangedProps & { readonly account: EmailGrant }) => {
  const isMailbox = account.provider === "imap"
  return (
    <>
      <p role="alert" className={blocks.error}>
        {isMailbox ? mailbox.expiredNote : shown.expiredNote}
      </p>
      {isMailbox ? <MailboxForm stored={account} onDone={onDone} /> : null}
    </>
  )
}

/** HTML is shown as its source, because only mails have a frame that is safe for it. */
const AccountSections = ({ account, onDone }: ChangedProps & { readonly account: EmailGrant }) => (
  <>
    <Section title={shown.account}>
      {account.status === "expired" ? <Expired account={account} onDone={onDone} /> : null}
      <Facts
        facts={[
          [shown.provider, shown.providers[account.provider]],
          [shown.address, account.email],
          [shown.name, account.name],
          [shown.state, shown.states[account.status]],
          [shown.since, longTime(account.created_at)]
        ]}
      />
      <PageActions actions={[disconnect(account)]} onDone={onDone} />
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

/** The interval in milliseconds in which the state of a mailbox is read. */
const syncPollMillis = 10_000

/** The connected email account of the tenant with its aliases and its signature, or the ways to connect one. */
export const EmailAccountPage = () => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const queryKey = [tenantId, "email-account"]
  const grants = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.email.listGrants(tenantId, { signal })).grants,
    refetchInterval: ({ state: { data } }) => (data?.[0]?.provider === "imap" ? syncPollMillis : false)
  })
  const onDone = () => void queries.invalidateQueries({ queryKey })
  return (
    <Page title={shown.title}>
      <Loaded query={grants}>
        {([account]) =>
          account === undefined ? (
            <ConnectSection onDone={onDone} />
          ) : (
            <AccountSections account={account} onDone={onDone} />
          )
        }
      </Loaded>
    </Page>
  )
}
