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

/** A reply by a model, and the values that it may contain. */
export interface ReplyToCheck {
  readonly text: string
  readonly known: {
    /** The addresses of the contact, and those of the tenant's account with its aliases. */
    readonly emails: ReadonlyArray<string>
    /** The numbers of the contact and of the tenant, in any form. */
    readonly phones: ReadonlyArray<string>
    /**
     * The hosts to which the tenant links: its domain, and the hosts of links that its people wrote in the
     * conversation.
     */
    readonly hosts: ReadonlyArray<string>
    /**
     * The texts of the conversation. A reply may repeat addresses and numbers from them. It must not repeat secrets, or
     * links that the contact wrote. Otherwise an attacker with a forged sender address could make the tenant send a
     * link to the owner of that address.
     */
    readonly texts: ReadonlyArray<string>
  }
  /**
   * The tenant's information for the model. A reply may contain addresses, numbers and hosts from it, but must not
   * quote the instructions.
   */
  readonly assistant: AssistantConfig
  /** The country (ISO 3166-1 alpha-2) of phone numbers without a country code. */
  readonly defaultCountry: string
}

const tooLong: Cause = { code: "too_long_to_check" }

const distinct = (reasons: ReadonlyArray<Cause>): ReadonlyArray<Cause> => [
  ...new Map(reasons.map((one) => [describeReason(one), one])).values()
]

/**
 * Returns the reasons why a person must review a reply. Empty if there are none. Only patterns are checked: unknown
 * email addresses and phone numbers, links to hosts that are not allowed, possible secrets, and remains of the prompt.
 * The meaning is not checked. A wrong promise is therefore not detected, and an unusual but harmless reply waits for a
 * person. The reasons contain no personal data.
 */
export const checkReply = ({ assistant, defaultCountry, known, text }: ReplyToCheck): ReadonlyArray<Cause> => {
  if (isUnreadable(text)) return [tooLong]
  const said = readable(text)
  // Disguised addresses in these texts are not decoded, because an address that the contact has disguised must not
  // count as known.
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

/** The template of a rendered reply, and the hosts to which it may link. */
export interface RenderedFrom extends Pick<AssistantConfig, "linkHosts"> {
  readonly template: string
  readonly domain: string | null
}

/** The steps of checking one character of a rendered reply. */
const checkSteps = 32

/**
 * Checks a reply that was rendered from a template. The template is trusted, but data of contacts in it is not: a reply
 * waits for a person if a name or a message inserts a link. Links in the template and links to the tenant's domain are
 * allowed. The check runs in pieces that spend the budget.
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
