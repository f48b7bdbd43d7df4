import type { Claims } from "@leadloom/core/domain/access/Identity"

/** Texts (with what tells a name from a value) and what opens or closes a level. Nothing else matters here. */
const tokens = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|[{}]/gu

/** Whether a JSON text names something twice at one level, or holds a NUL in a name or a text. */
const isAmbiguous = (json: string): boolean => {
  const levels: Array<Set<string>> = []
  for (const match of json.matchAll(tokens)) {
    const { colon, text } = match.groups ?? {}
    if (match[0] === "{") levels.push(new Set())
    else if (match[0] === "}") levels.pop()
    else if (text !== undefined) {
      const read = String(JSON.parse(text))
      const names = levels.at(-1)
      if (read.includes("\0") || (colon !== undefined && names?.has(read) === true)) return true
      if (colon !== undefined) names?.add(read)
    }
  }
  return false
}

/**
 * Reads a JSON object of a token; null when it is none, names something twice (RFC 7519 section 4: whoever reads the first
 * and whoever reads the last would see different tokens) or holds a NUL, at which other programs stop reading.
 */
export const readStrictJson = (json: string): Claims | null => {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== "object" || value === null || Array.isArray(value) || isAmbiguous(json)) return null
    return { ...value }
  } catch {
    return null
  }
}
