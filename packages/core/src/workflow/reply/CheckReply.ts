import { normalizeEmail } from "../../domain/address/Address.ts"
import type { AssistantConfig } from "../../domain/tenant/TenantConfig.ts"
import {
  addressesIn,
  hostsIn,
  knownNumbers,
  plainHost,
  unknownAddresses,
  unknownLinks,
  unknownNumbers
} from "../../domain/reply/Mentions.ts"
import { isUnreadable, readable } from "../../domain/reply/Readable.ts"
import type { Budget, Pieces } from "../../domain/budget/Budget.ts"
import { lookSteps } from "../../domain/guardrail/PlainText.ts"
import { type Cause, describeReason } from "../../domain/reason/Reason.ts"
import { findPromptResidue } from "./FindPromptResidue.ts"
import { secretsIn } from "../../domain/reply/SecretShapes.ts"

/** A reply by a model, with the known facts around it. */
export interface ReplyToCheck {
  readonly text: string
  readonly known: {
    /** The addresses of the contact and of the tenant: its account and its aliases. */
    readonly emails: ReadonlyArray<string>
    /** The numbers of the contact and of the tenant, in any spelling. */
    readonly phones: ReadonlyArray<string>
    /** The hosts that the tenant links to: its domain and the links of its people in the conversation. */
    readonly hosts: ReadonlyArray<string>
    /**
     * The texts of the conversation. A reply may repeat their addresses and numbers, but not their secrets, and no
     * links of the contact. A sender with a forged address could otherwise have the tenant send a link to the owner of
     * that address.
     */
    readonly texts: ReadonlyArray<string>
  }
  /** Instructions and knowledge count as said, and `linkHosts` as known. The reply must not quote the instructions. */
  readonly assistant: AssistantConfig
  /** The country of a phone number without a country code: ISO 3166-1 alpha-2. */
  readonly defaultCountry: string
}

const tooLong: Cause = { code: "too_long_to_check" }

const distinct = (reasons: ReadonlyArray<Cause>): ReadonlyArray<Cause> => [
  ...new Map(reasons.map((one) => [describeReason(one), one])).values()
]

/**
 * Returns the reasons why a person has to review a reply; empty means none. It checks only the form: unknown email
 * addresses and phone numbers, links to hosts that are not allowed, possible secrets, and remains of the prompt. It
 * does not understand the text: a wrong promise passes, and an unusual but harmless reply waits for a person. The
 * reasons contain no personal data.
 */
export const checkReply = ({ assistant, defaultCountry, known, text }: ReplyToCheck): ReadonlyArray<Cause> => {
  if (isUnreadable(text)) return [tooLong]
  const said = readable(text)
  // Uses the texts without decoding obfuscated addresses. An address in a hidden spelling must not count as known.
  const texts = [...known.texts, assistant.instructions, assistant.knowledge]
  const emails = new Set([...known.emails.map(normalizeEmail), ...texts.flatMap(addressesIn)])
  const { instructions, knowledge, linkHosts } = assistant
  const hosts = new Set([...known.hosts, ...linkHosts, ...hostsIn(`${instructions}\n${knowledge}`)].map(plainHost))
  const numbers = knownNumbers(known.phones, texts, defaultCountry)
  return distinct([
    ...unknownAddresses(said, emails),
    ...unknownNumbers(said, numbers, defaultCountry),
    ...unknownLinks(said, hosts),
    ...secretsIn(said),
    ...findPromptResidue(said, assistant.instructions)
  ])
}

/** The sources of a rendered reply. */
export interface RenderedFrom extends Pick<AssistantConfig, "linkHosts"> {
  readonly template: string
  readonly domain: string | null
}

/** The steps per character for checking a rendered reply. */
const checkSteps = 32

/**
 * Checks a rendered reply. Its template is trusted, but inserted data of contacts is not: a link in a name or a message
 * waits for a person. Links of the template and of the tenant's domain are allowed. It works in pieces that spend the
 * budget.
 */
export const checkingRendered = function* (
  text: string,
  { template, domain, linkHosts }: RenderedFrom,
  budget: Budget
): Pieces<ReadonlyArray<Cause>> {
  if (isUnreadable(text)) return [tooLong]
  const steps = Math.ceil(lookSteps(text, checkSteps) / 2)
  budget.spend(steps)
  const said = readable(text)
  yield
  budget.spend(steps)
  const own = domain === null ? [] : [domain]
  const hosts = new Set([...own, ...linkHosts, ...hostsIn(template)].map(plainHost))
  return distinct(unknownLinks(said, hosts))
}
