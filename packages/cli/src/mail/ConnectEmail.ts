import type { DiscoveredMailServers, EmailAccount, EmailGrant, Leadloom, MailServer } from "@leadloom/client"
import { Command, InvalidArgumentError, Option } from "commander"
import { action } from "../Action.ts"
import { adminClient } from "../Connection.ts"
import { usageFailure } from "../Failure.ts"
import { secretOf } from "../Secret.ts"
import { propertyTable } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"

/** The option that every command of the group has. */
export interface TenantOption {
  readonly tenant: string
}

interface ConnectOptions extends TenantOption {
  readonly name?: string
  readonly provider: "smtp" | "imap"
  readonly username?: string
  readonly passwordFile?: string
  readonly imap?: MailServer
  readonly smtp?: MailServer
  readonly sinceDays?: number
  readonly flags: boolean
}

/** Creates a command with the option `--tenant`. */
export const command = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption("--tenant <id>", "the tenant")

const grantSheet = ({ aliases, email, grant_id, name, provider, signature, status }: EmailGrant): string =>
  propertyTable([
    ["grant", grant_id],
    ["account", name === null ? email : `${name} <${email}>`],
    ["through", `${provider}, ${status}`],
    ["aliases", aliases.join(", ") || "-"],
    ["signature", signature === null ? "-" : `${signature.length} characters`]
  ])

const securities = ["tls", "starttls", "none"] as const

/** The ports with TLS from the first byte (RFC 8314). */
const tlsPorts = [993, 465]

/** Parses `host:port` or `host:port/starttls`. Without a security, the port determines it. */
const readServer = (text: string): MailServer => {
  const [, host = "", digits = "", given] = /^(.+):(\d{1,5})(?:\/(\w+))?$/u.exec(text) ?? []
  const port = Number(digits)
  const security =
    given === undefined ? (tlsPorts.includes(port) ? "tls" : "starttls") : securities.find((each) => each === given)
  if (host === "" || port < 1 || port > 65_535 || security === undefined) {
    throw new InvalidArgumentError("Must be like mail.example.com:993 or mail.example.com:143/starttls.")
  }
  return { host, port, security }
}

const serverText = ({ host, port, security }: MailServer): string => `${host}:${port}, ${security}`

const show = (terminal: Terminal, { imap, origin, smtp, username }: DiscoveredMailServers): void =>
  terminal.err(
    propertyTable([
      ["IMAP", serverText(imap)],
      ["SMTP", serverText(smtp)],
      ["username", username],
      ["found by", origin]
    ])
  )

/** Returns the servers of the options, completed by discovery. Shows what was found before it is used. */
const chooseServers = async (terminal: Terminal, client: Leadloom, email: string, options: ConnectOptions) => {
  const { imap, smtp, tenant, username } = options
  if (imap !== undefined && smtp !== undefined) return { imap, smtp, username }
  const found = await client.email.autoconfig(tenant, { email })
  const chosen = { imap: imap ?? found.imap, smtp: smtp ?? found.smtp, username: username ?? found.username }
  show(terminal, { ...found, ...chosen })
  const answer = terminal.ask === null ? "y" : await terminal.ask("Log in to these servers? [y/N] ")
  if (!/^y(?:es)?$/iu.test(answer.trim()))
    throw usageFailure("Not connected. Pass other servers with --imap and --smtp.")
  return chosen
}

const readPassword = async (terminal: Terminal, email: string, file: string | undefined): Promise<string> => {
  const given = await secretOf(terminal, undefined, file)
  const password = given ?? (terminal.askSecret === null ? "" : await terminal.askSecret(`Password of ${email}: `))
  if (password === "") throw usageFailure("No password. Pass --password-file <path>; - is standard input.")
  return password
}

const accountOf = async (
  terminal: Terminal,
  client: Leadloom,
  email: string,
  options: ConnectOptions
): Promise<EmailAccount> => {
  const { flags, name, passwordFile, provider, sinceDays } = options
  if (provider === "smtp") return { provider, email, name }
  const servers = await chooseServers(terminal, client, email, options)
  const password = await readPassword(terminal, email, passwordFile)
  return { provider, email, name, password, ...servers, since_days: sinceDays, sets_flags: flags ? undefined : false }
}

/** `leadloom email connect`: connects the operator's relay, or a mailbox with its password. */
export const connect = (terminal: Terminal): Command =>
  command("connect", "connect the tenant's email account, or give a connected mailbox a new password")
    .argument("<email>", "address of the account")
    .option("--name <name>", "sender name")
    .addOption(
      new Option("--provider <provider>", "smtp: the server's relay; imap: a mailbox with its password")
        .choices(["smtp", "imap"])
        .default("smtp")
    )
    .option("--username <name>", "login name of the mailbox; default: the discovered one")
    .option("--password-file <path>", "file with the password; - is standard input; default: a prompt")
    .option("--imap <server>", "host:port[/security]; default: the discovered server", readServer)
    .option("--smtp <server>", "host:port[/security]; default: the discovered server", readServer)
    .option("--since-days <days>", "days that the first sync reaches back; default: 30", wholeNumber(0, 3_650))
    .option("--no-flags", "do not mark mail in the mailbox as read and answered")
    .action(
      action<ConnectOptions>(terminal, async ({ options, connection, show: showResult }, email = "") => {
        const client = adminClient(connection)
        const account = await accountOf(terminal, client, email, options)
        const grant = await client.email.connect(options.tenant, account)
        showResult(grant, () => grantSheet(grant))
      })
    )
