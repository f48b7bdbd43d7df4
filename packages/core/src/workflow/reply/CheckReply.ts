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
import { findPromptResidue } from "./FindPromptResidue.ts"
import { secretsIn } from "../../domain/reply/SecretShapes.ts"

/** A reply that a model wrote, and what is known around it. */
export interface ReplyToCheck {
  readonly text: string
  readonly known: {
    /** Addresses of the contact and of the tenant: its account, its aliases. */
    readonly emails: ReadonlyArray<string>
    /** Numbers of the contact and of the tenant, in any spelling. */
    readonly phones: ReadonlyArray<string>
    /** Hosts that the tenant's side links to: its domain, and what people of it wrote in the conversation. */
    readonly hosts: ReadonlyArray<string>
    /**
     * What was said in the conversation. Addresses and numbers in there may be said again; secrets may not, and links of
     * the contact's may not either: who wrote under a forged address would have the tenant send them to its owner.
     */
    readonly texts: ReadonlyArray<string>
  }
  /** Instructions and knowledge count as said, `linkHosts` as known; instructions may not be recited. */
  readonly assistant: AssistantConfig
  /** Country of a phone number without a country code: ISO 3166-1 alpha-2. */
  readonly defaultCountry: string
}

const tooLong = "it is too long to be looked through"

/**
 * Why a person has to look at a reply before it goes out; empty: nothing stands against it. It finds what can be found
 * by form: email addresses and phone numbers that belong to nobody in the conversation, links to hosts that nobody
 * allowed, what looks like a secret, and what is left of the prompt. It does not understand the text: a wrong promise
 * passes, and a harmless reply that looks odd waits for a person. Reasons hold nothing personal.
 */
export const checkReply = ({ assistant, defaultCountry, known, text }: ReplyToCheck): ReadonlyArray<string> => {
  if (isUnreadable(text)) return [tooLong]
  const said = readable(text)
  // Read as they stand: who writes an address in a way that no program finds has a reason.
  const texts = [...known.texts, assistant.instructions, assistant.knowledge]
  const emails = new Set([...known.emails.map(normalizeEmail), ...texts.flatMap(addressesIn)])
  const { instructions, knowledge, linkHosts } = assistant
  const hosts = new Set([...known.hosts, ...linkHosts, ...hostsIn(`${instructions}\n${knowledge}`)].map(plainHost))
  const numbers = knownNumbers(known.phones, texts, defaultCountry)
  const reasons = [
    ...unknownAddresses(said, emails),
    ...unknownNumbers(said, numbers, defaultCountry),
    ...unknownLinks(said, hosts),
    ...secretsIn(said),
    ...findPromptResidue(said, assistant.instructions)
  ]
  return [...new Set(reasons)]
}

/** What a reply was rendered from. */
export interface RenderedFrom extends Pick<AssistantConfig, "linkHosts"> {
  readonly template: string
  readonly domain: string | null
}

/** Steps that looking through a rendered reply costs a character. */
const checkSteps = 32

/**
 * The same of what a template came to: its author is trusted, what contacts put into it is not. A name or a message that
 * brings a link along waits for a person; links of the template itself, and of the tenant's domain, do not. It is done in
 * pieces that spend their part.
 */
export const checkingRendered = function* (
  text: string,
  { template, domain, linkHosts }: RenderedFrom,
  budget: Budget
): Pieces<ReadonlyArray<string>> {
  if (isUnreadable(text)) return [tooLong]
  const steps = Math.ceil(lookSteps(text, checkSteps) / 2)
  budget.spend(steps)
  const said = readable(text)
  yield
  budget.spend(steps)
  const own = domain === null ? [] : [domain]
  const hosts = new Set([...own, ...linkHosts, ...hostsIn(template)].map(plainHost))
  return [...new Set(unknownLinks(said, hosts))]
}
