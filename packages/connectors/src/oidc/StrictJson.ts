import type { Claims } from "@leadloom/core/internal/domain/access/Identity"

/** Strings (object keys and values) and the brackets of objects. Other tokens are irrelevant for duplicate keys. */
const tokens = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|[{}]/gu

/** Returns whether a JSON object contains a duplicate key, or a NUL in a key or string. */
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
 * Parses a JSON object of a token. Returns null when it is invalid or ambiguous. Parsers disagree on the value of a
 * duplicate key (RFC 7519 section 4), and some programs end a text at a NUL.
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
