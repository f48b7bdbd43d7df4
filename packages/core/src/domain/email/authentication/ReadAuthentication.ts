import { domainOf, normalizeEmail } from "../../address/Address.ts"
import { asciiHost, registrableDomain } from "../Mailbox.ts"
import { headerValues, type ParsedMail } from "../ParsedMail.ts"
import { type MethodResult, readField } from "./AuthenticationField.ts"
import { type AuthenticationResult, authenticationResults } from "./AuthenticationResult.ts"
import type { MailAuthentication } from "./MailAuthentication.ts"
import type { VerifiedMail } from "./VerifiedMail.ts"

const organisation = (domain: string): string => registrableDomain(asciiHost(domain))

/** Returns the domain that a method authenticated; empty if the field does not contain it. */
const authenticatedDomain = ({ method, properties }: MethodResult): string => {
  if (method === "spf") {
    const sender = properties.get("smtp.mailfrom") ?? properties.get("smtp.mail") ?? ""
    return sender.includes("@") ? domainOf(sender) : sender
  }
  if (method === "dmarc") return properties.get("header.from") ?? ""
  if (method !== "dkim") return ""
  return properties.get("header.d") ?? (properties.get("header.i") ?? "").split("@").at(-1) ?? ""
}

/** Returns the best result of a method. A mail may have several signatures, of which one valid is enough. */
const resultOf = (methods: ReadonlyArray<MethodResult>, method: string): AuthenticationResult => {
  const results = methods.filter((found) => found.method === method).map(({ result }) => result)
  return authenticationResults.find((result) => results.includes(result)) ?? "none"
}

/** Returns whether a method passed for the organisational domain of every From address. */
const isAligned = (mail: Pick<ParsedMail, "from">, methods: ReadonlyArray<MethodResult>): boolean => {
  const passed = new Set(
    methods
      .filter(({ result }) => result === "pass")
      .map(authenticatedDomain)
      .filter((domain) => domain !== "")
      .map(organisation)
  )
  const written = mail.from.map(({ email }) => domainOf(normalizeEmail(email)))
  return written.length > 0 && written.every((domain) => domain !== "" && passed.has(organisation(domain)))
}

/** The findings about the authentication of a mail. */
export interface AuthenticationFindings {
  /** Null if no trusted server recorded its results. */
  readonly authentication: MailAuthentication | null
  /**
   * True if the last server that recorded results rejects the From address. This needs no trust, because a sender gains
   * nothing by such a field.
   */
  readonly rejected: boolean
}

/** Returns whether a server is trusted, by its name in lower case. */
export type TrustsServer = (name: string) => boolean

/**
 * Reads the topmost `Authentication-Results` field. Only this one counts, because the sender of a mail may have written
 * those below it.
 */
export const readAuthentication = (
  mail: Pick<ParsedMail, "from" | "headers">,
  isTrusted: TrustsServer
): AuthenticationFindings => {
  const [topmost] = headerValues(mail, "authentication-results")
  if (topmost === undefined) return { authentication: null, rejected: false }
  const { authservId, methods } = readField(topmost)
  const rejected = resultOf(methods, "dmarc") === "fail"
  if (!isTrusted(authservId)) return { authentication: null, rejected }
  const authentication: MailAuthentication = {
    spf: resultOf(methods, "spf"),
    dkim: resultOf(methods, "dkim"),
    dmarc: resultOf(methods, "dmarc"),
    arc: resultOf(methods, "arc"),
    fromDomainAligned: isAligned(mail, methods),
    verifiedBy: authservId
  }
  return { authentication, rejected }
}

/** The name of this server in `verifiedBy`. */
export const ownVerifier = "leadloom"

const methodsOf = ({ dkim, dmarc, spf }: VerifiedMail): ReadonlyArray<MethodResult> => [
  { method: "spf", result: spf.result, properties: new Map([["smtp.mailfrom", spf.domain]]) },
  ...dkim.map(({ domain, result }) => ({ method: "dkim", result, properties: new Map([["header.d", domain]]) })),
  { method: "dmarc", result: dmarc.result, properties: new Map([["header.from", dmarc.domain]]) }
]

/**
 * Returns whether a trusted forwarder received the mail with an aligned result (RFC 8617 section 5.2). Forwarding breaks
 * SPF and often the signature. Only the newest sets up to the first untrusted sealer count, because an untrusted sealer
 * can write any result into its own set and the sets below it.
 */
const isVouchedFor = (
  mail: Pick<ParsedMail, "from">,
  { arc }: VerifiedMail,
  isTrustedSealer: TrustsServer
): boolean => {
  const end = arc.sets.findIndex(({ sealer }) => !isTrustedSealer(sealer.toLowerCase()))
  const trusted = end < 0 ? arc.sets : arc.sets.slice(0, end)
  return arc.result === "pass" && trusted.some(({ results }) => isAligned(mail, readField(results).methods))
}

/**
 * Returns the authentication of a mail that this server verified. A domain may demand strict alignment, so no method
 * counts if DMARC fails. A trusted forwarder overrules this.
 */
export const verifiedAuthentication = (
  mail: Pick<ParsedMail, "from">,
  verified: VerifiedMail,
  isTrustedSealer: TrustsServer
): AuthenticationFindings => {
  const methods = methodsOf(verified)
  const vouched = isVouchedFor(mail, verified, isTrustedSealer)
  const failed = verified.dmarc.result === "fail"
  const authentication: MailAuthentication = {
    spf: verified.spf.result,
    dkim: resultOf(methods, "dkim"),
    dmarc: verified.dmarc.result,
    arc: verified.arc.result,
    fromDomainAligned: vouched || (!failed && isAligned(mail, methods)),
    verifiedBy: ownVerifier
  }
  return { authentication, rejected: failed && !vouched }
}
