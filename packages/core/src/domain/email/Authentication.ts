import { Schema } from "effect"
import { domainOf, normalizeEmail } from "../address/Address.ts"
import { asciiHost, registrableDomain } from "./Mailbox.ts"
import { headerValues, type ParsedMail } from "./ParsedMail.ts"

/**
 * The authentication of a mail by the server that received it: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and
 * ARC (RFC 8617), as recorded in `Authentication-Results` (RFC 8601).
 */

/** The results of one method (RFC 8601 section 2.7). `none`: the mail or the domain does not use the method. */
export const authenticationResults = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror"
] as const

export const AuthenticationResult = Schema.Literals(authenticationResults)
export type AuthenticationResult = typeof AuthenticationResult.Type

/** The authentication of one mail. */
export class MailAuthentication extends Schema.Opaque<MailAuthentication>()(
  Schema.Struct({
    spf: AuthenticationResult.annotate({ description: "The sending server may send for the envelope sender" }),
    dkim: AuthenticationResult.annotate({ description: "The best result of the signatures" }),
    dmarc: AuthenticationResult.annotate({ description: "The result by the policy of the domain in From" }),
    arc: AuthenticationResult.annotate({ description: "The result of the chain of forwarding servers" }),
    fromDomainAligned: Schema.Boolean.annotate({
      description: "True if a method passed for the organisational domain of the From address"
    }),
    verifiedBy: Schema.String.annotate({ description: "The server that authenticated the mail (authserv-id)" })
  })
) {}

/** One method of an `Authentication-Results` field. */
interface MethodResult {
  readonly method: string
  readonly result: AuthenticationResult
  /** The properties by name, for example `header.d`. */
  readonly properties: ReadonlyMap<string, string>
}

/** A parsed `Authentication-Results` field. */
interface AuthenticationField {
  /** In lower case. Empty if the field has none, as those of Microsoft. */
  readonly authservId: string
  readonly methods: ReadonlyArray<MethodResult>
}

/** Removes comments, which can be nested (RFC 5322 section 3.2.2). */
const withoutComments = (value: string): string => {
  let depth = 0
  let text = ""
  for (const character of value) {
    if (character === "(") depth += 1
    if (depth === 0) text += character
    if (character === ")" && depth > 0) depth -= 1
  }
  return text
}

const isResult = (text: string): text is AuthenticationResult => authenticationResults.some((result) => result === text)

const pairOf = (word: string): readonly [string, string] => {
  const at = word.indexOf("=")
  return at < 0
    ? ["", ""]
    : [
        word.slice(0, at).toLowerCase(),
        word
          .slice(at + 1)
          .replaceAll('"', "")
          .toLowerCase()
      ]
}

const readMethod = (words: ReadonlyArray<string>): ReadonlyArray<MethodResult> => {
  const [first = "", ...rest] = words
  const [name, result] = pairOf(first)
  const known = result === "hardfail" ? "fail" : result
  if (!isResult(known)) return []
  return [{ method: name.split("/")[0] ?? "", result: known, properties: new Map(rest.map(pairOf)) }]
}

/** Parses the value of an `Authentication-Results` field. Ignores parts that do not follow its grammar. */
const readField = (value: string): AuthenticationField => {
  const parts = withoutComments(value)
    .split(";")
    .map((part) => part.trim().split(/\s+/u))
  const [first = []] = parts
  const hasId = first[0] !== undefined && !first[0].includes("=")
  return {
    authservId: hasId ? (first[0] ?? "").toLowerCase() : "",
    methods: parts.slice(hasId ? 1 : 0).flatMap(readMethod)
  }
}

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

/** Returns whether a server is trusted, by its authserv-id. */
export type TrustsServer = (authservId: string) => boolean

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
