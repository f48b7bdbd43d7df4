import { domainToASCII } from "node:url"
import { domainOf, localPartOf } from "@leadloom/core/internal/domain/address/Address"

const isAscii = (text: string): boolean => /^[\x20-\x7E]*$/u.test(text)

/** Returns whether an address needs SMTPUTF8 (RFC 6531). A local part outside ASCII has no other form. */
export const needsUtf8 = (email: string): boolean => !isAscii(localPartOf(email))

/** Returns an address for the SMTP envelope: its domain in ASCII (RFC 5890), unless its local part needs SMTPUTF8. */
export const wireAddress = (email: string): string => {
  const domain = domainOf(email)
  if (isAscii(domain) || needsUtf8(email)) return email
  return `${localPartOf(email)}@${domainToASCII(domain) || domain}`
}
