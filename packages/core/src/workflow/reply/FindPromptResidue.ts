import { systemPrompts } from "./Prompt.ts"
import type { Cause } from "../../domain/reason/Reason.ts"
import { wordsOf } from "../../domain/classification/Words.ts"

/** Patterns of text that is not meant for a customer, with their names. */
const leftovers: ReadonlyArray<readonly [string, RegExp]> = [
  [
    "a delimiter of the prompt",
    /<{2,3}|>{3}|\bDATA-[0-9a-f]{8,}|<\|[\w ]{1,30}\|>|\[\/?INST\]|<\/?s>|<<SYS>>|## ?(?:instruction|system|response|input)/iu
  ],
  [
    "a statement of the model about itself",
    /\b(?:as|i am|i'm) (?:an? )?(?:ai|artificial intelligence|(?:large )?language model|virtual assistant trained|chatbot|llm)\b|\b(?:trained|developed|created) by (?:openai|anthropic|google|meta|mistral)\b|\bmy (?:knowledge|training) (?:cut-?off|data)\b/iu
  ],
  [
    "a statement about its instructions",
    /\b(?:system|hidden|initial|developer|original) (?:prompt|message|instructions?)\b|\bmy (?:(?:system|hidden|initial|original|previous|secret|internal) )?(?:instructions|prompt|guidelines|rules|programming)\b|\b(?:i was|i have been|i've been) (?:told|instructed|programmed|configured)\b|\b(?:ignor|disregard|overrid)\w* (?:all |any |my |the )*(?:previous |prior |above |earlier )*(?:instructions|prompt|rules)\b|\b(?:developer|debug|admin|god|dan|jailbreak|unrestricted) mode\b|\bdo anything now\b/iu
  ],
  [
    "an unfilled placeholder",
    /\{\{|\}\}|\{%|\[(?:your|my|our|insert|enter|add|company|business|customer|client|recipient|contact|name|date|time|phone|number|email|address|link|url|agent|signature|amount|price)\b[^\]\n]{0,60}\]|<(?:your|insert|customer|company|name)[^>\n]{0,60}>|\blorem ipsum\b|\bXXX[- ]XXX/iu
  ],
  [
    "the format of a program's output",
    /```|^[^\S\r\n\u2028\u2029]*[{[]\s*["{]|"(?:text|reply|intent|confidence|role|content|tool|function|arguments|recipient|channel)"\s*:|^[^\S\r\n\u2028\u2029]*(?:assistant|system|user|human|ai|bot)\s*:/imu
  ],
  ["markup", /<\/?[a-z!][^<>]{0,200}>|!?\[[^\]\n]{0,200}\]\([^)\n]{1,500}\)/iu],
  [
    "a remark to the requester of the draft",
    /\b(?:here(?:'s| is| are)|below is) (?:a|an|the|your|my) (?:[a-z]+ ){0,3}(?:draft|reply|response|email|message|json|classification|summary of (?:my|the) instructions)\b|\b(?:the|this) (?:customer|sender|contact|message|email) (?:asks?|asked|wants|tells|told|instructs|instructed) me\b/iu
  ]
]

/** The minimum number of consecutive words that a reply and the prompt must share to count as a quotation. */
const promptWords = 7
/**
 * The same minimum for the tenant's instructions. It is higher, because instructions may suggest phrases for replies.
 */
const instructionWords = 12

const stretches = (text: string, length: number): ReadonlySet<string> => {
  const words = wordsOf(text).trim().split(" ")
  return new Set(
    Array.from({ length: Math.max(0, words.length - length + 1) }, (_, at) => words.slice(at, at + length).join(" "))
  )
}

const promptStretches = stretches(systemPrompts.join("\n"), promptWords)

const shares = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  Array.from(some).some((stretch) => others.has(stretch))

/**
 * Returns the reasons why a text is not meant for a customer: it contains parts of the prompt, parts of the
 * instructions, or output of a program.
 */
export const findPromptResidue = (text: string, instructions: string): ReadonlyArray<Cause> => [
  ...leftovers.filter(([, shape]) => shape.test(text)).map(([what]): Cause => ({ code: "prompt_residue", what })),
  ...(shares(stretches(text, promptWords), promptStretches) ? [{ code: "quotes_prompt" } as const] : []),
  ...(shares(stretches(text, instructionWords), stretches(instructions, instructionWords))
    ? [{ code: "quotes_instructions" } as const]
    : [])
]
