import type { AgentDraft, AttachedFile, Recipient } from "@leadloom/client"

/** The channels on which a person can write. */
export type WritingChannel = AgentDraft["channel"]

/** What a person has written. */
export interface DraftContent {
  readonly body: string
  /** Empty: the subject of the answered email. */
  readonly subject: string
  /** The address of the sender. Empty: the account that received the answered email, or the default account. */
  readonly from: string
  /** Email addresses, separated by commas or spaces. */
  readonly cc: string
  readonly bcc: string
  readonly files: ReadonlyArray<AttachedFile>
}

export const emptyContent: DraftContent = { body: "", subject: "", from: "", cc: "", bcc: "", files: [] }

const addressesIn = (text: string): ReadonlyArray<string> => text.split(/[\s,;]+/u).filter((part) => part !== "")

const isAddress = (text: string): boolean => /^[^@]+@[^@]+\.[^@.]+$/u.test(text)

/** Returns the first word of a list of recipients that is no email address; null if there is none. */
export const invalidAddress = (text: string): string | null =>
  addressesIn(text).find((address) => !isAddress(address)) ?? null

/** Returns the recipients in a text. Leaves out an address that the person is still typing. */
const recipientsIn = (text: string): ReadonlyArray<Recipient> =>
  addressesIn(text)
    .filter(isAddress)
    .map((email) => ({ email }))

const textOf = (recipients: AgentDraft["cc"]): string => recipients.map(({ email }) => email).join(", ")

/** Returns the content of a stored message. */
export const contentOf = (
  stored: Pick<AgentDraft, "attachments" | "bcc" | "body" | "cc" | "from" | "subject">
): DraftContent => ({
  body: stored.body,
  subject: stored.subject ?? "",
  from: stored.from?.email ?? "",
  cc: textOf(stored.cc),
  bcc: textOf(stored.bcc),
  files: stored.attachments
})

export const isEmpty = ({ bcc, body, cc, files, subject }: DraftContent): boolean =>
  body === "" && subject === "" && cc === "" && bcc === "" && files.length === 0

/** Returns the fields of a request that store the content. A text has no recipients and no subject. */
export const fieldsOf = ({ bcc, body, cc, files, from, subject }: DraftContent, channel: WritingChannel) => ({
  body,
  attachments: files.map(({ upload_id }) => ({ upload_id })),
  ...(channel === "email" ? { cc: recipientsIn(cc), bcc: recipientsIn(bcc) } : {}),
  ...(channel === "email" && subject !== "" ? { subject } : {}),
  ...(channel === "email" && from !== "" ? { from: { email: from } } : {})
})

/** Adds a cancelled message to what the person has written since. */
export const joined = (canceled: DraftContent, written: DraftContent): DraftContent => ({
  ...canceled,
  body: [canceled.body, written.body].filter((body) => body !== "").join("\n\n"),
  files: [...canceled.files, ...written.files]
})
