import type { EmailAccount, MailServer } from "@leadloom/client"
import { accountText } from "../../text/Account.ts"
import { optionOf } from "../Values.ts"

/** The days of mail that are read first. The server has the same default and the same maximum. */
export const defaultDays = 30
export const maxDays = 3650

const valueOf = (data: FormData, name: string): string => String(data.get(name) ?? "")

const serverOf = (data: FormData, name: "imap" | "smtp"): MailServer => ({
  host: valueOf(data, `${name}.host`).trim(),
  port: Number(valueOf(data, `${name}.port`)),
  security: optionOf(accountText.mailbox.securities, valueOf(data, `${name}.security`)) ?? "tls"
})

const firstSettingsOf = (data: FormData) => {
  const name = valueOf(data, "name").trim()
  return {
    ...(name === "" ? {} : { name }),
    since_days: Number(valueOf(data, "days")),
    sets_flags: data.has("flags")
  }
}

/**
 * Returns the mailbox that a form describes. A password keeps its spaces. A known mailbox keeps its other settings, so
 * they are not sent.
 */
export const mailboxOf = (email: string, data: FormData, isKnown: boolean): EmailAccount => ({
  provider: "imap",
  email,
  username: valueOf(data, "username").trim(),
  password: valueOf(data, "password"),
  imap: serverOf(data, "imap"),
  smtp: serverOf(data, "smtp"),
  ...(isKnown ? {} : firstSettingsOf(data))
})
