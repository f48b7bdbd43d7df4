import { deviceFrames, deviceLeads, deviceNames } from "./QuoteMarks.ts"

const maxDeviceLineLength = 90
const maxDeviceLineWithLinkLength = 300
const maxDeviceWords = 9

/** A link as mail programs put it behind a word: `<https://…>`, `( https://… )`, `[Name](https://…)`, or bare. */
const links = /<[^<>]{0,300}>|\( ?https?:[^()]{0,300}\)|https?:\/\/[^\s<>()]{1,300}/gu
const linkAlone = /^(?:<https?:[^<>\s]{1,300}>|\(?https?:\/\/[^\s<>()]{1,300}\)?)$/u

/** True for a line that is a link and nothing else. */
export const isLinkAlone = (content: string): boolean => linkAlone.test(content)

const withoutLinks = (content: string): string => content.replace(links, " ").replace(/[[\]]/g, "")

/**
 * True for a line by a phone or an app: `Sent from` and the like in one of many languages, the name of a device or an
 * app or a link to it, and no second clause.
 */
export const isDevice = (content: string): boolean => {
  if (content.length > maxDeviceLineWithLinkLength) return false
  const lower = content.replace(/^[*_]+/g, "").toLowerCase()
  const leads = deviceLeads.some((lead) => lower.startsWith(lead))
  if (!leads && !deviceFrames.some(([lead, tail]) => lower.startsWith(lead) && lower.includes(tail))) return false
  const bare = withoutLinks(lower)
  const linked = bare !== lower
  const words = bare
    .replace(/[®™*_]/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<![.\s])[.\s]+$/u, "")
  const reported = linked ? (words.split(",", 1)[0] ?? "") : words
  if (reported.length > maxDeviceLineLength || /[,;!?]/.test(reported) || reported.split(" ").length > maxDeviceWords)
    return false
  if (!leads && !deviceFrames.some(([lead, tail]) => reported.startsWith(lead) && reported.endsWith(tail))) return false
  return linked || deviceNames.some((device) => reported.includes(device))
}
