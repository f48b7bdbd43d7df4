import type { MailServer } from "@leadloom/core/internal/domain/mailbox/MailServer"

/** The servers of a large provider. */
export interface MailHoster {
  readonly name: string
  readonly imap: MailServer
  readonly smtp: MailServer
  /** The login name: the address, or its part before the `@`. */
  readonly username: "address" | "local part"
  /** The domains of its addresses. */
  readonly domains: ReadonlyArray<string>
  /** The hosts of its mail exchangers (MX), as suffixes. Domains of customers have them. */
  readonly exchangers: ReadonlyArray<string>
}

const tls = (host: string, port: number): MailServer => ({ host, port, security: "tls" })
const starttls = (host: string, port = 587): MailServer => ({ host, port, security: "starttls" })

interface Facts {
  readonly name: string
  readonly imap: string
  readonly smtp: MailServer
  readonly domains?: string
  readonly exchangers?: string
  readonly username?: "local part"
}

const words = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(" "))

const hoster = ({ domains = "", exchangers = "", imap, name, smtp, username }: Facts) => ({
  name,
  imap: tls(imap, 993),
  smtp,
  username: username ?? ("address" as const),
  domains: words(domains),
  exchangers: words(exchangers)
})

/** Large providers. The source of each row is the provider's own page about mail clients. */
export const mailHosters: ReadonlyArray<MailHoster> = [
  // https://developers.google.com/workspace/gmail/imap/imap-smtp
  hoster({
    name: "Google",
    imap: "imap.gmail.com",
    smtp: tls("smtp.gmail.com", 465),
    domains: "gmail.com googlemail.com",
    exchangers: "google.com googlemail.com"
  }),
  // https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/pop3-and-imap4/pop3-and-imap4
  hoster({
    name: "Microsoft",
    imap: "outlook.office365.com",
    smtp: starttls("smtp.office365.com"),
    domains: "onmicrosoft.com",
    exchangers: "mail.protection.outlook.com mx.microsoft"
  }),
  // https://support.microsoft.com/office/pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040
  hoster({
    name: "Outlook.com",
    imap: "outlook.office365.com",
    smtp: starttls("smtp-mail.outlook.com"),
    domains:
      "outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.co.uk hotmail.de hotmail.fr live.com msn.com"
  }),
  // https://help.yahoo.com/kb/SLN4075.html
  hoster({
    name: "Yahoo",
    imap: "imap.mail.yahoo.com",
    smtp: tls("smtp.mail.yahoo.com", 465),
    domains: "yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.in ymail.com rocketmail.com",
    exchangers: "yahoodns.net"
  }),
  // https://help.aol.com/articles/how-do-i-use-other-email-applications-to-send-and-receive-my-aol-mail
  hoster({ name: "AOL", imap: "imap.aol.com", smtp: tls("smtp.aol.com", 465), domains: "aol.com aim.com" }),
  // https://support.apple.com/102525
  hoster({
    name: "iCloud",
    imap: "imap.mail.me.com",
    smtp: starttls("smtp.mail.me.com"),
    domains: "icloud.com me.com mac.com",
    exchangers: "mail.icloud.com"
  }),
  // https://www.fastmail.help/hc/en-us/articles/1500000278342
  hoster({
    name: "Fastmail",
    imap: "imap.fastmail.com",
    smtp: tls("smtp.fastmail.com", 465),
    domains: "fastmail.com fastmail.fm",
    exchangers: "messagingengine.com"
  }),
  // https://support.gmx.com/pop-imap/imap/server.html and https://hilfe.gmx.net/pop-imap/imap/imap-serverdaten.html
  hoster({ name: "GMX", imap: "imap.gmx.com", smtp: starttls("mail.gmx.com"), domains: "gmx.com gmx.us gmx.co.uk" }),
  hoster({
    name: "GMX",
    imap: "imap.gmx.net",
    smtp: tls("mail.gmx.net", 465),
    domains: "gmx.net gmx.de gmx.at gmx.ch"
  }),
  // https://hilfe.web.de/pop-imap/imap/imap-serverdaten.html
  hoster({ name: "WEB.DE", imap: "imap.web.de", smtp: tls("smtp.web.de", 465), domains: "web.de" }),
  // https://www.ionos.com/help/email/general-topics/server-information-for-imap-pop3-and-smtp/
  hoster({
    name: "IONOS",
    imap: "imap.ionos.com",
    smtp: tls("smtp.ionos.com", 465),
    domains: "ionos.com",
    exchangers: "ionos.com perfora.net"
  }),
  hoster({
    name: "IONOS",
    imap: "imap.ionos.de",
    smtp: tls("smtp.ionos.de", 465),
    domains: "ionos.de online.de onlinehome.de",
    exchangers: "ionos.de kundenserver.de"
  }),
  // https://www.zoho.com/mail/help/imap-access.html. Organizations with a domain of their own have servers of their own.
  hoster({
    name: "Zoho",
    imap: "imap.zoho.com",
    smtp: tls("smtp.zoho.com", 465),
    domains: "zoho.com zohomail.com"
  }),
  hoster({
    name: "Zoho",
    imap: "imappro.zoho.com",
    smtp: tls("smtppro.zoho.com", 465),
    exchangers: "zoho.com"
  }),
  hoster({
    name: "Zoho",
    imap: "imap.zoho.eu",
    smtp: tls("smtp.zoho.eu", 465),
    domains: "zoho.eu zohomail.eu"
  }),
  hoster({
    name: "Zoho",
    imap: "imappro.zoho.eu",
    smtp: tls("smtppro.zoho.eu", 465),
    exchangers: "zoho.eu"
  }),
  // https://kb.mailbox.org/en/private/e-mail-article/setup-mailbox-in-your-mail-client
  hoster({
    name: "mailbox.org",
    imap: "imap.mailbox.org",
    smtp: tls("smtp.mailbox.org", 465),
    domains: "mailbox.org",
    exchangers: "mailbox.org"
  }),
  // https://posteo.de/en/help/how-do-i-set-up-posteo-in-an-email-client-pop3-imap-and-smtp
  hoster({ name: "Posteo", imap: "posteo.de", smtp: tls("posteo.de", 465), domains: "posteo.de posteo.net" }),
  // https://help.ovhcloud.com/csm/en-mx-plan-general-information
  hoster({
    name: "OVHcloud",
    imap: "ssl0.ovh.net",
    smtp: tls("ssl0.ovh.net", 465),
    domains: "ovh.net",
    exchangers: "mail.ovh.net"
  }),
  // https://www.godaddy.com/help/server-and-port-settings-for-workspace-email-6949
  hoster({
    name: "GoDaddy",
    imap: "imap.secureserver.net",
    smtp: tls("smtpout.secureserver.net", 465),
    domains: "secureserver.net",
    exchangers: "secureserver.net"
  }),
  // https://www.namecheap.com/support/knowledgebase/article.aspx/1179
  hoster({
    name: "Namecheap Private Email",
    imap: "mail.privateemail.com",
    smtp: tls("mail.privateemail.com", 465),
    domains: "privateemail.com",
    exchangers: "privateemail.com"
  }),
  // https://yandex.com/support/yandex-360/customers/mail/en/mail-clients/others
  hoster({
    name: "Yandex",
    imap: "imap.yandex.com",
    smtp: tls("smtp.yandex.com", 465),
    domains: "yandex.com yandex.ru",
    exchangers: "yandex.net yandex.ru"
  })
]

const hasSuffix = (host: string, suffix: string): boolean => host === suffix || host.endsWith(`.${suffix}`)

/** Returns the provider of an address by its domain, or null. */
export const hosterOfDomain = (domain: string): MailHoster | null =>
  mailHosters.find(({ domains }) => domains.some((each) => hasSuffix(domain, each))) ?? null

/** Returns the provider of a domain by a host of its MX records, or null. */
export const hosterOfExchanger = (host: string): MailHoster | null =>
  mailHosters.find(({ exchangers }) => exchangers.some((suffix) => hasSuffix(host, suffix))) ?? null
