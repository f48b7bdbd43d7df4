/** What a request may cost at most. */
export interface Bounds {
  readonly bodyMebibytes: number
  /** From the moment the request is read until its response; the body's own time is within it. */
  readonly timeoutSeconds: number
}

const usual: Bounds = { bodyMebibytes: 1, timeoutSeconds: 30 }
/** A batch of raw mails in base64, or of what was said elsewhere, on a slow line. */
const importing: Bounds = { bodyMebibytes: 50, timeoutSeconds: 120 }

/** Up to 500 requests for the pipeline. */
const batching: Bounds = { bodyMebibytes: 10, timeoutSeconds: 120 }

/** An archive of years, taken in as it comes and never held as a whole: it is bounded by time alone. */
const moving: Bounds = { bodyMebibytes: 1_048_576, timeoutSeconds: 6 * 3_600 }

/** A contact with years of mail, erased batch by batch. */
const erasing: Bounds = { ...usual, timeoutSeconds: 600 }

/** A provider's notice with a whole mail in it, or the transcript of a call. */
const telling: Bounds = { ...usual, bodyMebibytes: 4 }

/** The bounds of a path (without its query). */
export const boundsOf = (path: string): Bounds => {
  if (/^\/api\/v1\/(?:webhook\/providers|voice\/assistant)\//u.test(path)) return telling
  if (/^\/api\/v1\/tenants\/[^/]+\/import$/u.test(path)) return moving
  if (/^\/api\/v1\/tenants\/[^/]+\/contacts\/[^/]+\/erase$/u.test(path)) return erasing
  if (path.startsWith("/api/v1/tenants/") && path.endsWith("/pipeline/batch")) return batching
  return path.startsWith("/api/v1/import/") || path.endsWith("/conversation/import") ? importing : usual
}
