/** A person in a mail. */
export interface StandInPerson {
  readonly email: string
  readonly name?: string
}

/** A header field, as sent. */
export interface StandInHeader {
  readonly name: string
  readonly value: string
}

/** A mail to an account, with the fields that a test needs. */
export interface StandInDelivery {
  readonly from: StandInPerson
  /** Default: the account itself. */
  readonly to?: ReadonlyArray<StandInPerson>
  readonly cc?: ReadonlyArray<StandInPerson>
  readonly replyTo?: ReadonlyArray<StandInPerson>
  readonly subject?: string
  /** The body as Nylas returns it: HTML, or text if there is none. */
  readonly body?: string
  /** Without brackets. Default: a new id. */
  readonly messageId?: string
  /** The Message-ID of the answered mail, without brackets. The new mail joins its thread. */
  readonly inReplyTo?: string
  /**
   * Additional header fields. They replace the generated From, To, Cc, Subject, Date, Message-ID, In-Reply-To and
   * References of the same name.
   */
  readonly headers?: ReadonlyArray<StandInHeader>
  readonly attachments?: ReadonlyArray<{
    readonly filename: string
    readonly contentType: string
    readonly content: string | Uint8Array
    readonly contentId?: string
    readonly inline?: boolean
  }>
  readonly folders?: ReadonlyArray<string>
  /** Epoch milliseconds. */
  readonly date?: number
  /** Replaced fields of the JSON. `undefined` removes a field. */
  readonly json?: Readonly<Record<string, unknown>>
}

/** A mail in an account. */
export interface StandInMessage {
  readonly id: string
  readonly threadId: string
  /** Without brackets. */
  readonly messageId: string
  readonly headers: ReadonlyArray<StandInHeader>
  /** Seconds since 1970. */
  readonly date: number
  /** The JSON of `GET`, without the headers. */
  readonly json: Readonly<Record<string, unknown>>
  readonly attachments: ReadonlyMap<string, { readonly contentType: string; readonly content: Uint8Array }>
}

/** An account with the owner's authorisation. */
export interface StandInGrant {
  readonly id: string
  readonly provider: "google" | "microsoft"
  readonly email: string
  /** Further addresses from which the account may send. */
  readonly aliases: Array<string>
  valid: boolean
  /** Oldest first. */
  readonly messages: Array<StandInMessage>
  /** The responses by `Idempotency-Key`; null during the request. */
  readonly answers: Map<string, { readonly request: string; answer: StandInAnswer | null }>
}

/** A response of the stand-in. */
export interface StandInAnswer {
  readonly status: number
  readonly json?: unknown
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

let made = 0
/** Returns an id that is unique in this process. */
export const madeId = (prefix: string): string => `${prefix}${(++made).toString(36).padStart(6, "0")}`

const person = ({ email, name }: StandInPerson): string => (name === undefined ? email : `"${name}" <${email}>`)
const people = (list: ReadonlyArray<StandInPerson>): string => list.map(person).join(", ")

const threadOf = (grant: StandInGrant, inReplyTo: string | undefined): string =>
  grant.messages.find(({ messageId }) => messageId === inReplyTo)?.threadId ?? madeId("t")

const referencesTo = (grant: StandInGrant, inReplyTo: string): string => {
  const answered = grant.messages.find(({ messageId }) => messageId === inReplyTo)
  const before = answered?.headers.find(({ name }) => name === "References")?.value ?? ""
  return `${before} <${inReplyTo}>`.trim()
}

const headersOf = (grant: StandInGrant, mail: StandInDelivery, messageId: string, seconds: number) => {
  const { cc = [], headers = [], inReplyTo, replyTo = [], to = [] } = mail
  const own: ReadonlyArray<readonly [name: string, value: string]> = [
    ["From", person(mail.from)],
    ["To", people(to)],
    ["Cc", people(cc)],
    ["Reply-To", people(replyTo)],
    ["Subject", mail.subject ?? ""],
    ["Date", new Date(seconds * 1_000).toUTCString()],
    ["Message-ID", `<${messageId}>`],
    ["In-Reply-To", inReplyTo === undefined ? "" : `<${inReplyTo}>`],
    ["References", inReplyTo === undefined ? "" : referencesTo(grant, inReplyTo)]
  ]
  const replaced = new Set(headers.map(({ name }) => name.toLowerCase()))
  const kept = own.filter(([name, value]) => value !== "" && !replaced.has(name.toLowerCase()))
  return [...kept.map(([name, value]) => ({ name, value })), ...headers]
}

/** Adds a mail to an account, as its provider would. */
export const put = (grant: StandInGrant, given: StandInDelivery): StandInMessage => {
  const to = given.to ?? [{ email: grant.email }]
  const mail = { ...given, to }
  const id = madeId("m/")
  const date = Math.floor((mail.date ?? Date.now()) / 1_000)
  const host = grant.provider === "google" ? "mail.gmail.example" : "prod.outlook.example"
  const messageId = mail.messageId ?? `${madeId("made.by.the.provider.")}@${host}`
  const attachments = (mail.attachments ?? []).map((each) => ({
    ...each,
    id: madeId("a#"),
    bytes: typeof each.content === "string" ? new TextEncoder().encode(each.content) : each.content
  }))
  const threadId = threadOf(grant, mail.inReplyTo)
  const json = {
    object: "message",
    id,
    grant_id: grant.id,
    thread_id: threadId,
    from: [mail.from],
    to,
    cc: mail.cc ?? [],
    bcc: [],
    reply_to: mail.replyTo ?? [],
    subject: mail.subject ?? "",
    body: mail.body ?? "",
    snippet: (mail.body ?? "").slice(0, 40),
    date,
    folders: mail.folders ?? ["INBOX", "UNREAD"],
    unread: true,
    starred: false,
    attachments: attachments.map((each) => ({
      id: each.id,
      grant_id: grant.id,
      filename: each.filename,
      content_type: each.contentType,
      size: each.bytes.length,
      ...(each.contentId === undefined ? {} : { content_id: each.contentId }),
      is_inline: each.inline ?? false
    })),
    ...mail.json
  }
  const message: StandInMessage = {
    id,
    threadId,
    messageId,
    headers: headersOf(grant, mail, messageId, date),
    date,
    json,
    attachments: new Map(attachments.map((each) => [each.id, { contentType: each.contentType, content: each.bytes }]))
  }
  grant.messages.push(message)
  return message
}
