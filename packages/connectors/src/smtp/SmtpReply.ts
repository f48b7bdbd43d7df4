/** A reply of a mail server: a code, and a text that starts with the enhanced code of RFC 3463. */
export interface SmtpReply {
  readonly code: number
  readonly text: string
}

/** All refusals of the listener. The sender retries after 4xx, but not after 5xx (RFC 5321 section 4.2.1). */
export const replies = {
  unknownRecipient: { code: 550, text: "5.7.1 Unknown recipient" },
  tooManyRecipients: { code: 452, text: "4.5.3 Too many recipients; send the others in another mail" },
  tooManyRefusals: { code: 421, text: "4.7.0 Too many unknown recipients" },
  tooManyConnections: { code: 421, text: "4.7.0 Too many connections from your network; try again later" },
  full: { code: 421, text: "4.3.2 Too many connections; try again later" },
  idle: { code: 421, text: "4.4.2 Too many connections and this one is idle; connect again" },
  unavailable: { code: 451, text: "4.3.0 The mail cannot be stored now; try again later" },
  busy: { code: 452, text: "4.3.1 Too much mail in transfer; try again later" },
  recipientBusy: { code: 450, text: "4.2.1 The recipient receives too much mail; try again later" },
  tooLarge: { code: 552, text: "5.3.4 The mail is too large" },
  headerTooLarge: { code: 552, text: "5.3.4 The header of the mail is too large" },
  tooSlow: { code: 421, text: "4.4.2 The transfer took too long; connect again" },
  stopping: { code: 421, text: "4.3.2 The server is stopping; try again later" }
} as const satisfies Record<string, SmtpReply>

/** Converts a reply to an error of the SMTP library. */
export const asError = ({ code, text }: SmtpReply): Error => Object.assign(new Error(text), { responseCode: code })
