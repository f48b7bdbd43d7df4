import { domainToASCII } from "node:url"
import { domainOf, localPartOf } from "@leadloom/core/domain/address/Address"

const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/u.test(text)

/** Whether an address takes SMTPUTF8 (RFC 6531) all the way: what stands before the @ has no other form. */
export const needsUtf8 = (email: string): boolean => !isAscii(localPartOf(email))

/** An address as the envelope of SMTP has it: its domain in ASCII (RFC 5890), unless its local part has no such form. */
export const wireAddress = (email: string): string => {
  const domain = domainOf(email)
  if (isAscii(domain) || needsUtf8(email)) return email
  return `${localPartOf(email)}@${domainToASCII(domain) || domain}`
}
