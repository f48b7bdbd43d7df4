/** The texts of the fields of messages that sequences and rules send. */
export const messageText = {
  channel: "Channel",
  channels: { email: "Email", sms: "SMS" },
  subject: "Subject",
  subjectHint: "Empty: the email answers the newest one of the contact.",
  sameSubject: "Empty: the subject of the first channel.",
  body: "Text",
  bodyHint: "With the variables of canned replies, for example {{ contact.first_name }}.",
  fallback: {
    use: (other: string, own: string) => `Use ${other} if the contact cannot be reached by ${own}`,
    title: (channel: string) => `Instead by ${channel}`,
    bodyHint: "Empty: the same text."
  },
  source: "Content",
  sources: { body: "A text of the rule", canned_reply: "A canned reply" },
  cannedReply: "Canned reply",
  chooseCannedReply: "Choose a canned reply",
  noCannedReplies: "There are no canned replies. Create one in the settings."
} as const
