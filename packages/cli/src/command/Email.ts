import { readFile } from "node:fs/promises"
import { Command, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient, tenantClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { propertyTable, table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { command, connect, type TenantOption } from "../mail/ConnectEmail.ts"

interface SendOptions extends TenantOption {
  readonly to: ReadonlyArray<string>
  readonly cc?: ReadonlyArray<string>
  readonly bcc?: ReadonlyArray<string>
  readonly from?: string
  readonly subject?: string
  readonly body?: string
  readonly replyTo?: string
  readonly key?: string
  readonly override?: ReadonlyArray<string>
}

/** The option that selects one of several accounts. */
interface GrantOption extends TenantOption {
  readonly grant?: string
}

interface SignatureOptions extends GrantOption {
  readonly file?: string
}

const readText = (terminal: Terminal, file: string): Promise<string> =>
  file === "-"
    ? terminal.readInput()
    : readFile(file, "utf8").catch(() => {
        throw usageFailure(`Cannot read ${file}.`)
      })

const grants = (terminal: Terminal): Command =>
  command("grants", "list connected accounts").action(
    action<TenantOption>(terminal, async ({ options, connection, show }) => {
      const found = await adminClient(connection).email.listGrants(options.tenant)
      show(found, () =>
        found.grants.length === 0
          ? "No connected account. Connect one with leadloom email connect.\n"
          : table(
              ["GRANT", "ACCOUNT", "THROUGH", "STATUS"],
              found.grants.map(({ email, grant_id, provider, status }) => [grant_id, email, provider, status])
            )
      )
    })
  )

const setDefault = (terminal: Terminal): Command =>
  command("default", "choose the account from which new email leaves")
    .argument("<grant-id>")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, grantId = "") => {
        const changed = await adminClient(connection).email.setDefaultGrant(options.tenant, { grant_id: grantId })
        show(changed, () => `New email leaves from ${changed.grants[0]?.email ?? grantId}.\n`)
      })
    )

const disconnect = (terminal: Terminal): Command =>
  command("disconnect", "disconnect an account and cancel its unsent mail")
    .argument("<grant-id>")
    .action(
      action<TenantOption>(terminal, async ({ options, connection, show }, grantId = "") => {
        await adminClient(connection).email.disconnect(options.tenant, grantId)
        show({ disconnected: grantId }, () => `Disconnected ${grantId}.\n`)
      })
    )

const send = (terminal: Terminal): Command =>
  command("send", "send an email; reads the body from standard input without --body")
    .requiredOption("--to <address...>", "recipients")
    .option("--cc <address...>", "copy recipients")
    .option("--bcc <address...>", "blind copy recipients")
    .option("--from <address>", "address of the account or of one of its aliases")
    .option("--subject <text>", "the subject")
    .option("--body <text>", "plain text or HTML")
    .option("--reply-to <message-id>", "the message to reply to")
    .addOption(
      new Option("--override <reason...>", "override this reason against sending; needs the admin key").choices([
        "undeliverable"
      ])
    )
    .option("--key <key>", "idempotency key: repeated commands with the same key send one email")
    .action(
      action<SendOptions>(terminal, async ({ options, connection, show }) => {
        const { bcc = [], body, cc = [], from, key, override = [], replyTo, subject, tenant, to } = options
        const people = (addresses: ReadonlyArray<string>) => addresses.map((email) => ({ email }))
        const mail = {
          to: people(to),
          cc: people(cc),
          bcc: people(bcc),
          from: from === undefined ? undefined : { email: from },
          subject,
          body: body ?? (await terminal.readInput()),
          reply_to_message_id: replyTo,
          override: override.length === 0 ? undefined : override.map(() => "undeliverable" as const)
        }
        const client = override.length === 0 ? tenantClient(connection) : adminClient(connection)
        const sent = await client.email.send(tenant, mail, { idempotencyKey: key, actingUser: connection.actingUser })
        const { message_id, receipt, thread_id } = sent
        show(sent, () =>
          propertyTable([
            ["message", message_id],
            ["thread", thread_id ?? "none"],
            ...(receipt === undefined
              ? []
              : [["override", `${receipt.overridden.join(", ")} by ${receipt.by}`] as const])
          ])
        )
      })
    )

const aliases = (terminal: Terminal): Command =>
  command("aliases", "show the aliases, or replace them with the given list; --none removes all")
    .argument("[address...]", "at most 20 addresses of the tenant's domain")
    .option("--none", "remove all aliases")
    .option("--grant <id>", "the account; default: the default account")
    .action(
      action<GrantOption & { readonly none?: boolean }>(terminal, async ({ options, connection, show }, ...given) => {
        const { grant: grant_id, none = false, tenant } = options
        const changed = none || given.length > 0
        const found = changed
          ? await adminClient(connection).email.updateAliases(tenant, { aliases: none ? [] : given, grant_id })
          : await tenantClient(connection).email.getAliases(tenant, { grantId: grant_id })
        show(found, () => (found.aliases.length === 0 ? "No aliases.\n" : `${found.aliases.join("\n")}\n`))
      })
    )

const signature = (terminal: Terminal): Command =>
  command("signature", "replace the signature with a file or standard input; an empty text removes it")
    .option("--file <path>", "file with the signature; - is standard input", "-")
    .option("--grant <id>", "the account; default: the default account")
    .action(
      action<SignatureOptions>(terminal, async ({ options, connection, show }) => {
        const text = (await readText(terminal, options.file ?? "-")).trim()
        const saved = await adminClient(connection).email.updateSignature(options.tenant, {
          signature: text,
          grant_id: options.grant
        })
        show(saved, () => (text === "" ? "Removed the signature.\n" : "Saved the signature.\n"))
      })
    )

/** `leadloom email`: the email accounts of a tenant and its outbound mail. */
export const emailCommand = (terminal: Terminal): Command =>
  new Command("email")
    .description("connect an email account and send through it")
    .addCommand(connect(terminal))
    .addCommand(grants(terminal))
    .addCommand(setDefault(terminal))
    .addCommand(disconnect(terminal))
    .addCommand(send(terminal))
    .addCommand(aliases(terminal))
    .addCommand(signature(terminal))
