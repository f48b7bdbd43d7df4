/** A place that contains a leaked key. */
export interface LeakPlace {
  /** The page, without query, fragment and credentials. Null if the report contains no valid URL. */
  readonly url: string | null
  /** The scanner's word for the kind of place, for example `commit`. Null if the report contains none. */
  readonly source: string | null
}

const maxUrlLength = 2_048
const maxSourceLength = 64

/** Text that has the form of an API key or source key of this server. */
const keyShape = /ll[ks]_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/gu

/** A web page. The groups omit credentials before the host name, the query and the fragment. */
const page = /^(?<scheme>https?:\/\/)(?:[^/?#\s]*@)?(?<rest>[^?#\s]+)/iu

/**
 * Returns a URL that is safe to store in the audit trail. The URL itself may contain the leaked key, so keys are
 * masked.
 */
const urlOf = (value: unknown): string | null => {
  const { rest, scheme } = (typeof value === "string" ? page.exec(value)?.groups : undefined) ?? {}
  if (rest === undefined || scheme === undefined) return null
  return `${scheme}${rest}`.toWellFormed().replaceAll("\0", "\uFFFD").replaceAll(keyShape, "…").slice(0, maxUrlLength)
}

/**
 * Returns the kind of place. Kinds such as `content` and `pull_request_body` contain only letters, digits, underscores
 * and hyphens.
 */
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
 * Returns the places of each key in a report of a secret scanner. GitHub sends such a report to the partners of its
 * secret scanning: `[{"token": "…", "type": "…", "url": "…", "source": "…"}]`
 * (https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partnership-program/secret-scanning-partner-program).
 * Returns an empty map for any other text.
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
