import { count } from "./Count.ts"

const number = new Intl.NumberFormat("en")

/** The texts of the settings of the email account, the form and billing. */
export const accountText = {
  email: {
    title: "Email account",
    connect: "Connect an account",
    empty: "No email account is connected. Leadloom sends and receives email through the account.",
    connectRelay: "Use the relay of this server",
    connectRelayNote: "Sends email through the SMTP relay of this server, from an address of your domain.",
    account: "Account",
    accounts: "Accounts",
    connectAnother: "Connect another account",
    places: (used: number, limit: number) => `${used} of ${limit} accounts are connected.`,
    isDefault: "New email leaves from this account.",
    makeDefault: "Send new email from this account",
    makeDefaultNote: (address: string) =>
      `New email leaves from ${address}. Answers leave from the account that received the email.`,
    provider: "Provider",
    providers: { smtp: "Relay of this server", imap: "Mailbox (IMAP)", google: "Google", microsoft: "Microsoft" },
    address: "Address",
    name: "Name of the sender",
    state: "State",
    states: { active: "Active", expired: "Expired" },
    expiredNote:
      "The provider no longer accepts the sign-in, so no email is sent. Disconnect the account and connect it again.",
    since: "Connected",
    disconnect: "Disconnect",
    disconnectNote: (address: string) =>
      `Queued emails of ${address} are not sent. Stored messages stay, and the address can be connected again.`,
    aliases: "Aliases",
    noAliases: "No aliases. An alias is another address from which the account may send.",
    aliasesHint: "Addresses of your domain, one per line; at most 20.",
    editAliases: "Edit aliases",
    signature: "Signature",
    noSignature: "No signature.",
    signatureHint: "Plain text or HTML, at most 4,096 characters. Every outgoing email ends with it.",
    editSignature: "Edit signature"
  },
  mailbox: {
    title: "Connect a mailbox",
    newPassword: "Enter the new password",
    expiredNote:
      "The mail server no longer accepts the password, so no email is sent or received. Enter the new password.",
    signedOutNote:
      "The mail server no longer accepts the login, so no email is sent or received. Sign in again, or enter the new password.",
    address: "Address of the mailbox",
    addressHint: "Leadloom searches the mail servers of the address, and shows them before it uses them.",
    find: "Find the servers",
    found: (address: string, origin: string) =>
      `Found the servers of ${address} (${origin}). Check them before you connect.`,
    notFound: (address: string) =>
      `Found no servers of ${address}. Enter those that your mail provider publishes, often on a page about IMAP.`,
    signInFirst: {
      google: (address: string) => `${address} is at Google. Sign in there, then no password is necessary.`,
      microsoft: (address: string) =>
        `${address} is at Microsoft, which accepts no passwords over IMAP and SMTP. Sign in there.`
    },
    enterPassword: "Enter a password instead",
    passwordNotes: {
      google:
        "Google rejects the password of the account. Switch on 2-Step Verification in the Google Account, create an app password there, and enter it here.",
      microsoft:
        "Microsoft accepts no passwords over IMAP and SMTP. Ask the operator of this server to set up the sign-in at Microsoft."
    },
    username: "Username",
    password: "Password",
    passwordHint: "Google, Yahoo, iCloud and others demand an app password. After an error, enter the password again.",
    servers: { imap: "IMAP server (reads mail)", smtp: "SMTP server (sends mail)" },
    host: "Host",
    hostHints: { imap: "For example imap.acme.com", smtp: "For example smtp.acme.com" },
    port: "Port",
    portHints: {
      imap: "Usually 993 with TLS, or 143 with STARTTLS",
      smtp: "Usually 465 with TLS, or 587 with STARTTLS"
    },
    security: "Security",
    securities: { tls: "TLS", starttls: "STARTTLS", none: "None, only for hosts that the operator permits" },
    name: "Name of the sender (optional)",
    days: "Days of mail to read first",
    daysHint: "0 to 3,650. Older mail stays in the mailbox only.",
    flags: "Mark mail in the mailbox as read and as answered",
    connect: "Connect",
    checking: "Checking both logins…",
    connected: "The mailbox is connected.",
    otherAddress: "Use another address",
    notConnected: (reason: string) => `Not connected. ${reason}`,
    tooMany: (minutes: number) => `Too many attempts. Try again in ${count(minutes, "minute", "minutes")}.`,
    sync: {
      title: "Reading of the mailbox",
      lastSync: "Last read",
      never: "Not yet",
      error: (reason: string) => `The mailbox cannot be read now. Leadloom tries again. ${reason}`,
      folders: "Folders",
      folder: "Folder",
      messages: "Emails read",
      progress: "Older mail",
      complete: "Complete",
      incomplete: "Being read",
      readAt: "Read at"
    },
    failed: "The login failed.",
    failedAt: (server: string) => `${server}: the login failed.`,
    nextSteps: {
      login: "Correct the username or the password.",
      app_password: "Create an app password in the settings of the mail account, and enter it as the password.",
      disabled: "Switch IMAP or SMTP on in the settings of the mail account.",
      tls: "Correct the host, the port or the security. A self-signed certificate is rejected.",
      protocol: "Correct the port.",
      refused_host: "Ask the operator of this server to permit the host."
    }
  },
  signIn: {
    first: { google: "Sign in with Google", microsoft: "Sign in with Microsoft" },
    again: { google: "Sign in with Google again", microsoft: "Sign in with Microsoft again" },
    note: "The owner of the account signs in at the provider. Leadloom never sees the password.",
    checking: "Connecting the account…",
    connected: "The account is connected.",
    denied: "The provider received no consent. Sign in again, and permit access to mail.",
    failed: (reason: string) => `The provider reported ${reason}. Try again later.`
  },
  form: {
    title: "Form",
    settings: "Settings of the form",
    state: "State",
    states: { on: "Accepts submissions", off: "Off" },
    origins: "Websites",
    originsHint: "The origins of the pages with the form, one per line, for example https://www.acme.com",
    fields: "Additional fields",
    fieldsHint: "One name per line. Without additional fields, all submitted fields are stored.",
    thanks: "Page after the submission",
    verification: "Verification",
    verifications: { none: "None", proof_of_work: "Proof of work", turnstile: "Turnstile" },
    preview: "Preview",
    html: "HTML",
    copy: "Copy the HTML",
    copied: "Copied",
    htmlLabel: "Copy this into your website",
    htmlHint: "A verification also needs the script in examples/public-form.",
    visitor: { name: "Name", email: "Email", phone: "Phone", message: "Message", send: "Send" }
  },
  tracking: {
    title: "Link tracking",
    state: "State",
    states: { on: "On", off: "Off" },
    setting: "Setting",
    about:
      "Links in the HTML of emails of sequences and rules lead over this server, which records the times of the first and later openings. Emails that people write are never changed. No IP address, device or location is stored. Programs that check mail open links too.",
    consent: "Consent of the contacts",
    law: "The recording observes a person, so laws such as the GDPR may require consent. Clarify this before you switch it on.",
    optOut:
      "A contact can object: record this on the page of the contact, under Identities. Later emails to the address then have untracked links, and openings of earlier ones are not recorded.",
    offNote:
      "After you switch it off, nothing more is recorded. The links of earlier emails still lead to their pages.",
    adminsOnly: "Only administrators can change this setting.",
    switchOn: "Switch link tracking on",
    switchOff: "Switch link tracking off"
  },
  billing: {
    title: "Billing",
    plan: "Plan",
    plans: { trial: "Trial", starter: "Starter", growth: "Growth", scale: "Scale" },
    paidPlans: { starter: "Starter", growth: "Growth", scale: "Scale" },
    activate: "Activate plan",
    activateNote: "Ends the trial, changes the plan or withdraws the cancellation. A plan may need a payment first.",
    buy: "Buy credits",
    portal: "Invoices and card",
    leaveNote: "You continue on a page of the payment provider.",
    state: "State",
    states: {
      trialing: "Trial",
      active: "Active",
      past_due: "Payment is late",
      unpaid: "Unpaid",
      paused: "Paused",
      canceled: "Canceled",
      incomplete: "First payment is missing",
      incomplete_expired: "First payment was never made"
    },
    trialEnds: "Trial ends",
    periodEnds: "Paid until",
    graceEnds: "Plan ends without payment",
    credits: "Credits",
    usage: "Usage in this month",
    actions: "Actions",
    modelCalls: "Model calls",
    used: (label: string, used: number, cap: number) => `${label}: ${number.format(used)} of ${number.format(cap)}`,
    tokens: (input: number, output: number) =>
      `The model read ${count(input, "token", "tokens")} and wrote ${count(output, "token", "tokens")}.`,
    transactions: "Credit transactions",
    noTransactions: "No transactions.",
    time: "Time",
    kind: "Cause",
    kinds: {
      grant: "Grant",
      purchase: "Purchase",
      use: "Use",
      refund: "Refund",
      adjustment: "Adjustment",
      expire: "Expiry"
    },
    amount: "Credits",
    balance: "Balance",
    note: "Note"
  }
} as const
