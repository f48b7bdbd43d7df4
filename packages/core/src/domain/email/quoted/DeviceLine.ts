import { deviceFrames, deviceLeads, deviceNames } from "./QuoteMarks.ts"

const maxDeviceLineLength = 90
const maxDeviceLineWithLinkLength = 300
const maxDeviceWords = 9

/**
 * Matches a link after a word, in the forms that mail programs write: `<https://…>`, `( https://… )`,
 * `[Name](https://…)`, or bare.
 */
const links = /<[^<>]{0,300}>|\( ?https?:[^()]{0,300}\)|https?:\/\/[^\s<>()]{1,300}/gu
const linkAlone = /^(?:<https?:[^<>\s]{1,300}>|\(?https?:\/\/[^\s<>()]{1,300}\)?)$/u

/** Returns whether a line is only a link. */
export const isLinkAlone = (content: string): boolean => linkAlone.test(content)

const withoutLinks = (content: string): string => content.replace(links, " ").replace(/[[\]]/g, "")

/**
 * Returns whether a phone or app has added a line. Such a line contains `Sent from` or an equivalent in another
 * language, and the name of a device or app or a link to it. A line without a link has no `,`, `;`, `!` or `?`. In a
 * line with a link, only the part before the first comma is checked.
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
