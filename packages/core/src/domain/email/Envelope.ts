import type { MailHeader, ParsedMail } from "./ParsedMail.ts"

/** Whom a mail was handed over from and to (RFC 5321 section 2.3.1), whatever its header says. */
export interface Envelope {
  /** Where failures are told; empty for mail that must not be answered, for example bounces. */
  readonly sender: string
  /** The tenant's addresses it is for, in lower case: all that is known of a blind copy. */
  readonly recipients: ReadonlyArray<string>
}

/**
 * A mail with the return path of its envelope, as the last server on its way has to note it (RFC 5321 section 4.4). One
 * that the mail came with says nothing any more.
 */
export const withReturnPath = <Mail extends ParsedMail>(mail: Mail, { sender }: Pick<Envelope, "sender">): Mail => {
  const returnPath: MailHeader = { name: "return-path", value: `<${sender}>` }
  return { ...mail, headers: [returnPath, ...mail.headers.filter(({ name }) => name !== "return-path")] }
}
