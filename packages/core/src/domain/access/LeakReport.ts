/** Where somebody found a key. */
export interface LeakPlace {
  /** The page, without query, fragment and credentials; null: it is not told, or is no address. */
  readonly url: string | null
  /** What kind of place it is, in the scanner's word, for example `commit`; null: it is not told. */
  readonly source: string | null
}

const maxUrlLength = 2_048
const maxSourceLength = 64

/** Anything of a path that has the form of one of our keys. */
const keyShape = /ll[ks]_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/gu

/** A page of the web: what is before the name is not kept, nor what is behind the path. */
const page = /^(?<scheme>https?:\/\/)(?:[^/?#\s]*@)?(?<rest>[^?#\s]+)/iu

/** An address as the audit trail may keep it: a key may well have been found in the address itself. */
const urlOf = (value: unknown): string | null => {
  const { rest, scheme } = (typeof value === "string" ? page.exec(value)?.groups : undefined) ?? {}
  if (rest === undefined || scheme === undefined) return null
  return `${scheme}${rest}`.toWellFormed().replaceAll("\0", "\uFFFD").replaceAll(keyShape, "…").slice(0, maxUrlLength)
}

/** Words of kinds have no more than these: `content`, `pull_request_body`. */
const sourceOf = (value: unknown): string | null =>
  typeof value === "string" && /^[\w-]+$/u.test(value) && value.length <= maxSourceLength ? value : null

const listIn = (text: string): ReadonlyArray<unknown> => {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}

/**
 * Where the keys of a scanner's report were found, by key. A report is what GitHub sends the partners of its secret
 * scanning: `[{"token": "…", "type": "…", "url": "…", "source": "…"}]`
 * (https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partnership-program/secret-scanning-partner-program).
 * Any other text tells of no places.
 */
export const placesIn = (text: string): ReadonlyMap<string, ReadonlyArray<LeakPlace>> => {
  const places = new Map<string, ReadonlyArray<LeakPlace>>()
  for (const item of listIn(text)) {
    if (typeof item !== "object" || item === null || !("token" in item) || typeof item.token !== "string") continue
    const place = {
      url: urlOf("url" in item ? item.url : null),
      source: sourceOf("source" in item ? item.source : null)
    }
    if (place.url !== null || place.source !== null) places.set(item.token, [...(places.get(item.token) ?? []), place])
  }
  return places
}
