/** What a mail server says to a command: a code, and words that begin with the code of RFC 3463. */
export interface SmtpReply {
  readonly code: number
  readonly text: string
}

/** Every reply of the listener that refuses. 4xx invites the sender to retry, 5xx does not (RFC 5321 section 4.2.1). */
export const replies = {
  unknownRecipient: { code: 550, text: "5.7.1 Nobody here takes mail for this address" },
  tooManyRecipients: { code: 452, text: "4.5.3 Too many recipients; send the others in another mail" },
  tooManyRefusals: { code: 421, text: "4.7.0 Too many recipients that nobody here knows" },
  tooManyConnections: { code: 421, text: "4.7.0 Too many connections from your network; try again later" },
  full: { code: 421, text: "4.3.2 Too many connections; try again later" },
  idle: { code: 421, text: "4.4.2 Idle while others wait; connect again" },
  unavailable: { code: 451, text: "4.3.0 The mail cannot be stored right now; try again later" },
  busy: { code: 452, text: "4.3.1 Too much mail is on its way at once; try again later" },
  recipientBusy: { code: 450, text: "4.2.1 This recipient gets too much mail at once; try again later" },
  tooLarge: { code: 552, text: "5.3.4 The mail is too large" },
  headerTooLarge: { code: 552, text: "5.3.4 The header of the mail is too large" },
  tooSlow: { code: 421, text: "4.4.2 This took too long; connect again" },
  stopping: { code: 421, text: "4.3.2 The server is stopping; try again later" }
} as const satisfies Record<string, SmtpReply>

/** A reply as the SMTP server takes it. */
export const asError = ({ code, text }: SmtpReply): Error => Object.assign(new Error(text), { responseCode: code })
