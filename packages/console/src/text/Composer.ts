import { count } from "./Count.ts"

const characters = (units: number): string => count(units, "character", "characters")

/** The texts of the composer. */
export const composerText = {
  label: "Reply",
  modes: { email: "Email", sms: "SMS", note: "Private note" },
  mode: "Write",
  presence: { viewing: (name: string) => `${name} is here`, typing: (name: string) => `${name} is typing…` },
  note: {
    label: "Private note",
    placeholder: "Write a private note",
    hint: "Only people of your tenant see notes. Type @ to mention a person.",
    add: "Add note",
    mention: "Mention a person"
  },
  noEmailAccount: {
    ask: "No email account is connected. Ask an admin to connect one under Settings, Email account.",
    connect: "No email account is connected. Connect one under",
    page: "Settings, Email account"
  },
  placeholder: "Write a reply",
  send: "Send",
  sendAndClose: "Send and close",
  sending: "Sending…",
  noText: "Write a text first.",
  noSubject: "Write a subject first.",
  tooLong: (limit: number, excess: number) =>
    `A text has at most ${limit} characters. Remove ${count(excess, "character", "characters")}.`,
  sent: "The message will be sent shortly.",
  undone: "Not sent. The text is in the composer again.",
  tooLate: "The message was already sent.",
  notUndone: (reason: string) => `Not undone: ${reason}`,
  saved: "Draft saved",
  saving: "Saving draft…",
  unsaved: "Draft not saved. It stays in this tab.",
  changed: "Another person has changed or sent this draft. Your text will be saved as a separate draft.",
  failed: (reason: string) => `Not sent: ${reason}`,
  failedLater: (reason: string) => `Not sent: ${reason}. The text is in the composer again.`,
  unreachable: "This contact has no email address and no phone number. Write private notes.",
  email: {
    show: "Subject, Cc, Bcc",
    showCopies: "Cc, Bcc",
    from: "From",
    receiver: "The account that received the email",
    subject: "Subject",
    subjectHint: "Empty: the message answers the newest email. A subject starts a new thread.",
    firstSubjectHint: "Required, because there is no email to answer yet.",
    cc: "Cc",
    bcc: "Bcc",
    invalid: (address: string) => `${address} is not an email address.`
  },
  characters,
  segments: (units: number, segments: number) => `${characters(units)}, ${count(segments, "segment", "segments")}`,
  signature: "Signature",
  files: {
    attach: "Attach files",
    list: "Attached files",
    wait: "Uploading files…",
    remove: (name: string) => `Remove ${name}`,
    uploading: (name: string) => `Uploading ${name}`,
    unnamed: (position: number) => `File ${position}`,
    tooMany: (limit: number) => `A message has at most ${count(limit, "file", "files")}.`,
    tooLarge: (limit: string) => `All files have at most ${limit}.`,
    failed: (name: string, reason: string) => `${name} was not attached: ${reason}`
  },
  schedule: {
    open: "Send later",
    title: "Send later",
    time: "Time",
    hint: "For example: tomorrow 9:00, next Tuesday 3pm, 24 December 8:00",
    unknown: "This is not a time.",
    zone: "Time zone",
    zones: { contact: "Of the contact", tenant: "Of the business" },
    cancelOnReply: "Do not send if someone writes before",
    choices: { tomorrow: "tomorrow 8:00", monday: "next Monday 8:00" },
    local: (time: string) => `Will be sent on ${time} in this time zone.`,
    send: "Schedule",
    done: (time: string) => `Scheduled for ${time}, your time`
  },
  unseen: "Another person has answered or left a note. Read it, then send again."
} as const
