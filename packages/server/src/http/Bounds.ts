/** What a request may cost at most. */
export interface Bounds {
  readonly bodyMebibytes: number
  /** From the moment the request is read until its response; the body's own time is within it. */
  readonly timeoutSeconds: number
}

const usual: Bounds = { bodyMebibytes: 1, timeoutSeconds: 30 }
/** A batch of raw mails in base64, or of what was said elsewhere, on a slow line. */
const importing: Bounds = { bodyMebibytes: 50, timeoutSeconds: 120 }

/** A provider's notice with a whole mail in it. */
const telling: Bounds = { ...usual, bodyMebibytes: 4 }

/** The bounds of a path (without its query). */
export const boundsOf = (path: string): Bounds => {
  if (path.startsWith("/api/v1/webhook/providers/")) return telling
  return path.startsWith("/api/v1/import/") || path.endsWith("/conversation/import") ? importing : usual
}
